package ethernet

import (
	"slices"

	"github.com/turnproof/turnproof/model/format/ethernet/control"
	"github.com/turnproof/turnproof/model/format/ethernet/symmetric"
)

// This file finds AS numbers without which BGP has no valley paths. A switch passes routes between two switches above it. The one above rejects
// them if its own number is on their AS path, as when both have one number (RFC 7938, section 5.2).

// mostRounds limits how often further switches get one number.
const mostRounds = 8

// FindASChange sets ASChange if there are valley paths, the dumps state all AS numbers, and the model of BGP computes the routes of the dumps.
// It gives one number to the switches above each valley, as long as there are some. It leaves ASChange nil if that does not help.
func (f *Found) FindASChange() {
	if f.ValleyPaths == nil || *f.ValleyPaths == 0 || f.fabric == nil {
		return
	}
	as, err := f.fabric.ASNumbers("")
	if err != nil {
		return
	}
	how, err := f.fabric.NewRerouting("bgp", as)
	if err != nil || how.Judged() != "" {
		return
	}
	sets, list := symmetric.NewSets(len(as)), f.Valleys
	for range mostRounds {
		fresh := f.fabric.join(sets, list, how.network.AS)
		if fresh == nil || (&control.Network{Near: how.network.Near, AS: fresh}).CheckAS(f.fabric.SwitchName) != nil {
			return
		}
		how.network.AS = fresh
		b := f.fabric.without(Down{})
		if b.reroute(f.fabric.b, how, Down{}) != nil {
			return
		}
		rel, err := b.build()
		if err != nil {
			return
		}
		v := b.findValleys(rel)
		switch {
		case v == nil:
			return
		case v.Paths == 0:
			f.ASChange = &ASChange{f.fabric.setsOf(sets), b.lost(rel) - f.fabric.b.lost(f.fabric.rel)}
			return
		}
		list = v.List
	}
}

// join joins the switches above each valley, and returns AS numbers that are the same in each set. It returns nil if no sets are joined.
func (f *Fabric) join(sets symmetric.Sets, list []Valley, as []uint32) []uint32 {
	index := map[string]int{}
	for u := range as {
		index[f.SwitchName(u)] = u
	}
	fresh, isNew := slices.Clone(as), false
	for _, v := range list {
		a, b := index[v.Bend[0]], index[v.Bend[2]]
		isNew = isNew || sets.Find(a) != sets.Find(b)
		sets.Join(a, b)
	}
	if !isNew {
		return nil
	}
	for u := range fresh {
		fresh[u] = as[sets.Find(u)]
	}
	return fresh
}

// setsOf returns the names of the sets with several switches.
func (f *Fabric) setsOf(sets symmetric.Sets) (list [][]string) {
	at := map[int]int{}
	for u := range f.Switches() {
		root := sets.Find(u)
		if _, ok := at[root]; !ok {
			at[root] = len(list)
			list = append(list, nil)
		}
		list[at[root]] = append(list[at[root]], f.SwitchName(u))
	}
	return slices.DeleteFunc(list, func(names []string) bool { return len(names) < 2 })
}

// lost counts the pairs of host prefix and destination some of whose frames do not arrive. Frames do not circle.
func (b *builder) lost(r *relation) (n int64) {
	dests := make([]int64, len(b.rows)) // by class
	for d := range r.host {
		dests[r.class[d]]++
	}
	for c := range b.rows {
		arrives := make([]int8, len(b.switches)) // 1: all frames, -1: not all
		homes := b.hosts[b.host[c]].homes
		var visit func(u int) bool
		visit = func(u int) bool {
			if arrives[u] != 0 {
				return arrives[u] > 0
			}
			all := b.rows[c][u] >= 0
			if all {
				h := &b.fibs[u].hops[b.rows[c][u]]
				all = !h.discard && !h.tunnel && (!h.local || slices.Contains(homes, u)) && (h.local || len(h.ports) > 0)
			}
			b.nextSwitches(c, u, func(v int) { all = visit(v) && all })
			arrives[u] = -1
			if all {
				arrives[u] = 1
			}
			return all
		}
		for _, h := range b.hosts {
			if slices.ContainsFunc(h.homes, func(u int) bool { return !slices.Contains(homes, u) && !visit(u) }) {
				n += dests[c]
			}
		}
	}
	return n
}
