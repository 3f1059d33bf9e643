package layers

import (
	"context"
	"slices"

	"github.com/turnproof/turnproof/internal/clausal"
	"github.com/turnproof/turnproof/model"
)

// This file shows that fewer layers are not enough. The evidence is a set of paths of which each
// two close a cycle, or an exhaustive search.

// mostForCliques is the largest number of paths that are compared pair by pair.
const mostForCliques = 6000

// mostPairsForCliques is the same for pairs whose paths share a layer.
const mostPairsForCliques = 600

// clash reports whether two paths close a cycle: both use the same two channels in a different
// order.
func clash(a, b []model.ChannelID) bool {
	last := -1
	for _, c := range a {
		switch i := slices.Index(b, c); {
		case i < 0:
		case i < last:
			return true
		default:
			last = i
		}
	}
	return false
}

// clashing reports whether the dependencies of two paths or pairs close a cycle.
func (f *finder) clashing(p, q int32) bool {
	if f.Paths != nil {
		return clash(f.Paths[p], f.Paths[q])
	}
	l := f.newLayer()
	return l.add(f.Turns[p]) && !l.add(f.Turns[q])
}

// clashes returns, for each path, the paths that clash with it, ascending.
func (f *finder) clashes(ctx context.Context) [][]int32 {
	through := make([][]int32, f.Net.NumLinkChannels())
	passes := make([][]model.ChannelID, len(f.paths))
	for i, p := range f.paths {
		passes[i] = channelsOf(f.Turns[p])
		for _, c := range passes[i] {
			through[c] = append(through[c], int32(i))
		}
	}
	near := make([][]int32, len(f.paths))
	for i, p := range f.paths {
		shared := map[int32]int{}
		for _, c := range passes[i] {
			for _, k := range through[c] {
				shared[k]++
			}
		}
		for k, times := range shared {
			if times > 1 && int(k) > i && f.clashing(p, f.paths[k]) {
				near[i], near[k] = append(near[i], k), append(near[k], int32(i))
			}
		}
		if ctx.Err() != nil {
			break
		}
	}
	for i := range near {
		slices.Sort(near[i])
	}
	return near
}

// clique searches for a large clique, greedily from each path.
func (f *finder) clique(ctx context.Context) {
	if len(f.paths) > mostForCliques || f.Paths == nil && len(f.paths) > mostPairsForCliques {
		return
	}
	near := f.clashes(ctx)
	for i := range f.paths {
		members := []int32{int32(i)}
		left := slices.Clone(near[i])
		for len(left) > 0 {
			best, most := left[0], -1
			for _, k := range left {
				if common := len(both(near[k], left)); common > most {
					best, most = k, common
				}
			}
			members = append(members, best)
			left = both(left, near[best])
		}
		if len(members) > f.result.Bound {
			f.result.Bound, f.result.By, f.result.Clique = len(members), ByClique, nil
			for _, k := range members {
				f.result.Clique = append(f.result.Clique, f.paths[k])
			}
			f.result.Core = f.result.Clique
		}
	}
}

// both returns the common elements of two ascending lists.
func both(a, b []int32) (list []int32) {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			a = a[1:]
		case a[0] > b[0]:
			b = b[1:]
		default:
			list, a, b = append(list, a[0]), a[1:], b[1:]
		}
	}
	return list
}

// exact asks whether the number of layers in the bound is enough. If not, it raises the bound by
// one and asks again, until an assignment is found or the time is over.
func (f *finder) exact(ctx context.Context) {
	x := &decider{f.Net, PerPath, make([]demand, len(f.paths)), f.random}
	if f.Paths == nil {
		x.mode = PerPair
	}
	at, all := map[int32]int{}, make([]int, len(f.paths))
	for i, p := range f.paths {
		x.demands[i].turns = f.Turns[p]
		at[p], all[i] = i, i
	}
	start := all
	if f.result.By == ByClique { // layers are interchangeable, so the paths of the clique come first
		start = nil
		for _, p := range f.result.Clique {
			start = append(start, at[p])
		}
		for _, i := range all {
			if !slices.Contains(f.result.Clique, f.paths[i]) {
				start = append(start, i)
			}
		}
	}
	if len(all) > mostAtOnce {
		start = start[:min(len(start), fewToBegin)]
	}
	if f.result.By == ByCycle {
		if _, core, result := x.decide(ctx, 1, all[:min(len(all), fewToBegin)]); result == clausal.Unsat {
			f.result.Core = f.pathsOf(core)
		}
	}
	for f.result.Layers > f.result.Bound && ctx.Err() == nil {
		k := f.result.Bound
		switch vcs, core, result := x.decide(ctx, k, start); result {
		case clausal.Sat:
			of := make([]int32, len(f.Turns))
			for i, p := range f.paths {
				of[p] = vcs[i][0]
			}
			f.take(of)
		case clausal.Unsat:
			f.result.Bound, f.result.By, f.result.Core = k+1, BySearch, f.pathsOf(core)
		default:
			return
		}
	}
}

// mostAtOnce is the largest number of paths with which the exact search begins. For one layer fewToBegin are enough.
const (
	mostAtOnce = 500
	fewToBegin = 50
)

func (f *finder) pathsOf(demands []int) (list []int32) {
	for _, i := range demands {
		list = append(list, f.paths[i])
	}
	return list
}
