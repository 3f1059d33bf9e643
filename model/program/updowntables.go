package program

import (
	"math/rand/v2"

	"github.com/turnproof/turnproof/model"
)

// This file makes the tables of up*/down* on shortest permitted paths (Schroeder et al., Autonet, IEEE JSAC 9(8), 1991). Up is to the smaller
// depth in the breadth-first spanning tree with root 0, at the same depth to the smaller number.
//
//	down(u, d)  the links of a shortest path from u to d that goes down only, or -1 if there is none
//	hops(u, d)  the links of a shortest path from u to d that goes up and then down

// updownWays is the number of ways in which random tables are made.
const updownWays = 6

// updownTables makes the tables.
func updownTables(v *view, _, variant int) (tablesOf, error) {
	n := v.net.NumSwitches()
	depth := make([]int, n)
	for u := range n {
		depth[u], _ = v.distance(model.SwitchID(u), 0)
	}
	up := func(u, s int) bool { return depth[s] < depth[u] || depth[s] == depth[u] && s < u }
	down, hops := make([][]int, n), make([][]int, n)
	for u := range n {
		down[u], hops[u] = make([]int, n), make([]int, n)
		for d := range n {
			down[u][d], hops[u][d] = -1, -1
		}
	}
	for d := range n {
		down[d][d], hops[d][d] = 0, 0
		better := func(table [][]int, u, links int) bool {
			if links > 0 && (table[u][d] < 0 || links < table[u][d]) {
				table[u][d] = links
				return true
			}
			return false
		}
		for changed := true; changed; {
			changed = false
			for u := range n {
				for _, s := range v.neighbours[u] {
					s := int(s.(node).u)
					if up(u, s) {
						changed = better(hops, u, hops[s][d]+1) || changed
					} else {
						changed = better(down, u, down[s][d]+1) || changed
						changed = better(hops, u, down[s][d]+1) || changed
					}
				}
			}
		}
	}
	if variant > 0 {
		r := rand.New(rand.NewPCG(uint64(variant), 23))
		spoilHops(r, (variant-1)%updownWays, down, hops)
	}
	return tablesOf{
		"down": {2, 0, func(a []int) int { return down[a[0]][a[1]] }},
		"hops": {2, 0, func(a []int) int { return hops[a[0]][a[1]] }},
	}, nil
}

// spoilHops changes tables. In the first two ways the numbers still fall along permitted paths: some paths down are missing, or all numbers are doubled.
func spoilHops(r *rand.Rand, way int, down, hops [][]int) {
	n := len(down)
	for k := range n * n {
		u, d := r.IntN(n), r.IntN(n)
		switch way {
		case 0:
			if u != d && hops[u][d] != down[u][d] {
				down[u][d] = -1
			}
		case 1:
			if u, d = k/n, k%n; down[u][d] > 0 {
				down[u][d] *= 2
			}
			hops[u][d] *= 2
		case 2:
			hops[u][d] = r.IntN(4) - 1
		case 3:
			down[u][d] = r.IntN(4) - 1
		case 4:
			down[u][d] = hops[u][d]
		case 5:
			hops[u][d] = down[u][d]
		}
		if way > 1 && k > n {
			return
		}
	}
}
