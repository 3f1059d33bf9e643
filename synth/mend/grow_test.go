package mend

import (
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/synth/sat"
)

// damagedMesh is XY routing on a mesh with k entries that name another port at random.
func damagedMesh(t *testing.T, spec string, k int, random *rand.Rand) *model.Table {
	t.Helper()
	n, err := topo.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	x := n.Grid().Sides[0]
	var dests []model.Destination
	for h := range model.HostID(n.NumHosts()) {
		dests = append(dests, model.Destination{Host: h})
	}
	table := model.NewTable(n, dests)
	for d := range model.DestID(len(dests)) {
		to := n.Host(dests[d].Host)
		for u := range model.SwitchID(n.NumSwitches()) {
			next := u
			switch dx, dy := int(to.Switch)%x-int(u)%x, int(to.Switch)/x-int(u)/x; {
			case dx > 0:
				next++
			case dx < 0:
				next--
			case dy > 0:
				next += model.SwitchID(x)
			case dy < 0:
				next -= model.SwitchID(x)
			}
			for _, c := range n.Out(u) {
				if next == u && c == n.EjectChannel(dests[d].Host) || next != u && n.Head(c) == next {
					table.SetPort(u, d, n.TailPort(c))
				}
			}
		}
	}
	for range k {
		u, d := model.SwitchID(random.IntN(n.NumSwitches())), model.DestID(random.IntN(len(dests)))
		out := n.Out(u)
		table.SetPort(u, d, n.TailPort(out[random.IntN(len(out))]))
	}
	return table
}

// sound reports whether all packets of table arrive and no dependencies close a cycle, by walks
// and by peeling.
func sound(t *testing.T, table *model.Table) bool {
	t.Helper()
	n := table.Network()
	for d := range model.DestID(table.Destinations()) {
		for h := range model.HostID(n.NumHosts()) {
			if !model.Sends(table, h, d) {
				continue
			}
			u := n.Host(h).Switch
			for steps := 0; u != model.NoSwitch; steps++ {
				p, ok := table.Port(u, d)
				c := n.OutAt(u, p)
				if !ok || c == model.NoChannel || steps > n.NumSwitches() {
					return false
				}
				if u = n.Head(c); u == model.NoSwitch && n.HostOf(c) != table.DestinationHost(d) {
					return false
				}
			}
		}
	}
	g, err := cdg.Build(t.Context(), table)
	if err != nil {
		t.Fatal(err)
	}
	_, acyclic := g.Numbering()
	return acyclic
}

// TestGrow: the tables that grow makes are sound, and the bound that needs no search is never
// above the fewest changes, which the exact search finds.
func TestGrow(t *testing.T) {
	old := growAbove
	defer func() { growAbove = old }()
	random := rand.New(rand.NewPCG(1, 3))
	met, total, fewest := 0, 0, 0
	for range 60 {
		table := damagedMesh(t, "mesh:4x3", 1+random.IntN(8), random)
		growAbove = 0
		p := newProblem(table)
		l, err := p.soon(t.Context(), time.Now().Add(time.Minute), DefaultMemory)
		if err != nil || l == nil {
			t.Fatal(l, err)
		}
		if k := len(changes(table, l.table)); !sound(t, l.table) || k != l.total {
			t.Fatalf("%d changes, counted are %d; sound: %v", k, l.total, sound(t, l.table))
		}
		growAbove = old
		e := newExact(newProblem(table), DefaultMemory)
		best, r, err := e.nearest(t.Context(), time.Now().Add(time.Minute), 1<<30)
		if err != nil || r != sat.Sat {
			t.Fatal(r, err)
		}
		k := len(changes(table, best))
		if e.least > k || l.total < k {
			t.Fatalf("the fewest changes are %d, the bound is %d, grown are %d", k, e.least, l.total)
		}
		if e.least == k {
			met++
		}
		total, fewest = total+l.total, fewest+k
	}
	t.Logf("grown %d changes, fewest %d; the bound was met in %d of 60", total, fewest, met)
	if met == 0 || total > 2*fewest {
		t.Errorf("grown %d changes, fewest %d; the bound was met in %d of 60", total, fewest, met)
	}
}

// TestLimits checks that Find returns a table on a network whose formula exceeds its memory, when its
// time is over. A busy machine gets more time.
func TestLimits(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 3))
	table := damagedMesh(t, "mesh:24x24", 300, random)
	limit := 2 * time.Second
	m, err := Find(t.Context(), table, Options{Time: limit, Memory: 64 << 20})
	for errors.Is(err, ErrTime) && limit < time.Minute {
		limit *= 2
		m, err = Find(t.Context(), table, Options{Time: limit, Memory: 64 << 20})
	}
	if err != nil {
		t.Fatal(err)
	}
	if !sound(t, m.Table) || m.Bound > len(m.Changes) || m.Bound < 50 {
		t.Errorf("%d changes, at least %d; sound: %v", len(m.Changes), m.Bound, sound(t, m.Table))
	}
}
