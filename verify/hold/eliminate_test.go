package hold

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestAgainstAllSets compares elimination with the greatest of all sets of places in which each place has a wait all of whose
// alternatives need a place of the set.
func TestAgainstAllSets(t *testing.T) {
	type wait struct {
		at  int32
		any [][]int32
	}
	sizes := map[int]int{}
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 1))
		n := 2 + rng.IntN(5)
		var list []wait
		x := New(n)
		for range rng.IntN(2 * n) {
			w := wait{at: int32(rng.IntN(n))}
			id := x.Wait(w.at)
			for range 1 + rng.IntN(3) {
				var all []int32
				for range rng.IntN(4) {
					all = append(all, int32(rng.IntN(n)))
				}
				w.any = append(w.any, all)
				x.All(id, all)
			}
			list = append(list, w)
		}
		gone := map[int32]bool{}
		if seed%3 == 0 {
			gone[int32(rng.IntN(n))] = true
		}
		stays := func(set int) bool {
			for p := range n {
				if set>>p&1 == 1 && (gone[int32(p)] || !slices.ContainsFunc(list, func(w wait) bool {
					return w.at == int32(p) && !slices.ContainsFunc(w.any, func(all []int32) bool {
						return !slices.ContainsFunc(all, func(q int32) bool { return set>>q&1 == 1 })
					})
				})) {
					return false
				}
			}
			return true
		}
		greatest := 0
		for set := range 1 << n {
			if stays(set) {
				greatest |= set
			}
		}
		order, left := x.Run(gone)
		ranks := Ranks(order, n)
		for p := range n {
			if want := greatest>>p&1 == 1; left[p] != want || ranks[p] < 0 != want || slices.Contains(order, int32(p)) == want {
				t.Fatalf("seed %d: place %d is left: %v, rank %d, order %v; all sets say %v", seed, p, left[p], ranks[p], order, want)
			}
		}
		for _, w := range list {
			if ranks[w.at] >= 0 && !gone[w.at] && !slices.ContainsFunc(w.any, func(all []int32) bool {
				return !slices.ContainsFunc(all, func(q int32) bool { return ranks[q] <= ranks[w.at] })
			}) {
				t.Fatalf("seed %d: a wait at place %d has no alternative of greater ranks: %v", seed, w.at, w.any)
			}
		}
		sizes[len(order)]++
	}
	if len(sizes) < 6 {
		t.Errorf("%v: the cases are too similar", sizes)
	}
}
