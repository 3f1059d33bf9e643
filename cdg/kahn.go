package cdg

import (
	"cmp"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file numbers the VCs so that ranks increase along every dependency. It removes vertices
// without remaining predecessors (Kahn, Comm. ACM 1962). Cost: O(VCs + dependencies) time,
// eight bytes per VC.

// Numbering returns a rank for each VC, a permutation of 0..NumVCs()-1 that increases along
// every dependency. It returns false if and only if the graph has a cycle. VCs without
// predecessors come first, and further VCs follow in breadth-first order.
func (g *Graph) Numbering() ([]int32, bool) {
	n := g.NumVCs()
	before := make([]int32, n) // remaining dependencies into the VC
	for _, w := range g.next {
		before[w]++
	}
	order := make([]model.VCID, 0, n)
	for v := range model.VCID(n) {
		if before[v] == 0 {
			order = append(order, v)
		}
	}
	for i := 0; i < len(order); i++ {
		for _, w := range g.Next(order[i]) {
			if before[w]--; before[w] == 0 {
				order = append(order, w)
			}
		}
	}
	if len(order) < n {
		return nil, false
	}
	rank := before // all entries are 0 now
	for i, v := range order {
		rank[v] = int32(i)
	}
	return rank, true
}

func sortByFirst(lists [][]model.VCID) {
	slices.SortFunc(lists, func(a, b []model.VCID) int { return cmp.Compare(a[0], b[0]) })
}
