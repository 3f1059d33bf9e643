package cdg_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/topo"
)

// TestPairs counts by the switches that packets pass, on random tables with two service levels.
func TestPairs(t *testing.T) {
	n, err := topo.Parse("torus:3x3,hosts=2")
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(5, 8))
	for range 10 {
		table := model.NewTable(n, model.AllAddresses(n))
		for d := range model.DestID(table.Destinations()) {
			h := table.DestinationHost(d)
			for u := range model.SwitchID(n.NumSwitches()) {
				p := n.TailPort(n.EjectChannel(h))
				if n.Host(h).Switch != u {
					p = n.TailPort(n.Out(u)[rng.IntN(4)])
				}
				table.SetPort(u, d, p)
			}
		}
		sets := make([]model.ClassSet, table.Destinations()*n.NumHosts())
		for i := range sets {
			sets[i] = model.ClassSet(rng.IntN(4))
		}
		table.SetClasses(sets, nil)
		g, err := cdg.Build(context.Background(), table)
		if err != nil {
			t.Fatal(err)
		}
		deps := slices.Collect(g.All())
		got, err := cdg.Pairs(context.Background(), table, deps)
		if err != nil {
			t.Fatal(err)
		}
		for i, dep := range deps {
			if want := pairsOf(table, dep); got[i] != want || want == 0 {
				t.Fatalf("%v: %d pairs, want %d", dep, got[i], want)
			}
		}
	}
}

// pairsOf counts the pairs whose path uses one channel directly after another.
func pairsOf(t *model.Table, dep model.Turn) (count int64) {
	n := t.Network()
	a, i := n.Channel(dep.In)
	b, k := n.Channel(dep.Out)
	for d := range model.DestID(t.Destinations()) {
		for h := range model.HostID(n.NumHosts()) {
			if t.DestinationHost(d) == h || i != k || t.ClassesOf(h, d)>>i&1 == 0 {
				continue
			}
			u, before := n.Host(h).Switch, model.NoChannel
			for range 2 * n.NumSwitches() {
				p, _ := t.Port(u, d)
				c := n.OutAt(u, p)
				if before == a && c == b {
					count++
					break
				}
				if before, u = c, n.Head(c); u == model.NoSwitch {
					break
				}
			}
		}
	}
	return count
}
