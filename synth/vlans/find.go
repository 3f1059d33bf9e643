package vlans

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/turnproof/turnproof/model"
)

// This file searches for few forests that carry a way of each demand.
//
// Promise: the result carries a way of each demand. No smaller number is possible if VLANs equals
// Bound. Bounds do not consider layers; with several layers the bound is 1. Method: first fit,
// with and without snug fit (see firstFit), in several orders. Then iterated greedy: first fit
// again and again, with the demands of a forest one after the other and the forests in varying
// order, which never needs more forests (J. C. Culberson, Iterated greedy graph coloring and the
// difficulty landscape, Univ. of Alberta TR 92-07, 1992). Bounds come from counting, from demands
// that clash, and from an exact search.

// Options are the options of Find. The zero value is the default.
type Options struct {
	Time time.Duration // time limit; defaults to 10 s
	Seed uint64
}

// Found has a forest and a way for each demand.
type Found struct {
	VLANs int
	VLAN  []int32 // by demand: its VLAN
	Way   []int32 // by demand: index of the chosen way in Demand.Ways
	Bound int     // no solution has fewer VLANs
	By    string  // the argument for Bound: ByNothing, ByCount, ByClash or BySearch
	Clash []int32 // if By is ByClash: demands that clash pairwise
	// If By is ByCount: Counted demands, each of Links links, do not fit into fewer trees.
	Counted, Links int
	Layers         int   // number of layers of the demands
	Layer          []int // by VLAN: its layer
}

// Values of Found.By.
const (
	ByNothing = ""       // the bound is 1, which needs no argument
	ByCount   = "count"  // a tree has too few paths of two or three links
	ByClash   = "clash"  // demands of which no two fit into one tree
	BySearch  = "search" // a SAT solver excluded all smaller solutions; there is no certificate
)

// Find searches for few VLANs until it reaches the bound or the time is over.
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
	f.now = f.best // so that the rest does not depend on the time that first fit took
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
	demands []int32    // demands to place; the others are covered by these
	cover   []int32    // by demand: a demand that contains its path, or the demand itself if it is in demands
	random  *rand.Rand // random numbers for orders
	drawn   *rand.Rand // random numbers for cliques
	now     *placed    // the current solution of the search
	best    *placed    // the best solution, which found describes
	found   Found
}

// placed is a solution: the forest and way of each demand.
type placed struct {
	forests   []*forest
	vlan, way []int32
}

// firstFit puts each demand into the first forest into which one of its paths fits. It tries the
// way of the current solution before the others. If snug, it takes the forest that needs the
// fewest new links.
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
	fewest := len(d.Ways[now]) + f.Net.NumLinks() // new links of the best forest so far
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

// take makes p the current solution if it is no worse, and the best solution if it is better.
// Solutions that are equally good do not replace the best one, so the result does not depend on
// the length of the search.
func (f *finder) take(p *placed) {
	k := len(p.forests)
	if f.now == nil || k <= len(f.now.forests) {
		f.now = p
	}
	if f.found.VLAN == nil || k < f.found.VLANs {
		f.best, f.found.VLANs, f.found.VLAN, f.found.Way = p, k, p.vlan, p.way
	}
}

// iterate improves the solution by first fit until the time is over, the context ends or the bound
// is reached.
func (f *finder) iterate(ctx context.Context, until time.Time) {
	for f.found.VLANs > f.found.Bound && ctx.Err() == nil && time.Now().Before(until) {
		f.take(f.firstFit(f.byForest(), f.random.IntN(2) == 0))
	}
}

// byForest lists the demands forest by forest. The forests are in reverse order, in random order,
// or the fullest first. The demands of a forest are in random order.
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

// reduce removes each demand whose only way is a part of the only way of another demand.
func (f *finder) reduce() {
	f.cover = make([]int32, len(f.Demands))
	layers := map[int]bool{}
	for i := range f.Demands {
		f.cover[i] = int32(i)
		layers[f.Demands[i].Layer] = true
	}
	f.found.Layers = len(layers)
	through := make([][]int32, f.Net.NumLinks()) // by link: demands whose only way uses the link
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

// within reports whether all elements of a are in b. Both are ascending.
func within(a, b []model.LinkID) bool {
	for _, l := range a {
		if _, ok := slices.BinarySearch(b, l); !ok {
			return false
		}
	}
	return true
}

// spread gives each removed demand the forest of the demand that covers it, and gives each forest
// its layer.
func (f *finder) spread() {
	for i := range f.Demands {
		at := int32(i)
		for f.cover[at] != at {
			at = f.cover[at]
		}
		f.found.VLAN[i] = f.found.VLAN[at]
	}
	f.found.VLANs, f.found.Bound = max(1, f.found.VLANs), max(1, f.found.Bound) // pairs of hosts at one switch need a VLAN, too
	f.found.Layer = make([]int, f.found.VLANs)
	for i := range f.Demands {
		f.found.Layer[f.found.VLAN[i]] = f.Demands[i].Layer
	}
}
