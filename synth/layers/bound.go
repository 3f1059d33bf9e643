package layers

import (
	"context"
	"slices"
	"time"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/synth/sat"
)

// This file shows that fewer layers are not enough. The evidence is a set of paths of which each
// two close a cycle, or an exhaustive search.

// mostForCliques is the largest number of paths that are compared pair by pair.
const mostForCliques = 6000

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

// clique searches for a large clique, greedily from each path.
func (f *finder) clique() {
	if len(f.paths) > mostForCliques {
		return
	}
	through := make([][]int32, f.Net.NumLinkChannels())
	for i, p := range f.paths {
		for _, c := range f.Paths[p] {
			through[c] = append(through[c], int32(i))
		}
	}
	near := make([][]int32, len(f.paths)) // by path: the paths that clash with it, ascending
	for i, p := range f.paths {
		shared := map[int32]int{}
		for _, c := range f.Paths[p] {
			for _, k := range through[c] {
				shared[k]++
			}
		}
		for k, times := range shared {
			if times > 1 && clash(f.Paths[p], f.Paths[f.paths[k]]) {
				near[i] = append(near[i], k)
			}
		}
		slices.Sort(near[i])
	}
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

// mostForSearch is the largest number of variables of the exact search.
const mostForSearch = 500_000

// exact asks a SAT solver whether the number of layers in the bound is enough. If not, it raises
// the bound by one and asks again, until an assignment is found or the time is over.
func (f *finder) exact(ctx context.Context) {
	for f.result.Layers > f.result.Bound && ctx.Err() == nil {
		k := f.result.Bound
		if len(f.paths)*k*4 > mostForSearch {
			return
		}
		switch of, answer := f.fits(ctx, k); answer {
		case sat.Sat:
			f.take(of)
		case sat.Unsat:
			f.result.Bound, f.result.By = k+1, BySearch
		default:
			return
		}
	}
}

// fits decides whether k layers are enough, and returns the layer of each path. Cycles become
// clauses as they are found.
func (f *finder) fits(ctx context.Context, k int) ([]int32, sat.Result) {
	s := sat.New()
	in := make([][]sat.Lit, len(f.paths)) // by index in f.paths and layer
	uses := make([]map[model.Turn]sat.Lit, k)
	for l := range uses {
		uses[l] = map[model.Turn]sat.Lit{}
	}
	place := map[int32]int{}
	for i, p := range f.paths {
		place[p] = i
		for l := range k {
			x := s.Var()
			in[i] = append(in[i], x)
			for t := range dependencies(f.Paths[p]) {
				y, ok := uses[l][t]
				if !ok {
					y = s.Var()
					uses[l][t] = y
				}
				s.Add(-x, y)
			}
		}
		s.Add(in[i]...)
	}
	for l, p := range f.result.Clique { // layers are interchangeable, so the paths of the clique can be assigned first
		if l < k {
			s.Add(in[place[p]][l])
		}
	}
	for {
		limit := sat.Limit{}
		if until, ok := ctx.Deadline(); ok {
			if limit.Time = time.Until(until); limit.Time <= 0 {
				return nil, sat.Unknown
			}
		}
		if a := s.Solve(ctx, limit); a != sat.Sat {
			return nil, a
		}
		of, cycles := make([]int32, len(f.Paths)), [][]model.ChannelID(nil)
		for i, p := range f.paths {
			for l := range k {
				if s.True(in[i][l]) {
					of[p] = int32(l)
					break
				}
			}
		}
		for l := range k {
			cycles = append(cycles, f.cyclesOf(of, int32(l))...)
		}
		if len(cycles) == 0 {
			return of, sat.Sat
		}
		for _, cycle := range cycles {
			for l := range k {
				var clause []sat.Lit
				for i, c := range cycle {
					t := model.Turn{In: model.VCID(c), Out: model.VCID(cycle[(i+1)%len(cycle)])}
					clause = append(clause, -uses[l][t])
				}
				s.Add(clause...)
			}
		}
	}
}

// cyclesOf returns cycles of a layer that share no dependency, or none if the layer is acyclic.
func (f *finder) cyclesOf(of []int32, l int32) (cycles [][]model.ChannelID) {
	next := make([][]model.ChannelID, f.Net.NumLinkChannels())
	for _, p := range f.paths {
		if of[p] != l {
			continue
		}
		for t := range dependencies(f.Paths[p]) {
			if !slices.Contains(next[t.In], model.ChannelID(t.Out)) {
				next[t.In] = append(next[t.In], model.ChannelID(t.Out))
			}
		}
	}
	for {
		cycle := cycleIn(next)
		if cycle == nil {
			return cycles
		}
		cycle = shortened(next, cycle)
		cycles = append(cycles, cycle)
		for i, c := range cycle {
			to := cycle[(i+1)%len(cycle)]
			next[c] = slices.DeleteFunc(next[c], func(b model.ChannelID) bool { return b == to })
		}
	}
}

// shortened returns a shortest cycle through the first channel of the given cycle.
func shortened(next [][]model.ChannelID, cycle []model.ChannelID) []model.ChannelID {
	start := cycle[0]
	by := map[model.ChannelID]model.ChannelID{}
	queue := []model.ChannelID{start}
	for i := 0; i < len(queue); i++ {
		for _, b := range next[queue[i]] {
			if b == start {
				short := []model.ChannelID{}
				for c := queue[i]; c != start; c = by[c] {
					short = append(short, c)
				}
				short = append(short, start)
				slices.Reverse(short)
				return short
			}
			if _, ok := by[b]; !ok {
				by[b] = queue[i]
				queue = append(queue, b)
			}
		}
	}
	return cycle
}
