package vlans

import (
	"context"
	"math/bits"
	"slices"
)

// This file computes a lower bound of the number of VLANs: a set of demands of which no two fit
// into one tree needs one VLAN each.
//
// Two paths fit into one tree iff the union of their links has no cycle. Each path is connected,
// so this holds iff they share no switch, or one link less than they share switches.

// mostForClashes is the largest number of demands that are compared pairwise.
const mostForClashes = 1 << 14

// row is a set of small numbers, as a bit mask.
type row []uint64

func newRow(size int) row { return make(row, (size+63)/64) }
func (r row) set(i int)   { r[i/64] |= 1 << (i % 64) }
func (r row) common(s row) (k int) {
	for i, w := range r {
		k += bits.OnesCount64(w & s[i])
	}
	return k
}

// shape is a path, as the sets of its links and switches.
type shape struct{ links, switches row }

func (p *Paths) shapes(d *Demand) []shape {
	list := make([]shape, len(d.Ways))
	for i, way := range d.Ways {
		s := shape{newRow(p.Net.NumLinks()), newRow(p.Net.NumSwitches())}
		for _, l := range way {
			k := p.Net.Link(l)
			s.links.set(int(l))
			s.switches.set(int(k.A))
			s.switches.set(int(k.B))
		}
		list[i] = s
	}
	return list
}

// clash reports whether no path of a and path of b fit into one tree.
func clash(a, b []shape) bool {
	for _, p := range a {
		for _, q := range b {
			if shared := p.switches.common(q.switches); shared == 0 || p.links.common(q.links) == shared-1 {
				return false
			}
		}
	}
	return true
}

// bound computes lower bounds, by counting and by a set of demands that clash, and stores the
// better one in f.found.
func (f *finder) bound(ctx context.Context) {
	f.found.Bound = min(1, len(f.demands))
	if f.found.Layers > 1 || len(f.demands) == 0 {
		return
	}
	if k, demands, links := f.counting(); k > f.found.Bound {
		f.found.Bound, f.found.By, f.found.Counted, f.found.Links = k, ByCount, demands, links
	}
	var list []int32 // demands that may be in a set of clashing demands
	for _, i := range f.demands {
		if !f.Demands[i].More {
			list = append(list, i)
		}
	}
	if len(list) > mostForClashes {
		list = list[:mostForClashes]
	}
	near := f.clashes(ctx, list)
	for range 4 * len(list) {
		if ctx.Err() != nil || f.found.Bound == f.found.VLANs {
			return
		}
		if members := f.clique(near); len(members) > f.found.Bound {
			f.found.Bound, f.found.By, f.found.Clash = len(members), ByClash, nil
			for _, k := range members {
				f.found.Clash = append(f.found.Clash, list[k])
			}
			slices.Sort(f.found.Clash)
		}
	}
}

// clashes returns, for each demand of list, the set of indices in list of the demands with which
// it clashes.
func (f *finder) clashes(ctx context.Context, list []int32) []row {
	shapes, near := make([][]shape, len(list)), make([]row, len(list))
	for a, i := range list {
		shapes[a], near[a] = f.shapes(&f.Demands[i]), newRow(len(list))
	}
	for a := range list {
		if a%64 == 0 && ctx.Err() != nil {
			break
		}
		for b := range a {
			if clash(shapes[a], shapes[b]) {
				near[a].set(b)
				near[b].set(a)
			}
		}
	}
	return near
}

// clique builds a set of demands that clash pairwise, as indices. It starts with a random demand.
// In each step it draws some candidates and adds the one that leaves the most further candidates.
func (f *finder) clique(near []row) (members []int) {
	const drawn = 24
	k := f.drawn.IntN(len(near))
	left := slices.Clone(near[k])
	members = append(members, k)
	for {
		var places []int
		for w, word := range left {
			for ; word != 0; word &= word - 1 {
				places = append(places, 64*w+bits.TrailingZeros64(word))
			}
		}
		if len(places) == 0 {
			return members
		}
		best, most := -1, -1
		for i := range min(drawn, len(places)) {
			j := i + f.drawn.IntN(len(places)-i)
			places[i], places[j] = places[j], places[i]
			if c := near[places[i]].common(left); c > most {
				best, most = places[i], c
			}
		}
		members = append(members, best)
		for w := range left {
			left[w] &= near[best][w]
		}
	}
}

// Clashes reports whether every two of the demands clash. It checks a bound with another method
// than the one that found it: for each two demands and each two of their paths it searches for a
// cycle in the union of the links.
func (p *Paths) Clashes(demands []int32) bool {
	for a, i := range demands {
		for _, j := range demands[:a] {
			if i == j || p.fit(&p.Demands[i], &p.Demands[j]) {
				return false
			}
		}
	}
	return true
}

func (p *Paths) fit(a, b *Demand) bool {
	for _, v := range a.Ways {
		for _, w := range b.Ways {
			if t := newForest(p.Net, 0); t.add(v) && t.add(w) {
				return true
			}
		}
	}
	return a.More || b.More
}
