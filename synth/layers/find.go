package layers

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
)

// This file searches for few layers, and runs published methods for comparison.

// Options are the options of Find. The zero value is the default.
type Options struct {
	Time time.Duration // Defaults to 10 s.
	Seed uint64
}

// Result is the result of Find.
type Result struct {
	Layers int
	Of     []int32 // by path: its layer
	Bound  int     // fewer layers are not enough
	// By is the evidence for the bound: ByNothing, ByCycle, ByClique or BySearch.
	By     string
	Clique []int32 // the paths of the clique, if By is ByClique
	// Core are paths that need Bound layers, if Bound is at least 2. Evidence shows it.
	Core []int32
	// LASH is the number of layers of first fit in the order of the pairs. DFSSSP is the number of
	// layers of DFSSSP, or 0 if the network is too large to try it.
	LASH, DFSSSP int
}

// fewPaths is the largest number of paths for which the exact search begins soon.
const fewPaths = 300

// Kinds of evidence for a bound.
const (
	ByNothing = ""       // for a bound of 1
	ByCycle   = "cycle"  // for a bound of 2: all paths in one layer close a cycle
	ByClique  = "clique" // paths of which each two close a cycle
	BySearch  = "search" // exhaustive search by a SAT solver
)

// Find searches for few layers until it reaches the bound or the time is over.
func Find(ctx context.Context, r *Routes, o Options) (*Result, error) {
	if o.Time == 0 {
		o.Time = 10 * time.Second
	}
	ctx, cancel := context.WithTimeout(ctx, o.Time)
	defer cancel()
	r.setTurns()
	f := &finder{Routes: r, whole: r.whole(), random: rand.New(rand.NewPCG(o.Seed, 15)), result: &Result{}}
	for i, w := range f.whole {
		if int32(i) == w {
			f.paths = append(f.paths, w)
		}
	}
	if len(f.paths) == 0 { // no path has a dependency, so one layer is enough
		return &Result{Layers: 1, Of: make([]int32, len(r.Turns)), Bound: 1, LASH: 1, DFSSSP: 1}, nil
	}
	if p := f.cyclicAlone(); p != None {
		return nil, &CycleError{p}
	}
	f.result.LASH = f.take(f.firstFit(f.paths))
	longest := slices.Clone(f.paths)
	slices.SortStableFunc(longest, func(a, b int32) int { return len(r.Turns[b]) - len(r.Turns[a]) })
	f.take(f.firstFit(longest))
	f.take(f.byWeight())
	if f.dependencies() <= mostForDFSSSP {
		f.result.DFSSSP = f.take(f.dfsssp())
	}
	f.result.Bound = 1
	if f.result.Layers > 1 { // first fit opens a second layer only if one layer has a cycle
		f.result.Bound, f.result.By = 2, ByCycle
		f.clique(ctx)
	}
	first := o.Time / 4
	if len(f.paths) <= fewPaths {
		first = o.Time / 50
	}
	f.iterate(ctx, time.Now().Add(first))
	f.exact(ctx)
	f.iterate(ctx, time.Now().Add(o.Time))
	f.spread()
	return f.result, nil
}

// CycleError says that the paths of one pair close a cycle, so that no number of layers is enough.
type CycleError struct {
	Pair int32 // an index of Routes.Turns
}

// Error implements error.
func (e *CycleError) Error() string {
	return "layers: the paths of a pair close a dependency cycle, so they cannot share a layer"
}

// cyclicAlone returns an entry of Turns that closes a cycle alone, or None. A single path never does.
func (f *finder) cyclicAlone() int32 {
	if f.Paths == nil {
		for _, p := range f.paths {
			if !f.newLayer().add(f.Turns[p]) {
				return p
			}
		}
	}
	return None
}

// finder is the state of Find. Until spread, result.Of is valid only for the paths in paths.
type finder struct {
	*Routes
	whole  []int32
	paths  []int32 // paths that are not part of another one
	random *rand.Rand
	result *Result
}

// take records the layers of the paths if they are fewer than before, and returns their number.
func (f *finder) take(of []int32) int {
	k := 0
	for _, p := range f.paths {
		k = max(k, int(of[p])+1)
	}
	if f.result.Of == nil || k < f.result.Layers {
		f.result.Layers, f.result.Of = k, of
	}
	return k
}

// spread gives each part the layer of the path that contains it.
func (f *finder) spread() {
	for i, w := range f.whole {
		f.result.Of[i] = f.result.Of[w]
	}
}

// layer is the dependencies of one layer, with the number of paths that use each.
type layer struct {
	order *cdg.Order
	users map[model.Turn]int32
}

func (f *finder) newLayer() *layer {
	return &layer{cdg.NewOrder(f.Net, nil), map[model.Turn]int32{}}
}

// add adds the dependencies of a path if they close no cycle. It reports whether it did.
func (l *layer) add(turns []model.Turn) bool {
	for i, t := range turns {
		if l.users[t] == 0 && !l.order.Add(t) {
			for _, t := range turns[:i] {
				if l.users[t]--; l.users[t] == 0 {
					l.order.Remove(t)
				}
			}
			return false
		}
		l.users[t]++
	}
	return true
}

// firstFit is LASH (T. Skeie, O. Lysne and I. Theiss, IPPS 2002) for a given order of the paths.
func (f *finder) firstFit(paths []int32) []int32 {
	of := make([]int32, len(f.Turns))
	var list []*layer
	for _, p := range paths {
		k := 0
		for k < len(list) && !list[k].add(f.Turns[p]) {
			k++
		}
		if k == len(list) {
			list = append(list, f.newLayer())
			list[k].add(f.Turns[p])
		}
		of[p] = int32(k)
	}
	return of
}

// byWeight fills one layer after another. For each layer it first chooses an acyclic set of
// dependencies, those of most paths first. Paths that do not fit wait for the next layer.
func (f *finder) byWeight() []int32 {
	of := make([]int32, len(f.Turns))
	left := slices.Clone(f.paths)
	for k := int32(0); len(left) > 0; k++ {
		users := map[model.Turn]int32{}
		var turns []model.Turn
		for _, p := range left {
			for _, t := range f.Turns[p] {
				if users[t]++; users[t] == 1 {
					turns = append(turns, t)
				}
			}
		}
		slices.SortStableFunc(turns, func(a, b model.Turn) int { return int(users[b] - users[a]) })
		full := cdg.NewOrder(f.Net, nil)
		for _, t := range turns {
			full.Add(t)
		}
		l, rest := f.newLayer(), left[:0]
		var second []int32
		for _, p := range left {
			fits := true
			for _, t := range f.Turns[p] {
				fits = fits && full.Has(t)
			}
			if fits && l.add(f.Turns[p]) {
				of[p] = k
			} else {
				second = append(second, p)
			}
		}
		for _, p := range second { // some of them fit, since paths that blocked them were left out too
			if l.add(f.Turns[p]) {
				of[p] = k
			} else {
				rest = append(rest, p)
			}
		}
		left = rest
	}
	return of
}

// dependencies returns an iterator over the turns of a path.
func dependencies(path []model.ChannelID) func(func(model.Turn) bool) {
	return func(yield func(model.Turn) bool) {
		for i := range len(path) - 1 {
			if !yield(model.Turn{In: model.VCID(path[i]), Out: model.VCID(path[i+1])}) {
				return
			}
		}
	}
}

// dependencies returns the number of different turns of all paths.
func (f *finder) dependencies() int {
	seen := map[model.Turn]bool{}
	for _, p := range f.paths {
		for _, t := range f.Turns[p] {
			seen[t] = true
		}
	}
	return len(seen)
}

// iterate repeats first fit with the paths of each layer together, and with layers and paths in
// random order. This never needs more layers (iterated greedy: J. Culberson, Univ. Alberta TR
// 92-07).
func (f *finder) iterate(ctx context.Context, until time.Time) {
	for f.result.Layers > f.result.Bound && ctx.Err() == nil && time.Now().Before(until) {
		groups := make([][]int32, f.result.Layers)
		for _, p := range f.paths {
			groups[f.result.Of[p]] = append(groups[f.result.Of[p]], p)
		}
		f.random.Shuffle(len(groups), func(i, j int) { groups[i], groups[j] = groups[j], groups[i] })
		if f.random.IntN(2) == 0 { // the smallest layer last
			slices.SortStableFunc(groups, func(a, b []int32) int { return len(b) - len(a) })
		}
		var list []int32
		for _, g := range groups {
			f.random.Shuffle(len(g), func(i, j int) { g[i], g[j] = g[j], g[i] })
			list = append(list, g...)
		}
		of := f.firstFit(list)
		if k := f.take(of); k == f.result.Layers {
			f.result.Of = of
		}
	}
}
