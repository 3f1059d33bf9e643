package verify_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// This file runs multicast packets step by step: each VC holds one copy, which stays until all copies made of it have their next
// VCs. It shares no code with the prover and the checker.

// copyRun is a network with copies. The VCs of ports to hosts are always free.
type copyRun struct {
	rel  model.Relation
	m    *model.Multicast
	on   map[model.VCID]int          // by VC between switches: 1 + the packet that is on it
	left map[model.VCID][]model.VCID // by VC: the next VCs that copies still need
}

// underlying returns the table of a relation, or nil.
func underlying(r model.Relation) *model.Table {
	switch r := r.(type) {
	case *model.Table:
		return r
	case *model.AdaptiveTable:
		return r.Table
	case model.Flowing:
		return underlying(r.AllPairs())
	}
	return nil
}

// made returns the next VCs of the copies of a packet of group g on VC v.
func (x *copyRun) made(g int, v model.VCID) (list []model.VCID) {
	n, group := x.rel.Network(), x.m.Groups[g]
	in := channel(n, v)
	for _, e := range group.Entries {
		for _, c := range n.Out(n.Head(in)) {
			if e.Switch != n.Head(in) || !slices.Contains(e.Ports, n.TailPort(c)) || c == n.Reverse(in) {
				continue
			}
			vc := 0
			if t := underlying(x.rel); t != nil {
				vc = t.HopVC(in, c, group.Class)
			}
			if vc != model.DropVC {
				list = append(list, n.VC(c, vc))
			}
		}
	}
	return list
}

// enter puts a copy of packet i on VC v, and notes which copies it needs.
func (x *copyRun) enter(i, g int, v model.VCID) error {
	if x.rel.Network().IsLinkVC(v) {
		if x.on[v] > 0 {
			return fmt.Errorf("packet %d enters VC %d, on which packet %d is", i, v, x.on[v]-1)
		}
		x.on[v] = i + 1
		x.left[v] = x.made(g, v)
	}
	return nil
}

// pass gives the copy of packet i on VC v its next VC to. If it was the last one, VC v is free.
func (x *copyRun) pass(i, g int, v, to model.VCID) error {
	k := slices.Index(x.left[v], to)
	if k < 0 {
		return fmt.Errorf("packet %d has no copy from VC %d to VC %d", i, v, to)
	}
	if err := x.enter(i, g, to); err != nil {
		return err
	}
	if x.left[v] = slices.Delete(x.left[v], k, k+1); len(x.left[v]) == 0 {
		delete(x.on, v)
	}
	return nil
}

// drain delivers the copies of packet i on VC v that are left, one after the other.
func (x *copyRun) drain(i, g int, v model.VCID, depth int) error {
	for len(x.left[v]) > 0 {
		to := x.left[v][0]
		if err := x.pass(i, g, v, to); err != nil || depth > len(x.left)+100 {
			return fmt.Errorf("depth %d: %w", depth, err)
		}
		if x.rel.Network().IsLinkVC(to) {
			if err := x.drain(i, g, to, depth+1); err != nil {
				return err
			}
		}
	}
	delete(x.on, v)
	return nil
}

// runCopies makes the moves of a schedule. It fails unless all packets are then at their places and wait for each other.
func runCopies(rep *verify.Report, m *model.Multicast) error {
	x := &copyRun{rep.Relation, m, map[model.VCID]int{}, map[model.VCID][]model.VCID{}}
	at := make([]int, len(rep.Configuration))
	for _, move := range rep.Schedule {
		i := int(move)
		p := rep.Configuration[i]
		from, to := p.Path[at[i]].VC, p.Path[at[i]+1].VC
		at[i]++
		if p.Group == 0 {
			if x.on[to] > 0 {
				return fmt.Errorf("packet %d enters VC %d, on which packet %d is", i, to, x.on[to]-1)
			}
			delete(x.on, from)
			x.on[to] = i + 1
			continue
		}
		if at[i] == 1 {
			x.left[from] = x.made(p.Group-1, from)
		}
		if err := x.pass(i, p.Group-1, from, to); err != nil {
			return err
		}
		if err := x.drain(i, p.Group-1, from, 0); err != nil {
			return err
		}
	}
	for i, p := range rep.Configuration {
		last := p.Path[len(p.Path)-1]
		waits := x.waits(p, last)
		if rep.Chosen != nil && rep.Chosen[i] >= 0 {
			waits = p.Group == 0 && x.on[rep.Chosen[i]] > 0 && slices.ContainsFunc(rep.Relation.Next(last, nil), func(h model.Hop) bool { return h.VC == rep.Chosen[i] })
		}
		if x.on[last.VC] != i+1 || at[i] != len(p.Path)-1 || !waits {
			return fmt.Errorf("packet %d is not at its place, or does not wait", i)
		}
	}
	if len(x.on) != len(rep.Configuration) {
		return fmt.Errorf("%d VCs are held by %d packets", len(x.on), len(rep.Configuration))
	}
	return nil
}

// waits reports whether packet p waits: a copy, or each next hop, needs a VC that is held.
func (x *copyRun) waits(p *cdg.Packet, at model.State) bool {
	held := func(v model.VCID) bool { return x.on[v] > 0 }
	if p.Group > 0 {
		return slices.ContainsFunc(x.left[at.VC], held)
	}
	return !slices.ContainsFunc(x.rel.Next(at, nil), func(h model.Hop) bool { return !held(h.VC) })
}

// TestMulticastRings: groups along parts of a ring fill it. A run reaches the deadlock, because each tree can deliver its other copies first.
func TestMulticastRings(t *testing.T) {
	possible, impossible := 0, 0
	for switches := 3; switches <= 7; switches++ {
		for length := 2; length < switches; length++ {
			b := model.NewBuilder()
			for range switches {
				b.AddSwitch(model.Switch{})
			}
			for u := range switches {
				b.AddLink(model.SwitchID(u), 1, model.SwitchID((u+1)%switches), 2)
				b.AddHost(model.Host{Switch: model.SwitchID(u), Port: 3})
			}
			n, err := b.Build()
			if err != nil {
				t.Fatal(err)
			}
			m := &model.Multicast{}
			for first := range switches {
				g := model.MulticastGroup{MLID: uint16(0xc000 + first)}
				for u := range switches {
					k := (u - first + switches) % switches
					ports := []model.Port{1, 2, 3}
					if k > length {
						continue
					}
					if k == length {
						ports = ports[1:]
					}
					if k == 0 {
						ports = slices.Delete(ports, 1, 2)
					}
					g.Entries = append(g.Entries, model.MulticastEntry{Switch: model.SwitchID(u), Ports: ports})
				}
				m.Groups = append(m.Groups, g)
			}
			tab := model.NewTable(n, modeltest.Destinations(n))
			for u := range switches {
				for d := range switches {
					port := model.Port(2)
					if u == d {
						port = 3
					}
					tab.SetPort(model.SwitchID(u), model.DestID(d), port)
				}
				tab.SetPort(model.SwitchID(u), model.DestID((u+switches-1)%switches), 2)
			}
			rep, err := verify.Check(t.Context(), tab, verify.Options{Conditions: []model.Condition{m}})
			if err != nil {
				t.Fatal(err)
			}
			copies := slices.ContainsFunc(rep.Configuration, func(p *cdg.Packet) bool { return p.Group > 0 })
			if !copies || rep.Schedule == nil {
				t.Fatalf("%d switches, trees of %d links: %s, copies %v, %s", switches, length, rep.DeadlockFree.Verdict, copies, rep.NotReached)
			}
			if err := runCopies(rep, m); err != nil {
				t.Fatalf("%d switches, trees of %d links: %v", switches, length, err)
			}
			possible, impossible = count(t, fmt.Sprintf("%d switches, trees of %d links", switches, length), rep, m, possible, impossible)
		}
	}
	// In cases 1,069 and 10,547 other copies pass VCs that packets of the deadlock hold later.
	for k := range uint64(longtest.Share(12_000, 40)) {
		seed := k
		if k < 2 {
			seed = []uint64{1069, 10_547}[k]
		}
		rng := rand.New(rand.NewPCG(seed, 8))
		tab, m := drawnTrees(rng)
		rep, err := verify.Check(t.Context(), tab, verify.Options{Conditions: []model.Condition{m}})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if rep.Schedule == nil || !slices.ContainsFunc(rep.Configuration, func(p *cdg.Packet) bool { return p.Group > 0 }) {
			continue
		}
		if err := runCopies(rep, m); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		possible, impossible = count(t, fmt.Sprint("seed ", seed), rep, m, possible, impossible)
	}
	if t.Log(possible, impossible); possible < 100 || impossible < 10 {
		t.Errorf("%d orders of moves are possible, %d are not: the test is too weak", possible, impossible)
	}
}

// drawnTrees draws a network of six switches, two of them with a host, a table, and three trees of groups. Some tables lose packets.
func drawnTrees(rng *rand.Rand) (*model.Table, *model.Multicast) {
	const switches = 6
	b, ports := model.NewBuilder(), [switches]model.Port{}
	for range switches {
		b.AddSwitch(model.Switch{})
	}
	next := func(u int) model.Port { ports[u]++; return ports[u] }
	const hosts = 2
	for u := range hosts {
		b.AddHost(model.Host{Switch: model.SwitchID(u), Port: next(u)})
	}
	type cable struct{ a, b int }
	var cables []cable
	for u := 1; u < switches+4; u++ {
		c := cable{rng.IntN(min(u, switches)), min(u, switches-1)}
		if u < switches || c.a != c.b {
			b.AddLink(model.SwitchID(c.a), next(c.a), model.SwitchID(c.b), next(c.b))
			cables = append(cables, c)
		}
	}
	n, err := b.Build()
	if err != nil {
		panic(err)
	}
	tab := model.NewTable(n, modeltest.Destinations(n))
	for u := range switches {
		for d := range hosts {
			if port := model.Port(1 + rng.IntN(int(ports[u]))); u == d || rng.IntN(3) > 0 {
				tab.SetPort(model.SwitchID(u), model.DestID(d), port)
			}
		}
	}
	for u := range hosts {
		tab.SetPort(model.SwitchID(u), model.DestID(u), 1)
	}
	m := &model.Multicast{}
	for g := range 3 {
		part, entry := [switches]int{0, 1, 2, 3, 4, 5}, [switches][]model.Port{}
		for _, k := range rng.Perm(len(cables)) {
			from, to := part[cables[k].a], part[cables[k].b]
			if from == to || rng.IntN(4) == 0 {
				continue
			}
			for u := range part {
				if part[u] == from {
					part[u] = to
				}
			}
			link := n.Link(model.LinkID(k))
			entry[link.A], entry[link.B] = append(entry[link.A], link.APort), append(entry[link.B], link.BPort)
		}
		group := model.MulticastGroup{MLID: uint16(0xc000 + g)}
		for u, list := range entry {
			if u < hosts {
				list = append(list, 1)
			}
			if len(list) == 0 {
				continue
			}
			slices.Sort(list)
			group.Entries = append(group.Entries, model.MulticastEntry{Switch: model.SwitchID(u), Ports: list})
		}
		m.Groups = append(m.Groups, group)
	}
	return tab, m
}

// count draws orders of the moves of a schedule, and compares the checker with the run of copies. It adds the orders that are possible and those that
// are not.
func count(t *testing.T, name string, rep *verify.Report, m *model.Multicast, possible, impossible int) (int, int) {
	rng := rand.New(rand.NewPCG(1, uint64(len(rep.Schedule))))
	other := *rep
	for range 30 {
		other.Schedule = slices.Clone(rep.Schedule)
		for range 1 + rng.IntN(3) {
			i, j := rng.IntN(len(other.Schedule)), rng.IntN(len(other.Schedule))
			other.Schedule[i], other.Schedule[j] = other.Schedule[j], other.Schedule[i]
		}
		c := clone(t, rep.Certificate)
		c.Claim(cert.ClaimReached).Moves = (*cert.Ints)(&other.Schedule)
		want, got := runCopies(&other, m), cert.Check(c)
		if (want == nil) != (got == nil) {
			t.Fatalf("%s: moves %d: the run says %v, the checker says %v", name, other.Schedule, want, got)
		}
		if want == nil {
			possible++
		} else {
			impossible++
		}
	}
	return possible, impossible
}
