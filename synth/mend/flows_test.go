package mend_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/synth/mend"
)

// This file judges mended tables for some pairs of hosts by walks of each packet. It shares no code with the package.

// serves reports whether the packets of the pairs arrive, and close no cycle of dependencies.
func serves(t *model.Table, flows []model.Flow) bool {
	n, next := t.Network(), map[model.VCID][]model.VCID{}
	for _, x := range flows {
		for d := range model.DestID(t.Destinations()) {
			if t.DestinationHost(d) != x.Dest {
				continue
			}
			for _, k := range t.Inject(x.Source, d, nil) {
				at := n.InjectChannel(x.Source)
				for hops := 0; at != n.EjectChannel(x.Dest); hops++ {
					out := t.Row(d)[n.Head(at)]
					if out < 0 || n.Kind(out) == model.Eject && out != n.EjectChannel(x.Dest) || hops > n.NumSwitches() {
						return false
					}
					if n.Kind(at) != model.Inject && n.Kind(out) != model.Eject {
						next[n.VC(at, int(k))] = append(next[n.VC(at, int(k))], n.VC(out, int(k)))
					}
					at = out
				}
			}
		}
	}
	for removed := true; removed; { // VCs on which no packet waits for one that is left
		removed = false
		for v, list := range next {
			if !slices.ContainsFunc(list, func(w model.VCID) bool { return next[w] != nil }) {
				delete(next, v)
				removed = true
			}
		}
	}
	return len(next) == 0
}

// servedWith reports whether a table serves the pairs after k changes of entries from number first on.
func servedWith(t *model.Table, flows []model.Flow, k, first int) bool {
	if k == 0 {
		return serves(t, flows)
	}
	n := t.Network()
	for i := first; i < n.NumSwitches()*t.Destinations(); i++ {
		u, d := model.SwitchID(i%n.NumSwitches()), model.DestID(i/n.NumSwitches())
		for _, c := range n.Out(u) {
			if c != t.Row(d)[u] {
				other := t.Clone()
				other.SetPort(u, d, n.TailPort(c))
				if servedWith(other, flows, k-1, i+1) {
					return true
				}
			}
		}
	}
	return false
}

// TestFewestOnFlows compares the search for some pairs with all tables of at most two changes.
func TestFewestOnFlows(t *testing.T) {
	rng, found, unlike := rand.New(rand.NewPCG(49, 1)), map[int]int{}, 0
	for i := range longtest.Cases(120, 4000) {
		spec := []string{"ring:4", "line:3", "complete:4", "ring:3", "ring:5"}[i%5]
		table := randomTable(network(t, spec), rng, 1+rng.IntN(2))
		var flows []model.Flow
		for range 1 + rng.IntN(8) {
			if a, b := rng.IntN(table.Sources()), rng.IntN(table.Sources()); a != b {
				flows = append(flows, model.Flow{Source: model.HostID(a), Dest: model.HostID(b), Amount: 1})
			}
		}
		if len(flows) == 0 {
			continue
		}
		given := table.Clone()
		m, err := mend.Find(t.Context(), table, mend.Options{Flows: flows})
		if err != nil {
			t.Fatal(err)
		}
		if !m.Optimal() || !serves(m.Table, flows) {
			t.Fatalf("%s, table %d, %v: %d changes, bound %d, serves %v", spec, i, flows, len(m.Changes), m.Bound, serves(m.Table, flows))
		}
		for _, x := range m.Changes {
			given.SetPort(x.Switch, x.Dest, x.New)
		}
		if !serves(given, flows) || m.Table.Classes() != table.Classes() {
			t.Fatalf("%s, table %d: the changes make another table", spec, i)
		}
		k := 0
		for k < min(3, len(m.Changes)) && !servedWith(table, flows, k, 0) {
			k++
		}
		if k < min(3, len(m.Changes)) {
			t.Errorf("%s, table %d, %v: %d changes, but %d are enough", spec, i, flows, len(m.Changes), k)
		}
		if found[len(m.Changes)]++; len(m.Changes) > 0 && !serves(m.Table, everyPair(table)) {
			unlike++
		}
	}
	t.Logf("tables by number of changes: %v; %d do not serve all pairs", found, unlike)
	if found[1] < 10 || found[2] < 10 || unlike < 20 {
		t.Error("few tables needed a change")
	}
}

func everyPair(t *model.Table) (list []model.Flow) {
	for a := range model.HostID(t.Sources()) {
		for b := range model.HostID(t.Sources()) {
			if a != b {
				list = append(list, model.Flow{Source: a, Dest: b})
			}
		}
	}
	return list
}
