package verify_test

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/crosscheck"
	"github.com/turnproof/turnproof/verify/smt"
)

// TestClassesThatPart checks two service levels that share a VL and separate later. On a ring of
// four, packets from s3 to s2 use SL 1 (VLs 0, 1, 0) or SL 2 (VLs 0, 2, 1). SL 3 uses VL 1 on
// (c1,c2), (c2,c3) and (c3,c0). A relation without classes lets a packet move from VL 1 of c0
// to VL 1 of c1, which no packet does. This closes a cycle that does not exist.
func TestClassesThatPart(t *testing.T) {
	b := model.NewBuilder()
	for range 4 {
		b.AddSwitch(model.Switch{})
	}
	for u := range model.SwitchID(4) {
		b.AddLink(u, 1, (u+1)%4, 2) // channel c_u is 2u
		b.AddHost(model.Host{Switch: u, Port: 3})
		b.AddHost(model.Host{Switch: u, Port: 4})
	}
	n, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	tab := model.NewTable(n, modeltest.Destinations(n))
	for d := range model.DestID(8) {
		for u := range model.SwitchID(4) {
			tab.SetPort(u, d, 1)
		}
		h := n.Host(tab.DestinationHost(d))
		tab.SetPort(h.Switch, d, h.Port)
	}
	// Other pairs use SL 4, which has VL 3 alone and is dropped before a second hop.
	sets := make([]model.ClassSet, 64)
	for i := range sets {
		sets[i] = 1 << 4
	}
	send := func(from, to, sl int) { sets[to*8+from] = 1 << sl }
	send(6, 4, 1) // s3 to s2, first host
	send(7, 4, 2) // and second
	send(2, 6, 3) // s1 to s3 over c1, c2
	send(4, 0, 3) // s2 to s0 over c2, c3
	send(6, 2, 3) // s3 to s1 over c3, c0
	m := model.NewVCMap(n)
	for u := range model.SwitchID(4) {
		for in := range n.Out(u) {
			for out := range n.Out(u) {
				m.Set(n, u, in, out, 1, 0)
				m.Set(n, u, in, out, 2, 0)
				m.Set(n, u, in, out, 3, 1)
				m.Set(n, u, in, out, 4, 3)
			}
		}
		m.Set(n, u, 1, 0, 4, model.DropVC) // in by port 2, out by port 1
	}
	m.Set(n, 0, 1, 0, 1, 1) // c3 -> c0: SL 1 on VL 1, SL 2 on VL 2
	m.Set(n, 0, 1, 0, 2, 2)
	m.Set(n, 1, 1, 0, 1, 0) // c0 -> c1: SL 1 on VL 0, SL 2 on VL 1
	m.Set(n, 1, 1, 0, 2, 1)
	tab.SetClasses(sets, m)

	rep := check(t, tab)
	if rep.DeadlockFree.Verdict != verify.Proved {
		t.Errorf("with classes: %s, cycle %v", rep.DeadlockFree.Verdict, rep.Cycle)
	}
	blind := check(t, forgetClasses(tab))
	if blind.Acyclic.Verdict != verify.Refuted || len(blind.Cycle) != 4 {
		t.Errorf("without classes: %s, cycle %v: this case no longer tells the two apart", blind.Acyclic.Verdict, blind.Cycle)
	}
}

// forgetClasses returns the table as a relation without classes: a packet may take the hops of
// any service level in use for its destination.
func forgetClasses(t *model.Table) model.Relation {
	n := t.Network()
	r := &modeltest.Relation{Net: n}
	used := make([]model.ClassSet, t.Destinations())
	for d := range model.DestID(t.Destinations()) {
		r.Dests = append(r.Dests, t.DestinationHost(d))
		for h := range model.HostID(t.Sources()) {
			if model.Sends(t, h, d) {
				used[d] |= t.ClassesOf(h, d)
			}
		}
	}
	r.NextHops = func(s model.State) (hops []model.Hop) {
		for k := range model.Class(model.MaxClasses) {
			if used[s.Dest]>>k&1 != 0 {
				for _, h := range t.Next(model.State{VC: s.VC, Dest: s.Dest, Class: k}, nil) {
					hops = append(hops, model.Hop{VC: h.VC})
				}
			}
		}
		return hops
	}
	return r
}

// hidden hides from verify that a relation is a table.
type hidden struct{ model.Relation }

// TestTableEqualsRelation checks that the verdicts of tables, decided by walks, equal those of
// relations, decided by states, and that the checker accepts both.
func TestTableEqualsRelation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := modeltest.Network(t, 5)
		tab := modeltest.Table(t, n, rapid.Bool().Draw(t, "classes"))
		if rapid.Bool().Draw(t, "management") {
			tab = tab.WithManagement(model.AllManagement)
		}
		a, b := rapidCheck(t, tab), rapidCheck(t, hidden{tab})
		for i, c := range a.Claims() {
			if o := b.Claims()[i]; c.Verdict != o.Verdict {
				t.Fatalf("%s: as a table %s, as a relation %s", c.Name, c.Verdict, o.Verdict)
			}
		}
		if a.Routes.Pairs != b.Routes.Pairs || a.Routes.Unreachable != b.Routes.Unreachable {
			t.Fatalf("pairs %d, unreachable %d; as a relation %d, %d", a.Routes.Pairs, a.Routes.Unreachable, b.Routes.Pairs, b.Routes.Unreachable)
		}
		if a.Routes.Loop == nil && a.Routes.Longest != b.Routes.Longest {
			t.Fatalf("longest %d, as a relation %d", a.Routes.Longest, b.Routes.Longest)
		}
		if (a.Acyclic.Verdict == verify.Proved) != (a.DeadlockFree.Verdict == verify.Proved) {
			t.Fatalf("deterministic, acyclic %s, deadlock-free %s", a.Acyclic.Verdict, a.DeadlockFree.Verdict)
		}
	})
}

func rapidCheck(t *rapid.T, r model.Relation) *verify.Report {
	rep, err := verify.Check(context.Background(), r, verify.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

// TestExactRule compares the elimination with the definition by every set of VCs. The relations have
// fixed seeds, so the counts at the end are fixed.
func TestExactRule(t *testing.T) {
	draw := rapid.Custom(func(t *rapid.T) *modeltest.Relation {
		return modeltest.Adaptive(t, smallRing(t), rapid.IntRange(1, 2).Draw(t, "classes"))
	})
	var acyclic, refuted, cyclicButFree, unreachable int
	for seed := range 1500 {
		r := draw.Example(seed)
		rep := check(t, r)
		want := naiveDeadlock(r)
		if got := rep.DeadlockFree.Verdict == verify.Refuted || rep.DeadlockFree.ByUnreachable(); got != want {
			t.Fatalf("seed %d: refuted %v, by all sets of VCs %v", seed, got, want)
		}
		switch {
		case rep.DeadlockFree.ByUnreachable():
			unreachable++
		case want:
			refuted++
		case rep.Acyclic.Verdict == verify.Refuted:
			cyclicButFree++
		default:
			acyclic++
		}
	}
	if acyclic < 50 || refuted < 50 || cyclicButFree < 50 || unreachable == 0 {
		t.Errorf("the cases do not tell: %d acyclic, %d refuted, %d free with a cyclic graph, %d unreachable", acyclic, refuted, cyclicButFree, unreachable)
	}
}

// smallRing draws two or three switches in a ring, a host each, 12 VCs at most.
func smallRing(t *rapid.T) *model.Network {
	switches := rapid.IntRange(2, 3).Draw(t, "switches")
	b := model.NewBuilder()
	for u := range model.SwitchID(switches) {
		b.AddSwitch(model.Switch{})
		b.AddHost(model.Host{Switch: u, Port: 3})
	}
	for u := range switches {
		b.AddLink(model.SwitchID(u), 1, model.SwitchID((u+1)%switches), 2)
	}
	b.SetVCs(rapid.IntRange(1, 5-switches).Draw(t, "VCs"))
	n, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// naiveDeadlock reports whether some set of VCs is a deadlock configuration.
func naiveDeadlock(r model.Relation) bool {
	n := r.Network()
	waits := map[model.VCID][]uint32{} // by VC: sets of next VCs; 1<<31: may eject
	x := cdg.NewExplorer(r)
	for d := range model.DestID(r.Destinations()) {
		s := x.Explore(d)
		for i, st := range s.States {
			hops, _ := s.HopsOf(i)
			if !n.IsLinkVC(st.VC) || len(hops) == 0 {
				continue
			}
			var set uint32
			for _, h := range hops {
				if n.IsLinkVC(h.VC) {
					set |= 1 << h.VC
				} else {
					set |= 1 << 31
				}
			}
			waits[st.VC] = append(waits[st.VC], set)
		}
	}
	for k := uint32(1); k < 1<<n.NumLinkVCs(); k++ {
		config := true
		for v := range model.VCID(n.NumLinkVCs()) {
			if k>>v&1 != 0 && !slices.ContainsFunc(waits[v], func(set uint32) bool { return set&^k == 0 }) {
				config = false
				break
			}
		}
		if config {
			return true
		}
	}
	return false
}

// TestZ3Agrees checks that Z3, if this build has it, agrees with graph search.
func TestZ3Agrees(t *testing.T) {
	if !smt.Available() {
		t.Skip("built without Z3")
	}
	tables := rapid.Custom(func(t *rapid.T) model.Relation {
		return modeltest.Table(t, modeltest.Network(t, 4), rapid.Bool().Draw(t, "classes"))
	})
	adaptive := rapid.Custom(func(t *rapid.T) model.Relation { return modeltest.Adaptive(t, smallRing(t), 1) })
	for seed := range longtest.Share(12, 6) {
		for _, r := range []model.Relation{tables.Example(seed), adaptive.Example(seed)} {
			if said, err := crosscheck.Check(context.Background(), check(t, r), time.Minute); err != nil || len(said) != 4 {
				t.Errorf("seed %d: %q, %v", seed, said, err)
			}
		}
	}
}

// openWorms is an adaptive ring of four in which packets of one VC cannot block
// each other. No set of VCs of one index is an escape. Packets go
// clockwise on either VC, and on one link only on VC 1, on another on VC 0.
func openWorms() *modeltest.Relation {
	n, err := topo.Ring(4, topo.Options{VCs: 2})
	if err != nil {
		panic(err)
	}
	r := &modeltest.Relation{Net: n, Dests: []model.HostID{0, 1, 2, 3}}
	r.NextHops = func(s model.State) []model.Hop {
		c, _ := n.Channel(s.VC)
		u, to := n.Head(c), n.Host(r.Dests[s.Dest]).Switch
		out := n.OutAt(u, 1)
		switch {
		case u == to:
			return []model.Hop{{VC: n.VC(n.EjectChannel(r.Dests[s.Dest]), 0)}}
		case u < to && u%2 == 0: // the wraparound channel is not ahead, or no longer
			return []model.Hop{{VC: n.VC(out, 1)}}
		case u < to:
			return []model.Hop{{VC: n.VC(out, 0)}, {VC: n.VC(out, 1)}}
		}
		return []model.Hop{{VC: n.VC(out, 0)}}
	}
	return r
}

// TestWormhole checks that a cycle is a deadlock of short packets, and that an escape is a proof.
func TestWormhole(t *testing.T) {
	for name, c := range map[string]struct {
		r    model.Relation
		want verify.Verdict
	}{
		"torus 3x3, table":   {modeltest.Torus(3, 1), verify.Proved},
		"torus 4x4, table":   {modeltest.Torus(4, 1), verify.Refuted},
		"duato":              {named(t, "torus:4x4,vcs=3", "duato", route.Options{}), verify.Proved},
		"duato, one escape":  {named(t, "torus:4x4,vcs=2", "duato", route.Options{EscapeVCs: 1}), verify.Refuted},
		"duato on a mesh":    {named(t, "mesh:4x4,vcs=2", "duato", route.Options{}), verify.Proved},
		"escape not named":   {whole{named(t, "mesh:4x4,vcs=2", "duato", route.Options{})}, verify.Proved},
		"an escape by state": {openWorms(), verify.Proved},
		"worms, large mesh":  {named(t, "mesh:11x11,vcs=2", "duato-nonminimal", route.Options{}), verify.Refuted},
		"minimal, unlimited": {named(t, "mesh:3x3", "minimal", route.Options{}), verify.Refuted},
	} {
		rep, err := verify.Check(context.Background(), c.r, verify.Options{Switching: model.Wormhole})
		if err != nil {
			t.Fatal(err)
		}
		if rep.DeadlockFree.Verdict != c.want {
			t.Errorf("%s: %s, want %s (%s)", name, rep.DeadlockFree.Verdict, c.want, rep.DeadlockFree.Reason)
		}
	}
}

// TestWormsAreJudged checks that the search finds worms that block each other where smaller deadlocks do not
// exist, and that the checker rejects changed worms.
func TestWormsAreJudged(t *testing.T) {
	rep, err := verify.Check(context.Background(), named(t, "torus:3x2,vcs=3", "duato-nonminimal", route.Options{}), verify.Options{Switching: model.Wormhole})
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := cert.Write(&file, rep.Certificate); err != nil {
		t.Fatal(err)
	}
	copied := func() *cert.Certificate {
		c, err := cert.Read(bytes.NewReader(file.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	if rep.DeadlockFree.Verdict != verify.Refuted || len(rep.Holds) != len(rep.Configuration) || slices.Max(rep.Holds) < 2 {
		t.Fatalf("%s, %d packets that hold %v", rep.DeadlockFree.Verdict, len(rep.Configuration), rep.Holds)
	}
	at := slices.IndexFunc(rep.Certificate.Claims, func(c cert.Claim) bool { return c.Evidence == cert.EvidenceWorms })
	changes := map[string]func(c *cert.Claim){
		"a packet less": func(c *cert.Claim) { c.Packets, *c.Holds = c.Packets[1:], (*c.Holds)[1:] },
		"a count less":  func(c *cert.Claim) { *c.Holds = (*c.Holds)[1:] },
		"order":         func(c *cert.Claim) { slices.Reverse(c.Packets); slices.Reverse(*c.Holds) },
		"nothing held":  func(c *cert.Claim) { (*c.Holds)[0] = 0 },
		"all held":      func(c *cert.Claim) { (*c.Holds)[0] = int32(len(c.Packets[0].Path)) },
		"the source":    func(c *cert.Claim) { c.Packets[0].Source++ },
		"the path":      func(c *cert.Claim) { c.Packets[0].Path = c.Packets[0].Path[:len(c.Packets[0].Path)-2] },
		"none":          func(c *cert.Claim) { c.Packets, c.Holds = nil, nil },
		"as short ones": func(c *cert.Claim) { c.Evidence, c.Holds = cert.EvidenceConfiguration, nil },
	}
	for i, k := range rep.Holds {
		if k > 1 {
			changes["short "+string(rune('a'+i))] = func(c *cert.Claim) { (*c.Holds)[i] = 1 }
		}
	}
	short := 0
	for what, change := range changes {
		c := copied()
		change(&c.Claims[at])
		err := cert.Check(c)
		if err == nil && strings.HasPrefix(what, "short ") { // a worm that need not be so long
			short++
			continue
		}
		if err == nil {
			t.Errorf("changed %s: accepted", what)
		}
	}
	if short == len(rep.Holds) {
		t.Error("no worm needs its length")
	}
	c := copied()
	if c.Subject.Switching = "vct"; cert.Check(c) == nil {
		t.Error("worms are accepted for virtual cut-through")
	}
}

// TestRefutedBeforeUndecided checks that one refuted claim refutes, even if another is undecided.
func TestRefutedBeforeUndecided(t *testing.T) {
	r := openWorms()
	next := r.NextHops
	r.NextHops = func(s model.State) []model.Hop { // a dead end at host 3
		if c, _ := r.Net.Channel(s.VC); s.Dest == 3 && r.Net.Head(c) == 3 {
			return nil
		}
		return next(s)
	}
	rep, err := verify.Check(context.Background(), r, verify.Options{Switching: model.Wormhole, NoSearch: true})
	if err != nil {
		t.Fatal(err)
	}
	if rep.DeadlockFree.Verdict != verify.Undecided || rep.Connected.Verdict != verify.Refuted || rep.Verdict() != verify.Refuted {
		t.Errorf("deadlock-free %s, connected %s, in all %s", rep.DeadlockFree.Verdict, rep.Connected.Verdict, rep.Verdict())
	}
}

// TestLargeKnot checks that a deadlock of thousands of VCs is found in less than quadratic time and
// shown completely.
func TestLargeKnot(t *testing.T) {
	const k = 3000
	b := model.NewBuilder()
	for u := range model.SwitchID(k) {
		b.AddSwitch(model.Switch{})
		b.AddLink(u, 1, (u+1)%k, 2)
	}
	for h := range model.SwitchID(3) {
		b.AddHost(model.Host{Switch: h * k / 3, Port: 3})
	}
	n, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	r := &modeltest.Relation{Net: n, Dests: []model.HostID{0, 1, 2}}
	r.NextHops = func(s model.State) []model.Hop {
		c, _ := n.Channel(s.VC)
		if u := n.Head(c); u == n.Host(r.Dests[s.Dest]).Switch {
			return []model.Hop{{VC: n.VC(n.EjectChannel(r.Dests[s.Dest]), 0)}}
		}
		return []model.Hop{{VC: n.VC(n.OutAt(n.Head(c), 1), 0)}}
	}
	if rep := check(t, r); len(rep.Configuration) != k || len(rep.Cycle) != k {
		t.Errorf("configuration of %d, cycle of %d, want %d", len(rep.Configuration), len(rep.Cycle), k)
	}
}

// TestVerdictsDoNotDependOnNumbers checks that renumbered switches, or reversed packets, do not change
// the verdicts.
func TestVerdictsDoNotDependOnNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tab := modeltest.Table(t, modeltest.Network(t, 5), false)
		n := tab.Network()
		perm := rapid.Permutation(slices.Collect(ids(n.NumSwitches()))).Draw(t, "order")
		a, b := rapidCheck(t, tab), rapidCheck(t, relabel(tab, perm))
		if a.Verdict() != b.Verdict() || len(a.Cycle) != len(b.Cycle) || a.Routes.Unreachable != b.Routes.Unreachable || a.Graph.NumDependencies() != b.Graph.NumDependencies() {
			t.Fatalf("%s, cycle %d, unreachable %d, %d dependencies; relabelled %s, %d, %d, %d", a.Verdict(), len(a.Cycle), a.Routes.Unreachable, a.Graph.NumDependencies(),
				b.Verdict(), len(b.Cycle), b.Routes.Unreachable, b.Graph.NumDependencies())
		}
	})
}

func ids(n int) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

// relabel gives switch u the number perm[u].
func relabel(t *model.Table, perm []int) *model.Table {
	n, b := t.Network(), model.NewBuilder()
	inverse := make([]int, len(perm))
	for u, v := range perm {
		inverse[v] = u
	}
	for _, u := range inverse {
		b.AddSwitch(*n.Switch(model.SwitchID(u)))
	}
	for l := n.NumLinks() - 1; l >= 0; l-- {
		k := n.Link(model.LinkID(l))
		b.AddLink(model.SwitchID(perm[k.B]), k.BPort, model.SwitchID(perm[k.A]), k.APort)
	}
	for h := range model.HostID(n.NumEndpoints()) {
		e := *n.Host(h)
		e.Switch = model.SwitchID(perm[e.Switch])
		b.AddHost(e)
	}
	m, err := b.Build()
	if err != nil {
		panic(err)
	}
	out := model.NewTable(m, modeltest.Destinations(m))
	for d := range model.DestID(t.AllDestinations()) {
		for u := range model.SwitchID(n.NumSwitches()) {
			if p, ok := t.Port(u, d); ok {
				out.SetPort(model.SwitchID(perm[u]), d, p)
			}
		}
	}
	return out
}
