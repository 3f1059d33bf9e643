package verify_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/cert/summary"
)

// randomGroups draws multicast groups, half of them trees, the others with any entries.
func randomGroups(t *rapid.T, n *model.Network) *model.Multicast {
	m := &model.Multicast{}
	for g := range rapid.IntRange(0, 2).Draw(t, "groups") {
		group := model.MulticastGroup{MLID: uint16(0xc000 + g)}
		ports := make([][]model.Port, n.NumSwitches())
		tree := rapid.Bool().Draw(t, "tree")
		part := make([]int, n.NumSwitches()) // by switch: its tree
		for u := range part {
			part[u] = u
		}
		for l := range model.LinkID(n.NumLinks()) {
			k := n.Link(l)
			from, to := part[k.A], part[k.B]
			if rapid.IntRange(0, 3).Draw(t, "link") == 0 || tree && from == to {
				continue
			}
			for u, p := range part {
				if p == from {
					part[u] = to
				}
			}
			ports[k.A], ports[k.B] = append(ports[k.A], k.APort), append(ports[k.B], k.BPort)
		}
		for h := range model.HostID(n.NumHosts()) {
			if e := n.Host(h); rapid.Bool().Draw(t, "host") {
				ports[e.Switch] = append(ports[e.Switch], e.Port)
			}
		}
		for u, list := range ports {
			if slices.Sort(list); len(list) > 0 {
				group.Entries = append(group.Entries, model.MulticastEntry{Switch: model.SwitchID(u), Ports: list})
			}
		}
		if len(group.Entries) > 0 {
			m.Groups = append(m.Groups, group)
		}
	}
	return m
}

// wait is a packet on a VC: it goes on when one of next is free, or if all is set when all are.
type wait struct {
	at   model.VCID
	next []model.VCID
	all  bool
}

// judge decides by definitions: which VCs packets are on, what each waits for, whether some set of
// VCs blocks itself, and whether a copy returns. It tries all sets of up to 12 VCs.
type judge struct {
	waits []wait
	used  map[model.VCID]bool
	loop  bool
	one   bool         // a packet to one destination waits for one next hop
	table *model.Table // that says on which VCs copies go on; nil for VC 0
}

func newJudge(r model.Relation, table *model.Table, m *model.Multicast, one bool) *judge {
	j := &judge{used: map[model.VCID]bool{}, one: one, table: table}
	n := r.Network()
	for h := range model.HostID(r.Sources()) {
		for d := range model.DestID(r.Destinations()) {
			if model.Sends(r, h, d) {
				for _, k := range r.Inject(h, d, nil) {
					j.unicast(r, model.InjectState(r, h, d, k), map[model.State]bool{})
				}
			}
		}
	}
	for _, g := range m.Groups {
		entries := map[model.SwitchID][]model.Port{}
		for _, e := range g.Entries {
			entries[e.Switch] = e.Ports
		}
		for h := range model.HostID(r.Sources()) {
			at := n.Host(h)
			if len(entries[at.Switch]) > 0 {
				j.copies(r, entries, at.Switch, at.Port, n.VC(n.InjectChannel(h), 0), nil, map[model.VCID]bool{})
			}
		}
	}
	return j
}

func (j *judge) unicast(r model.Relation, s model.State, seen map[model.State]bool) {
	n := r.Network()
	if seen[s] || n.Kind(channel(n, s.VC)) == model.Eject {
		return
	}
	seen[s] = true
	hops := r.Next(s, nil)
	if n.IsLinkVC(s.VC) {
		w := wait{at: s.VC}
		for _, h := range hops {
			w.next = append(w.next, h.VC)
		}
		j.used[s.VC] = true
		switch {
		case j.one:
			for _, v := range w.next {
				j.waits = append(j.waits, wait{at: s.VC, next: []model.VCID{v}})
			}
		case len(w.next) > 0:
			j.waits = append(j.waits, w)
		}
	}
	for _, h := range hops {
		j.unicast(r, model.State{VC: h.VC, Dest: s.Dest, Class: h.Class}, seen)
	}
}

func channel(n *model.Network, v model.VCID) model.ChannelID {
	c, _ := n.Channel(v)
	return c
}

// copies follows a packet that has reached switch u by port p on VC v.
func (j *judge) copies(r model.Relation, entries map[model.SwitchID][]model.Port, u model.SwitchID, p model.Port, v model.VCID, path []model.VCID, done map[model.VCID]bool) {
	n := r.Network()
	if slices.Contains(path, v) {
		j.loop = true
		return
	}
	if done[v] {
		return
	}
	w := wait{at: v, all: true}
	for _, q := range entries[u] {
		if q == p {
			continue
		}
		for _, c := range n.Out(u) {
			if n.TailPort(c) != q {
				continue
			}
			vc := 0
			if j.table != nil {
				vc = j.table.HopVC(channel(n, v), c, 0)
			}
			if vc == model.DropVC {
				continue
			}
			if n.Head(c) == model.NoSwitch {
				w.next = append(w.next, n.VC(c, 0))
				continue
			}
			w.next = append(w.next, n.VC(c, vc))
			j.copies(r, entries, n.Head(c), n.HeadPort(c), n.VC(c, vc), append(slices.Clone(path), v), done)
		}
	}
	done[v] = true
	if n.IsLinkVC(v) {
		j.used[v] = true
		if len(w.next) > 0 {
			j.waits = append(j.waits, w)
		}
	}
}

// blocks reports whether each VC of a set can hold a packet that waits within the set.
func (j *judge) blocks(in func(model.VCID) bool, set []model.VCID) bool {
	return !slices.ContainsFunc(set, func(v model.VCID) bool {
		return !slices.ContainsFunc(j.waits, func(w wait) bool {
			if w.all {
				return w.at == v && slices.ContainsFunc(w.next, in)
			}
			return w.at == v && !slices.ContainsFunc(w.next, func(x model.VCID) bool { return !in(x) })
		})
	})
}

// deadlock reports whether some set of VCs, not empty, blocks itself.
func (j *judge) deadlock() bool {
	var vcs []model.VCID
	for v := range j.used {
		vcs = append(vcs, v)
	}
	slices.Sort(vcs)
	if len(vcs) <= 12 {
		for bits := 1; bits < 1<<len(vcs); bits++ {
			var set []model.VCID
			for i, v := range vcs {
				if bits>>i&1 != 0 {
					set = append(set, v)
				}
			}
			if j.blocks(func(v model.VCID) bool { return slices.Contains(set, v) }, set) {
				return true
			}
		}
		return false
	}
	for set := vcs; len(set) > 0; {
		left := slices.DeleteFunc(slices.Clone(set), func(v model.VCID) bool {
			return !j.blocks(func(x model.VCID) bool { return slices.Contains(set, x) }, []model.VCID{v})
		})
		if len(left) == len(set) {
			return true
		}
		set = left
	}
	return false
}

// TestMulticast compares the verdicts on random tables and random adaptive routings with random
// multicast groups with an exhaustive judge.
func TestMulticast(t *testing.T) {
	seen := map[string]int{}
	for range 10 {
		rapid.Check(t, func(t *rapid.T) { multicastCase(t, seen) })
	}
	t.Log(seen)
	for _, want := range []string{"alone proved, together proved, loop false", "alone proved, together refuted, loop true", "a copy in the deadlock",
		"copies without a schedule, loop true", "flows with a map", "adaptive table with a map"} {
		if seen[want] == 0 {
			t.Errorf("no case of: %s; there were %v", want, seen)
		}
	}
}

// drawRouting draws a routing of a kind. It returns its table, if it has one.
func drawRouting(t *rapid.T, n *model.Network, kind string) (model.Relation, *model.Table) {
	if kind == "adaptive" {
		return modeltest.Adaptive(t, n, 1), nil
	}
	table := modeltest.Table(t, n, rapid.Bool().Draw(t, "classes"))
	n = table.Network()
	switch kind {
	case "flows":
		var flows []model.Flow
		for h := range model.HostID(n.NumHosts()) {
			for to := range model.HostID(n.NumHosts()) {
				if h != to && rapid.Bool().Draw(t, "talks") {
					flows = append(flows, model.Flow{Source: h, Dest: to})
				}
			}
		}
		return model.WithFlows(table, flows), table
	case "adaptive table":
		var groups []model.PortGroup
		for u := range model.SwitchID(n.NumSwitches()) {
			groups = append(groups, model.PortGroup{Out: n.Out(u)[:rapid.IntRange(1, len(n.Out(u))).Draw(t, "ports")]})
		}
		r := model.NewAdaptiveTable(table, groups)
		for d := range model.DestID(table.AllDestinations()) {
			for u := range model.SwitchID(n.NumSwitches()) {
				if n.Host(table.DestinationHost(d)).Switch != u && rapid.Bool().Draw(t, "group") {
					r.SetGroup(u, d, int(u))
				}
			}
		}
		return r, table
	}
	return table, table
}

// multicastCase checks one random network, and counts the results in seen.
func multicastCase(t *rapid.T, seen map[string]int) {
	n := modeltest.Network(t, 5)
	kind := rapid.SampledFrom([]string{"table", "flows", "adaptive table", "adaptive"}).Draw(t, "kind")
	r, table := drawRouting(t, n, kind)
	if m := model.VCMapOf(r); m != nil {
		kind += " with a map"
	}
	seen[kind]++
	m := randomGroups(t, r.Network())
	waiting := rapid.SampledFrom([]model.Waiting{model.WaitAny, model.WaitOne}).Draw(t, "waiting")
	rep, err := verify.Check(context.Background(), r, verify.Options{Conditions: []model.Condition{m}, Waiting: waiting, NoPairs: true,
		Listed: rapid.Bool().Draw(t, "listed")})
	if err != nil {
		t.Fatal(err)
	}
	alone, err := verify.Check(context.Background(), r, verify.Options{Waiting: waiting, NoPairs: true})
	if err != nil {
		t.Fatal(err)
	}
	j := newJudge(r, table, m, waiting == model.WaitOne)
	if want := j.deadlock(); want != (rep.DeadlockFree.Verdict == verify.Refuted) || rep.DeadlockFree.Verdict == verify.Undecided {
		t.Fatalf("deadlock %v, the verdict is %s: %s", want, rep.DeadlockFree.Verdict, rep.DeadlockFree.Reason)
	}
	if want := j.loop || alone.LivelockFree.Verdict == verify.Refuted; want != (rep.LivelockFree.Verdict == verify.Refuted) {
		t.Fatalf("loop of copies %v, of packets %s, the verdict is %s", j.loop, alone.LivelockFree.Verdict, rep.LivelockFree.Verdict)
	}
	if rep.Connected.Verdict != alone.Connected.Verdict || rep.Routes.Pairs != alone.Routes.Pairs {
		t.Fatal("multicast tables change what is connected")
	}
	seen[fmt.Sprintf("alone %s, together %s, loop %v", alone.DeadlockFree.Verdict, rep.DeadlockFree.Verdict, j.loop)]++
	copies := slices.ContainsFunc(rep.Configuration, func(p *cdg.Packet) bool { return p.Group > 0 })
	switch {
	case !copies:
	case rep.Schedule == nil:
		seen[fmt.Sprintf("copies without a schedule, loop %v", j.loop)]++
	default:
		seen["copies with a schedule"]++
		if rep.Waiting == model.WaitOne {
			seen["copies with a schedule, waiting one"]++
		}
		if err := runCopies(rep, m); err != nil {
			t.Fatalf("the schedule %d of %v: %v", rep.Schedule, rep.Configuration, err)
		}
	}
	for _, p := range rep.Configuration {
		if p.Group > 0 && len(rep.Configuration) > 1 {
			seen["a copy in the deadlock"]++
			break
		}
	}
}

// ringOfFour is a ring of four switches whose packets never go on from S1 over S2 to S3.
func ringOfFour(t *testing.T) *model.Table {
	b := model.NewBuilder()
	for range 4 {
		b.AddSwitch(model.Switch{})
	}
	for u := range model.SwitchID(4) {
		b.AddLink(u, 1, (u+1)%4, 2) // port 1 leads on, port 2 back
	}
	for u := range model.SwitchID(4) {
		b.AddHost(model.Host{Switch: u, Port: 3})
	}
	n, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	tab := model.NewTable(n, modeltest.Destinations(n))
	ports := [4][4]model.Port{{3, 1, 1, 2}, {2, 3, 1, 2}, {1, 2, 3, 1}, {1, 1, 2, 3}} // by switch, then destination
	for u, row := range ports {
		for d, p := range row {
			tab.SetPort(model.SwitchID(u), model.DestID(d), p)
		}
	}
	return tab
}

// ringGroup is a tree S3 - S2 - S1 that closes the ring, with hosts 1, 2 and 3.
func ringGroup() *model.Multicast {
	return &model.Multicast{Groups: []model.MulticastGroup{{MLID: 0xc000, Entries: []model.MulticastEntry{
		{Switch: 1, Ports: []model.Port{1, 3}}, {Switch: 2, Ports: []model.Port{1, 2, 3}}, {Switch: 3, Ports: []model.Port{2, 3}},
	}}}}
}

// TestMulticastMutants checks that a certificate whose multicast part is changed is rejected or still
// true.
func TestMulticastMutants(t *testing.T) {
	rep, err := verify.Check(t.Context(), ringOfFour(t), verify.Options{Conditions: []model.Condition{ringGroup()}})
	if err != nil {
		t.Fatal(err)
	}
	if rep.DeadlockFree.Verdict != verify.Refuted || !slices.ContainsFunc(rep.CyclePackets, func(p *cdg.Packet) bool { return p.Group == 1 }) {
		t.Fatalf("%s, the cycle has packets %v", rep.DeadlockFree.Verdict, rep.CyclePackets)
	}
	if text := summary.Text(rep.Certificate); !strings.Contains(text, "multicast: 1 groups, 0xc000 with class 0") {
		t.Errorf("the summary lacks the group:\n%s", text)
	}
	for name, change := range map[string]func(c *cert.Certificate){
		"rows of a table": func(c *cert.Certificate) {
			c.Subject.Multicast.VCRows, c.Subject.Multicast.VCRowOf = &cert.Ints{}, &cert.Ints{}
		},
		"no groups":           func(c *cert.Certificate) { c.Subject.Multicast = nil },
		"empty":               func(c *cert.Certificate) { c.Subject.Multicast.Groups = nil },
		"another class":       func(c *cert.Certificate) { c.Subject.Multicast.Groups[0].Class = 1 },
		"class 16":            func(c *cert.Certificate) { c.Subject.Multicast.Groups[0].Class = 16 },
		"address":             func(c *cert.Certificate) { c.Subject.Multicast.Groups[0].MLID = -1 },
		"no entries":          func(c *cert.Certificate) { c.Subject.Multicast.Groups[0].Entries = nil },
		"entry of no ports":   func(c *cert.Certificate) { c.Subject.Multicast.Groups[0].Entries = cert.Ints{1, 0} },
		"cut off":             func(c *cert.Certificate) { c.Subject.Multicast.Groups[0].Entries = cert.Ints{1, 2, 1} },
		"switches descending": func(c *cert.Certificate) { c.Subject.Multicast.Groups[0].Entries = cert.Ints{2, 1, 1, 1, 1, 1} },
		"ports descending":    func(c *cert.Certificate) { c.Subject.Multicast.Groups[0].Entries = cert.Ints{1, 2, 3, 1} },
		"switch 4":            func(c *cert.Certificate) { c.Subject.Multicast.Groups[0].Entries = cert.Ints{4, 1, 1} },
		"without switch 2":    func(c *cert.Certificate) { c.Subject.Multicast.Groups[0].Entries = cert.Ints{1, 2, 1, 3, 3, 2, 2, 3} },
		"twice": func(c *cert.Certificate) {
			c.Subject.Multicast.Groups = append(c.Subject.Multicast.Groups, c.Subject.Multicast.Groups[0])
		},
		"packet of group 1": func(c *cert.Certificate) { eachGroup(c, func(p *cert.Packet) { *p.Group = 1 }) },
		"packet without":    func(c *cert.Certificate) { eachGroup(c, func(p *cert.Packet) { p.Group = nil }) },
		"packet's source":   func(c *cert.Certificate) { eachGroup(c, func(p *cert.Packet) { p.Source = 0 }) },
		"packet's address":  func(c *cert.Certificate) { eachGroup(c, func(p *cert.Packet) { p.Destination = 0 }) },
		"packet's class":    func(c *cert.Certificate) { eachGroup(c, func(p *cert.Packet) { p.Class = 1 }) },
		"packet's path":     func(c *cert.Certificate) { eachGroup(c, func(p *cert.Packet) { p.Path[2] += 2 }) },
		"class on the path": func(c *cert.Certificate) { eachGroup(c, func(p *cert.Packet) { p.Path[1] = 1 }) },
	} {
		c := clone(t, rep.Certificate)
		if change(c); cert.Check(c) == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if err := cert.Check(clone(t, rep.Certificate)); err != nil {
		t.Error(err)
	}
}

func eachGroup(c *cert.Certificate, visit func(p *cert.Packet)) {
	for i := range c.Claims {
		for j := range c.Claims[i].Packets {
			if p := &c.Claims[i].Packets[j]; p.Group != nil {
				visit(p)
			}
		}
	}
}

func clone(t *testing.T, c *cert.Certificate) *cert.Certificate {
	t.Helper()
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	other := &cert.Certificate{}
	if err := json.Unmarshal(text, other); err != nil {
		t.Fatal(err)
	}
	return other
}

// TestMulticastProofs checks that a proof about tables alone is rejected if the subject has a group
// that closes a cycle or a loop.
func TestMulticastProofs(t *testing.T) {
	rep, err := verify.Check(t.Context(), ringOfFour(t), verify.Options{})
	if err != nil || rep.Verdict() != verify.Proved {
		t.Fatal(rep, err)
	}
	with := func(claims []cert.Claim, entries cert.Ints) error {
		c := clone(t, rep.Certificate)
		c.Claims = claims
		c.Subject.Multicast = &cert.Multicast{Groups: []cert.Group{{MLID: 0xc000, Entries: entries}}}
		return cert.Check(c)
	}
	all := rep.Certificate.Claims
	tree, ring := cert.Ints{1, 2, 1, 3, 2, 3, 1, 2, 3, 3, 2, 2, 3}, cert.Ints{0, 2, 1, 2, 1, 2, 1, 2, 2, 2, 1, 2, 3, 2, 1, 2}
	star := cert.Ints{0, 3, 1, 2, 3, 1, 2, 2, 3, 3, 2, 1, 3}
	for _, c := range []struct {
		name     string
		claims   []cert.Claim
		entries  cert.Ints
		rejected string // what the rejection names, empty if accepted
	}{
		{"a sound tree", all, star, ""},
		{"a tree that closes the ring", all[:2], tree, cert.ClaimAcyclic},
		{"its livelock freedom", all[3:], tree, ""},
		{"a ring", all[:2], ring, cert.ClaimAcyclic},
		{"its livelock freedom", all[3:], ring, cert.ClaimLivelockFree},
		{"its connectedness", all[2:3], ring, ""},
	} {
		err := with(c.claims, c.entries)
		if (err == nil) != (c.rejected == "") || err != nil && !strings.Contains(err.Error(), c.rejected) {
			t.Errorf("%s: %v, want a rejection of %q", c.name, err, c.rejected)
		}
	}
}

// TestMulticastWormhole: an acyclic graph proves nothing of multicast packets under wormhole switching. If the discipline is open, it
// proves the others.
func TestMulticastWormhole(t *testing.T) {
	star := &model.Multicast{Groups: []model.MulticastGroup{{MLID: 0xc000, Entries: []model.MulticastEntry{
		{Switch: 0, Ports: []model.Port{1, 2, 3}}, {Switch: 1, Ports: []model.Port{2, 3}}, {Switch: 3, Ports: []model.Port{1, 3}},
	}}}}
	for _, o := range []verify.Options{{Open: true}, {Switching: model.Wormhole}, {}} {
		o.Conditions = []model.Condition{star}
		rep, err := verify.Check(t.Context(), ringOfFour(t), o)
		if err != nil {
			t.Fatal(err)
		}
		want := verify.Undecided
		if o.Switching == "" && !o.Open {
			want = verify.Proved
		}
		if rep.DeadlockFree.Verdict != want || rep.Acyclic.Verdict != verify.Proved {
			t.Errorf("%v: %s, want %s", o, rep.DeadlockFree.Verdict, want)
		}
		if o.Open && (len(rep.Disciplines) != 2 || rep.Disciplines[0].Claim.Verdict != verify.Proved) {
			t.Errorf("disciplines %v", rep.Disciplines)
		}
		c := clone(t, rep.Certificate)
		c.Subject.Switching, c.Subject.Premises = string(model.Wormhole), nil
		c.Claims = []cert.Claim{c.Claims[0], {Claim: cert.ClaimDeadlockFree, Verdict: cert.Proved, Evidence: cert.EvidenceAcyclic}}
		if err := cert.Check(c); err == nil || !strings.Contains(err.Error(), "shows nothing for multicast packets under wormhole") {
			t.Errorf("a proof by the acyclic graph: %v", err)
		}
	}
}

// TestMulticastOnFlows: flows between all pairs do not change the verdict.
func TestMulticastOnFlows(t *testing.T) {
	decided := 0
	rapid.Check(t, func(t *rapid.T) {
		r := modeltest.Table(t, modeltest.Network(t, 5), rapid.Bool().Draw(t, "classes"))
		m := randomGroups(t, r.Network())
		var flows []model.Flow
		for d := range model.DestID(r.Destinations()) {
			for h := range model.HostID(r.Sources()) {
				if model.Sends(r, h, d) {
					flows = append(flows, model.Flow{Source: h, Dest: r.DestinationHost(d), Amount: 1})
				}
			}
		}
		if len(flows) == 0 {
			return
		}
		want, err := verify.Check(context.Background(), r, verify.Options{Conditions: []model.Condition{m}, NoPairs: true})
		if err != nil {
			t.Fatal(err)
		}
		rep, err := verify.Check(context.Background(), model.WithFlows(r, flows), verify.Options{Conditions: []model.Condition{m}, NoPairs: true})
		switch {
		case err != nil:
			t.Fatal(err)
		case rep.DeadlockFree.Verdict != want.DeadlockFree.Verdict:
			t.Fatalf("%s for flows between all pairs, %s without flows", rep.DeadlockFree.Verdict, want.DeadlockFree.Verdict)
		default:
			decided++
		}
	})
	if decided == 0 {
		t.Error("no case")
	}
}
