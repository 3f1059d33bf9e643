package mend_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	_ "github.com/turnproof/turnproof/model/format/all"
	"github.com/turnproof/turnproof/model/format/infiniband/lft"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/synth/mend"
	"github.com/turnproof/turnproof/verify"
)

// holds asks the prover, and the checker behind it, whether a table will do.
func holds(t *testing.T, table *model.Table) bool {
	t.Helper()
	rep, err := verify.Check(context.Background(), table, verify.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return rep.Verdict() == verify.Proved
}

func network(t *testing.T, spec string) *model.Network {
	t.Helper()
	n, err := topo.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// randomTable forwards by random links, by whatever port with a small chance, or by none, and
// gives packets random classes up to the given number.
func randomTable(n *model.Network, rng *rand.Rand, classes int) *model.Table {
	table := model.NewTable(n, model.AllAddresses(n))
	for d := range model.DestID(table.Destinations()) {
		h := table.DestinationHost(d)
		for u := range model.SwitchID(n.NumSwitches()) {
			out := n.Out(u)
			switch {
			case n.Host(h).Switch == u && rng.IntN(20) > 0:
				table.SetPort(u, d, n.TailPort(n.EjectChannel(h)))
			case rng.IntN(20) > 0:
				table.SetPort(u, d, n.TailPort(out[rng.IntN(len(out))]))
			}
		}
	}
	if classes > 1 {
		sets := make([]model.ClassSet, table.Destinations()*n.NumHosts())
		for i := range sets {
			sets[i] = 1 << rng.IntN(classes)
		}
		table.SetClasses(sets, nil)
	}
	return table
}

// fewest tries all tables with up to most changes, by number of changes, and returns how many it took.
func fewest(t *testing.T, table *model.Table, most int) int {
	for k := 0; k <= most; k++ {
		if anyWith(t, table, k, 0) {
			return k
		}
	}
	return most + 1
}

// anyWith tries k more changes of entries from number first on.
func anyWith(t *testing.T, table *model.Table, k, first int) bool {
	if k == 0 {
		return holds(t, table)
	}
	n := table.Network()
	for i := first; i < n.NumSwitches()*table.Destinations(); i++ {
		u, d := model.SwitchID(i%n.NumSwitches()), model.DestID(i/n.NumSwitches())
		for _, c := range n.Out(u) {
			if c == table.Row(d)[u] {
				continue
			}
			other := table.Clone()
			other.SetPort(u, d, n.TailPort(c))
			if anyWith(t, other, k-1, i+1) {
				return true
			}
		}
	}
	return false
}

// TestFewest holds the search against all tables with as few changes.
func TestFewest(t *testing.T) {
	rng, found := rand.New(rand.NewPCG(7, 7)), map[int]int{}
	for _, spec := range []string{"ring:4", "line:3", "complete:4", "ring:3"} {
		for i := range 12 {
			table := randomTable(network(t, spec), rng, 1+i%2)
			m, err := mend.Find(context.Background(), table, mend.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if !m.Optimal() || !holds(t, m.Table) {
				t.Fatalf("%s, table %d: %d changes, bound %d, proved %v", spec, i, len(m.Changes), m.Bound, holds(t, m.Table))
			}
			if most := 2; len(m.Changes) <= most+1 {
				if k := fewest(t, table, min(most, len(m.Changes))); k < len(m.Changes) {
					t.Errorf("%s, table %d: %d changes, but %d will do", spec, i, len(m.Changes), k)
				}
				found[len(m.Changes)]++
			}
		}
	}
	if found[1]+found[2]+found[3] < 8 {
		t.Errorf("hardly anything was tried: %v", found)
	}
}

// TestNothingToMend leaves a good table as it is.
func TestNothingToMend(t *testing.T) {
	n := network(t, "line:4")
	table := model.NewTable(n, model.AllAddresses(n))
	for d := range model.DestID(4) {
		for u := range model.SwitchID(4) {
			c := n.EjectChannel(model.HostID(d))
			for _, o := range n.Out(u) {
				if v := n.Head(o); v != model.NoSwitch && (u < model.SwitchID(d) && v > u || u > model.SwitchID(d) && v < u) {
					c = o
				}
			}
			table.SetPort(u, d, n.TailPort(c))
		}
	}
	m, err := mend.Find(context.Background(), table, mend.Options{})
	if err != nil || len(m.Changes) != 0 || !m.Optimal() {
		t.Errorf("%v, %v", m, err)
	}
}

// TestNone checks that hosts without a path give ErrNone.
func TestNone(t *testing.T) {
	var b model.Builder
	for range 2 {
		b.AddHost(model.Host{Switch: b.AddSwitch(model.Switch{}), Port: 1})
	}
	b.SetVCs(1)
	n, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := mend.Find(context.Background(), model.NewTable(n, model.AllAddresses(n)), mend.Options{}); !errors.Is(err, mend.ErrNone) {
		t.Errorf("got %v", err)
	}
}

// fabric reads a bundled fabric's table.
func fabric(t testing.TB, name, engine string) *model.Table {
	t.Helper()
	dir := filepath.Join("../../examples/fabrics", name)
	n, _, err := format.ReadNetwork(filepath.Join(dir, "topology.ibnetdiscover"), format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	table, _, err := lft.Read(filepath.Join(dir, engine, "opensm-lfts.dump.gz"), n, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// TestUpDown mends what OpenSM's up/down engine made of a random network.
func TestUpDown(t *testing.T) {
	table := fabric(t, "random16-d4-s2", "updn")
	if holds(t, table) {
		t.Fatal("there is nothing to mend")
	}
	m, err := mend.Find(context.Background(), table, mend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Changes) != 2 || !m.Optimal() || !holds(t, m.Table) {
		t.Errorf("%d changes, bound %d", len(m.Changes), m.Bound)
	}
	for _, c := range m.Changes {
		one := table.Clone()
		one.SetPort(c.Switch, c.Dest, c.New)
		if holds(t, one) {
			t.Errorf("%v is enough", c)
		}
	}
}

// TestServiceLevels mends a table whose packets differ by service level.
func TestServiceLevels(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for i := range 6 {
		table := randomTable(network(t, "torus:3x3"), rng, 3)
		m, err := mend.Find(context.Background(), table, mend.Options{Time: 2 * time.Second})
		if err != nil {
			t.Fatal(err)
		}
		if !holds(t, m.Table) || m.Bound > len(m.Changes) {
			t.Errorf("table %d: %d changes, bound %d, proved %v", i, len(m.Changes), m.Bound, holds(t, m.Table))
		}
	}
}

func BenchmarkFind(b *testing.B) {
	table := fabric(b, "random16-d4-s2", "updn")
	for b.Loop() {
		m, err := mend.Find(context.Background(), table, mend.Options{})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(len(m.Changes)), "changes")
	}
}
