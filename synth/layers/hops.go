package layers

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/turnproof/turnproof/internal/clausal"
	"github.com/turnproof/turnproof/model"
)

// This file finds few VCs for paths whose VC may change from hop to hop.
//
// Known constructions give upper bounds: a VC for each hop (K. D. Günther, IEEE Transactions on Communications 29(4),
// 1981), and a VC for each part of a path that rises in one fixed order of the channels, as of up*/down* routing.
// The search places all paths for a given number of VCs. Paths that fail come earlier in the next round (squeaky
// wheel: D. Joslin and D. Clements, JAIR 10, 1999).

// HopResult is the result of FindHops.
type HopResult struct {
	VCs   int
	Of    [][]int32 // by path: its VC at each hop
	Bound int       // fewer VCs are not enough
	By    string    // ByNothing, ByCycle or BySearch
	Core  []int32   // paths that need Bound VCs, if Bound is at least 2
	// Hops and Segments are the numbers of VCs of the known constructions.
	Hops, Segments int
}

// FindHops searches for few VCs for the paths of r. mode is PerRise or PerHop. order is an order of the channels for
// the construction by segments: a rank for each channel. It stops when it reaches the bound or the time is over.
func FindHops(ctx context.Context, r *Routes, mode Mode, order []int32, o Options) (*HopResult, error) {
	if !mode.byHop() {
		return nil, fmt.Errorf("layers: FindHops is for VCs that change from hop to hop")
	}
	if o.Time == 0 {
		o.Time = 10 * time.Second
	}
	ctx, cancel := context.WithTimeout(ctx, o.Time)
	defer cancel()
	r.setTurns()
	h := &hopSearch{Routes: r, mode: mode, random: rand.New(rand.NewPCG(o.Seed, 16)), whole: r.whole(), at: map[int32]int{},
		result: &HopResult{Bound: 1}}
	for i, w := range h.whole {
		if int32(i) == w {
			h.at[w] = len(h.demands)
			h.paths = append(h.paths, w)
			h.demands = append(h.demands, demand{path: r.Paths[w]})
		}
	}
	h.construct(order)
	if len(h.paths) > 0 {
		h.search(ctx, o.Time)
	}
	h.result.Of = make([][]int32, len(r.Paths))
	for i := range r.Paths {
		h.result.Of[i] = h.vcsOf(int32(i))
	}
	return h.result, nil
}

// hopSearch is the state of FindHops.
type hopSearch struct {
	*Routes
	mode    Mode
	random  *rand.Rand
	whole   []int32
	paths   []int32       // paths that are not part of another one
	at      map[int32]int // by such a path: its place in paths and demands
	demands []demand
	vcs     [][]int32 // by demand, of result.VCs
	result  *HopResult
}

// vcsOf returns the VCs of a path: a section of those of the path that contains it.
func (h *hopSearch) vcsOf(i int32) []int32 {
	w := h.whole[i]
	all, path, part := h.vcs[h.at[w]], h.Paths[w], h.Paths[i]
	for from := 0; ; from++ {
		if slices.Equal(path[from:from+len(part)], part) {
			return all[from : from+len(part)]
		}
	}
}

// construct applies the known constructions.
func (h *hopSearch) construct(order []int32) {
	hops, segments := make([][]int32, len(h.demands)), make([][]int32, len(h.demands))
	h.result.Hops, h.result.Segments = 1, 1
	for u, d := range h.demands {
		part := int32(0)
		for i, c := range d.path {
			if i > 0 && order[c] <= order[d.path[i-1]] {
				part++
			}
			hops[u], segments[u] = append(hops[u], int32(i)), append(segments[u], part)
		}
		h.result.Hops = max(h.result.Hops, len(d.path))
		h.result.Segments = max(h.result.Segments, int(part)+1)
	}
	h.vcs, h.result.VCs = hops, h.result.Hops
	if h.result.Segments < h.result.Hops {
		h.vcs, h.result.VCs = segments, h.result.Segments
	}
}

// search improves VCs and bound. For each number of VCs from 1 on, it places the paths for a part of the time. VCs
// that rise are a special case of those that change, so they are tried first.
func (h *hopSearch) search(ctx context.Context, limit time.Duration) {
	if vcs, bad := h.round(PerRise, 1, h.random.Perm(len(h.demands))); len(bad) == 0 {
		h.vcs, h.result.VCs = vcs, 1
		return
	}
	h.result.Bound, h.result.By = 2, ByCycle
	h.setCore(ctx)
	part := limit / time.Duration(3*h.result.VCs)
	if len(h.demands) <= fewPaths {
		part /= 10
	}
	failed := h.places(ctx, part)
	for h.result.Bound < h.result.VCs && ctx.Err() == nil {
		start := failed
		if len(start) == 0 || len(h.demands) <= fewPaths {
			start = h.all()
		}
		start = start[:min(len(start), fewPaths)]
		switch vcs, core, result := h.decide(ctx, start); result {
		case clausal.Sat:
			h.vcs, h.result.VCs = vcs, h.result.Bound
		case clausal.Unsat:
			h.result.Bound, h.result.By = h.result.Bound+1, BySearch
			h.result.Core = h.pathsOf(core)
			failed = nil
		default:
			h.places(ctx, limit)
			return
		}
	}
}

// places places all paths with the number of VCs in the bound, and with more if that fails, each for a time.
func (h *hopSearch) places(ctx context.Context, part time.Duration) (failed []int) {
	for k := h.result.Bound; k < h.result.VCs && ctx.Err() == nil; k++ {
		bad := h.place(ctx, PerRise, k, time.Now().Add(part))
		if h.mode == PerHop && k < h.result.VCs {
			bad = h.place(ctx, PerHop, k, time.Now().Add(part))
		}
		if k == h.result.Bound {
			failed = bad
		}
	}
	return failed
}

// decide asks whether the number of VCs in the bound is enough.
func (h *hopSearch) decide(ctx context.Context, start []int) (vcs [][]int32, core []int, result clausal.Result) {
	x := &decider{h.Net, PerRise, h.demands, h.random}
	if h.mode == PerHop {
		until, _ := ctx.Deadline()
		some, cancel := context.WithTimeout(ctx, time.Until(until)/2)
		defer cancel()
		if vcs, _, result := x.decide(some, h.result.Bound, start); result == clausal.Sat {
			return vcs, nil, result
		}
		x.mode = PerHop
	}
	return x.decide(ctx, h.result.Bound, start)
}

// setCore sets the paths of the bound 2: those of one cycle.
func (h *hopSearch) setCore(ctx context.Context) {
	x := &decider{h.Net, h.mode, h.demands, h.random}
	if _, core, result := x.decide(ctx, 1, h.all()[:min(len(h.demands), fewToBegin)]); result == clausal.Unsat {
		h.result.Core = h.pathsOf(core)
	}
}

func (h *hopSearch) pathsOf(demands []int) (list []int32) {
	for _, u := range demands {
		list = append(list, h.paths[u])
	}
	return list
}

func (h *hopSearch) all() (list []int) {
	for u := range h.demands {
		list = append(list, u)
	}
	return list
}

// place places all paths with k VCs by the rule of a mode, in rounds until a time. It returns the paths that failed most often. If all
// paths are placed, it records the VCs and returns none.
func (h *hopSearch) place(ctx context.Context, mode Mode, k int, until time.Time) []int {
	failures := make([]int, len(h.demands))
	order := h.random.Perm(len(h.demands))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(len(h.demands[b].path), len(h.demands[a].path)) })
	for {
		vcs, bad := h.round(mode, k, order)
		if len(bad) == 0 {
			h.vcs, h.result.VCs = vcs, k
			return nil
		}
		for _, u := range bad {
			failures[u]++
		}
		if ctx.Err() != nil || time.Now().After(until) {
			break
		}
		h.random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(failures[b], failures[a]) })
	}
	var often []int
	for u, n := range failures {
		if n > 0 {
			often = append(often, u)
		}
	}
	slices.SortStableFunc(often, func(a, b int) int { return cmp.Compare(failures[b], failures[a]) })
	return often[:min(len(often), 60)]
}

// round places the paths in an order, and returns the paths that find no VCs.
func (h *hopSearch) round(mode Mode, k int, order []int) (vcs [][]int32, failed []int) {
	p := newPlacer(h.Net, mode, k)
	vcs = make([][]int32, len(h.demands))
	for _, u := range order {
		if vcs[u] = p.place(&h.demands[u], h.random); vcs[u] == nil {
			failed = append(failed, u)
		}
	}
	return vcs, failed
}

// ChannelOrder returns ranks of the channels that rise along all dependencies of an acyclic turn set.
func ChannelOrder(set *model.TurnSet) []int32 {
	w := newLegalPaths(set.Network(), set)
	waits := make([]int, len(w.prev))
	var queue []model.ChannelID
	for c, list := range w.prev {
		if waits[c] = len(list); waits[c] == 0 {
			queue = append(queue, model.ChannelID(c))
		}
	}
	rank := make([]int32, len(waits))
	for i := 0; i < len(queue); i++ {
		rank[queue[i]] = int32(i)
		for _, c := range w.next[queue[i]] {
			if waits[c]--; waits[c] == 0 {
				queue = append(queue, c)
			}
		}
	}
	return rank
}
