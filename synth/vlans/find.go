package vlans

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/turnproof/turnproof/model"
)

// This file looks for few forests that hold a way of each demand.
//
// Promise: what it returns holds; that there is none with fewer only if Bound
// says so. Bounds are of demands without layers: with several there is none but 1.
// Method: first fit, and snug fit, in several orders, then over and over with whole
// forests one after the other, in another order each time; first fit never takes more
// then (iterated greedy: J. C. Culberson, Iterated greedy graph coloring and the difficulty
// landscape, Univ. of Alberta TR 92-07, 1992). Bounds from counting, from demands that
// clash, and from an exact search.

// Options of Find; the zero value is the default.
type Options struct {
	Time time.Duration // 0: 10 s
	Seed uint64
}

// Found is a forest and a way for each demand.
type Found struct {
	VLANs int
	VLAN  []int32 // by demand
	Way   []int32 // by demand, into its ways
	Bound int     // no fewer are enough
	By    string  // what shows that: ByNothing, ByCount, ByClash or BySearch
	Clash []int32 // demands each two of which clash, where By is ByClash
	// Where By is ByCount: so many demands of so many links do not fit into fewer trees.
	Counted, Links int
	Layers         int   // of the demands
	Layer          []int // by VLAN
}

// What shows a bound.
const (
	ByNothing = ""       // 1
	ByCount   = "count"  // trees have too few paths of two or three links
	ByClash   = "clash"  // demands of which no two fit into one tree
	BySearch  = "search" // a SAT solver looked at all ways; no certificate
)

// Find looks for few VLANs until the bound is reached or the time is over.
func Find(ctx context.Context, p *Paths, o Options) (*Found, error) {
	if o.Time == 0 {
		o.Time = 10 * time.Second
	}
	limited, cancel := context.WithTimeout(ctx, o.Time)
	defer cancel()
	f := &finder{Paths: p, random: rand.New(rand.NewPCG(o.Seed, 10)), drawn: rand.New(rand.NewPCG(o.Seed, 11))}
	f.reduce()
	order := slices.Clone(f.demands)
	f.take(f.firstFit(order, false))
	f.take(f.firstFit(order, true))
	slices.SortStableFunc(order, func(a, b int32) int { return len(p.Demands[b].Ways[0]) - len(p.Demands[a].Ways[0]) })
	f.take(f.firstFit(order, false))
	f.take(f.firstFit(order, true))
	f.bound(limited)
	began := time.Now()
	f.iterate(limited, began.Add(o.Time/20))
	f.now = f.best // so that what comes does not depend on how long that took
	f.exact(limited, began.Add(o.Time*3/4))
	f.now = f.best
	f.iterate(limited, began.Add(o.Time))
	f.spread()
	if f.found.By == ByClash && !p.Clashes(f.found.Clash) {
		return nil, errors.New("vlans: internal error, demands that were said to clash fit into one tree")
	}
	return &f.found, ctx.Err()
}

type finder struct {
	*Paths
	demands []int32    // those that are looked at: not covered by others
	cover   []int32    // by demand: one whose ways hold its way, itself if it is looked at
	random  *rand.Rand // of orders,
	drawn   *rand.Rand // and of cliques
	now     *placed    // where the search is,
	best    *placed    // and what found is of
	found   Found
}

// placed is where first fit has put the demands.
type placed struct {
	forests   []*forest
	vlan, way []int32
}

// firstFit puts each demand into the first forest that one of its ways fits into, the
// way that it has now before others; if snug, into the one that has most of its links.
func (f *finder) firstFit(order []int32, snug bool) *placed {
	p := &placed{vlan: make([]int32, len(f.Demands)), way: make([]int32, len(f.Demands))}
	for _, i := range order {
		p.vlan[i], p.way[i] = f.fit(p, i, snug)
	}
	return p
}

func (f *finder) fit(p *placed, i int32, snug bool) (vlan, way int32) {
	d, now := &f.Demands[i], int32(0)
	if f.now != nil {
		now = f.now.way[i]
	}
	fewest := len(d.Ways[now]) + f.Net.NumLinks() // new links of what was found
	for k, t := range p.forests {
		if t.layer != d.Layer {
			continue
		}
		for j := range d.Ways {
			w := (int(now) + j) % len(d.Ways)
			if fresh := t.fresh(d.Ways[w]); fresh < fewest && t.add(d.Ways[w]) {
				vlan, way = int32(k), int32(w)
				if !snug || fresh == 0 {
					return vlan, way
				}
				t.takeBack(d.Ways[w])
				fewest = fresh
			}
		}
	}
	if fewest > f.Net.NumLinks() {
		vlan, way = int32(len(p.forests)), now
		p.forests = append(p.forests, newForest(f.Net, d.Layer))
	}
	p.forests[vlan].add(d.Ways[way])
	return vlan, way
}

// take goes on from what first fit found if it is no worse, and keeps it if it is
// better: what is kept does not depend on how long the search goes on without avail.
func (f *finder) take(p *placed) {
	k := len(p.forests)
	if f.now == nil || k <= len(f.now.forests) {
		f.now = p
	}
	if f.found.VLAN == nil || k < f.found.VLANs {
		f.best, f.found.VLANs, f.found.VLAN, f.found.Way = p, k, p.vlan, p.way
	}
}

// iterate runs first fit with forests one after the other until a time, the
// context's end, or the bound.
func (f *finder) iterate(ctx context.Context, until time.Time) {
	for f.found.VLANs > f.found.Bound && ctx.Err() == nil && time.Now().Before(until) {
		f.take(f.firstFit(f.byForest(), f.random.IntN(2) == 0))
	}
}

// byForest lists the demands forest by forest: in reverse, at random, or the
// fullest first; within one at random.
func (f *finder) byForest() []int32 {
	of := make([][]int32, len(f.now.forests))
	for _, i := range f.demands {
		of[f.now.vlan[i]] = append(of[f.now.vlan[i]], i)
	}
	switch f.random.IntN(10) {
	case 0, 1, 2, 3:
		slices.Reverse(of)
	case 4, 5:
		f.random.Shuffle(len(of), func(i, j int) { of[i], of[j] = of[j], of[i] })
	default:
		slices.SortStableFunc(of, func(a, b []int32) int { return len(b) - len(a) })
	}
	var order []int32
	for _, list := range of {
		f.random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		order = append(order, list...)
	}
	return order
}

// reduce leaves demands out whose one way is part of the one way of another.
func (f *finder) reduce() {
	f.cover = make([]int32, len(f.Demands))
	layers := map[int]bool{}
	for i := range f.Demands {
		f.cover[i] = int32(i)
		layers[f.Demands[i].Layer] = true
	}
	f.found.Layers = len(layers)
	through := make([][]int32, f.Net.NumLinks()) // by link: demands with one way, on it
	for i := range f.Demands {
		if d := &f.Demands[i]; len(d.Ways) == 1 {
			for _, l := range d.Ways[0] {
				through[l] = append(through[l], int32(i))
			}
		}
	}
	for i := range f.Demands {
		d := &f.Demands[i]
		if len(d.Ways) > 1 {
			f.demands = append(f.demands, int32(i))
			continue
		}
		rare := slices.MinFunc(d.Ways[0], func(a, b model.LinkID) int { return len(through[a]) - len(through[b]) })
		for _, k := range through[rare] {
			if e := &f.Demands[k]; e.Layer == d.Layer && len(e.Ways[0]) > len(d.Ways[0]) && within(d.Ways[0], e.Ways[0]) {
				f.cover[i] = k
				break
			}
		}
		if f.cover[i] == int32(i) {
			f.demands = append(f.demands, int32(i))
		}
	}
}

// within reports whether all links of a, ascending, are in b, ascending.
func within(a, b []model.LinkID) bool {
	for _, l := range a {
		if _, ok := slices.BinarySearch(b, l); !ok {
			return false
		}
	}
	return true
}

// spread gives demands that were left out the forest of those that cover them, and
// forests their layer.
func (f *finder) spread() {
	for i := range f.Demands {
		at := int32(i)
		for f.cover[at] != at {
			at = f.cover[at]
		}
		f.found.VLAN[i] = f.found.VLAN[at]
	}
	f.found.VLANs, f.found.Bound = max(1, f.found.VLANs), max(1, f.found.Bound) // hosts at one switch need one, too
	f.found.Layer = make([]int, f.found.VLANs)
	for i := range f.Demands {
		f.found.Layer[f.found.VLAN[i]] = f.Demands[i].Layer
	}
}
