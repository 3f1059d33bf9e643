package layers

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
)

// This file looks for few layers, and runs what is known for comparison.

// Options of Find; the zero value is the default.
type Options struct {
	Time time.Duration // 0: 10 s
	Seed uint64
}

// Result of Find.
type Result struct {
	Layers int
	Of     []int32 // by path
	Bound  int     // no fewer are enough
	// By says what shows the bound: ByCycle, ByClique or BySearch.
	By     string
	Clique []int32 // paths, where By is ByClique
	// LASH is how many layers first fit takes in the order of the pairs, DFSSSP how many the
	// weakest dependency of one cycle after another; 0: not tried, too much work.
	LASH, DFSSSP int
}

// What shows a bound.
const (
	ByNothing = ""       // 1
	ByCycle   = "cycle"  // all in one layer close a cycle: 2
	ByClique  = "clique" // paths of which each two close a cycle
	BySearch  = "search" // a SAT solver looked at all ways; no certificate
)

// Find looks for few layers until the bound is reached or the time is over.
func Find(ctx context.Context, r *Routes, o Options) (*Result, error) {
	if o.Time == 0 {
		o.Time = 10 * time.Second
	}
	ctx, cancel := context.WithTimeout(ctx, o.Time)
	defer cancel()
	f := &finder{Routes: r, whole: r.whole(), random: rand.New(rand.NewPCG(o.Seed, 15)), result: &Result{}}
	for i, w := range f.whole {
		if int32(i) == w {
			f.paths = append(f.paths, w)
		}
	}
	if len(f.paths) == 0 { // all pairs keep to the one layer that there is
		return &Result{Layers: 1, Of: make([]int32, len(r.Paths)), Bound: 1, LASH: 1, DFSSSP: 1}, nil
	}
	f.result.LASH = f.take(f.firstFit(f.paths))
	longest := slices.Clone(f.paths)
	slices.SortStableFunc(longest, func(a, b int32) int { return len(r.Paths[b]) - len(r.Paths[a]) })
	f.take(f.firstFit(longest))
	f.take(f.byWeight())
	if f.dependencies() <= mostForDFSSSP {
		f.result.DFSSSP = f.take(f.dfsssp())
	}
	f.result.Bound = 1
	if f.result.Layers > 1 { // first fit took more than one layer only where a cycle is closed
		f.result.Bound, f.result.By = 2, ByCycle
		f.clique()
	}
	f.iterate(ctx, time.Now().Add(o.Time/4))
	f.exact(ctx)
	f.iterate(ctx, time.Now().Add(o.Time))
	f.spread()
	return f.result, nil
}

// finder is a search. Layers are told by whole path only, until the end.
type finder struct {
	*Routes
	whole  []int32
	paths  []int32 // those that are no part of others
	random *rand.Rand
	result *Result
}

// take keeps layers, by path, if they are fewer, and returns how many they are.
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

// spread gives parts the layer of the path that they are part of.
func (f *finder) spread() {
	for i, w := range f.whole {
		f.result.Of[i] = f.result.Of[w]
	}
}

// layer is the dependencies of one, with how many paths have each.
type layer struct {
	order *cdg.Order
	users map[model.Turn]int32
}

func (f *finder) newLayer() *layer {
	return &layer{cdg.NewOrder(f.Net, nil), map[model.Turn]int32{}}
}

// add adds a path if it closes no cycle.
func (l *layer) add(path []model.ChannelID) bool {
	for i := range len(path) - 1 {
		t := model.Turn{In: model.VCID(path[i]), Out: model.VCID(path[i+1])}
		if l.users[t] == 0 && !l.order.Add(t) {
			for ; i > 0; i-- {
				t := model.Turn{In: model.VCID(path[i-1]), Out: model.VCID(path[i])}
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

// firstFit is LASH (T. Skeie, O. Lysne and I. Theiss, IPPS 2002) in some order of the paths.
func (f *finder) firstFit(paths []int32) []int32 {
	of := make([]int32, len(f.Paths))
	var list []*layer
	for _, p := range paths {
		k := 0
		for k < len(list) && !list[k].add(f.Paths[p]) {
			k++
		}
		if k == len(list) {
			list = append(list, f.newLayer())
			list[k].add(f.Paths[p])
		}
		of[p] = int32(k)
	}
	return of
}

// byWeight fills one layer after another with the dependencies that most paths have; paths with
// one that closes a cycle wait for the next layer.
func (f *finder) byWeight() []int32 {
	of := make([]int32, len(f.Paths))
	left := slices.Clone(f.paths)
	for k := int32(0); len(left) > 0; k++ {
		users := map[model.Turn]int32{}
		var turns []model.Turn
		for _, p := range left {
			for t := range dependencies(f.Paths[p]) {
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
			for t := range dependencies(f.Paths[p]) {
				fits = fits && full.Has(t)
			}
			if fits && l.add(f.Paths[p]) {
				of[p] = k
			} else {
				second = append(second, p)
			}
		}
		for _, p := range second { // what was left out by others that were left out, too
			if l.add(f.Paths[p]) {
				of[p] = k
			} else {
				rest = append(rest, p)
			}
		}
		left = rest
	}
	return of
}

// dependencies are the turns of a path.
func dependencies(path []model.ChannelID) func(func(model.Turn) bool) {
	return func(yield func(model.Turn) bool) {
		for i := range len(path) - 1 {
			if !yield(model.Turn{In: model.VCID(path[i]), Out: model.VCID(path[i+1])}) {
				return
			}
		}
	}
}

// dependencies counts the turns of all paths.
func (f *finder) dependencies() int {
	seen := map[model.Turn]bool{}
	for _, p := range f.paths {
		for t := range dependencies(f.Paths[p]) {
			seen[t] = true
		}
	}
	return len(seen)
}

// iterate takes first fit again and again with the paths of each layer together, layers and paths
// in any order, which never takes more (iterated greedy: J. Culberson, Univ. Alberta TR 92-07).
func (f *finder) iterate(ctx context.Context, until time.Time) {
	for f.result.Layers > f.result.Bound && ctx.Err() == nil && time.Now().Before(until) {
		groups := make([][]int32, f.result.Layers)
		for _, p := range f.paths {
			groups[f.result.Of[p]] = append(groups[f.result.Of[p]], p)
		}
		f.random.Shuffle(len(groups), func(i, j int) { groups[i], groups[j] = groups[j], groups[i] })
		if f.random.IntN(2) == 0 { // the fewest last
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
