package bubble

import (
	"slices"

	"github.com/turnproof/turnproof/model"
)

// components returns the strongly connected components of next that have a cycle, each ascending, in the
// order of their first VCs.
//
// Source: R. Tarjan, SIAM Journal on Computing 1(2), 1972, without recursion.
func components(next [][]model.VCID) (list [][]model.VCID) {
	n := len(next)
	number, low := make([]int, n), make([]int, n) // number 0: not visited
	onStack := make([]bool, n)
	edge := make([]int, n) // by VC on the path: the next successor to visit
	var stack, path []model.VCID
	count := 0
	enter := func(v model.VCID) {
		count++
		number[v], low[v], onStack[v] = count, count, true
		stack, path = append(stack, v), append(path, v)
	}
	for root := range model.VCID(n) {
		if number[root] > 0 {
			continue
		}
		enter(root)
		for len(path) > 0 {
			v := path[len(path)-1]
			if edge[v] < len(next[v]) {
				w := next[v][edge[v]]
				edge[v]++
				switch {
				case number[w] == 0:
					enter(w)
				case onStack[w]:
					low[v] = min(low[v], number[w])
				}
				continue
			}
			path = path[:len(path)-1]
			if len(path) > 0 {
				u := path[len(path)-1]
				low[u] = min(low[u], low[v])
			}
			if low[v] < number[v] {
				continue
			}
			i := slices.Index(stack, v)
			part := slices.Clone(stack[i:])
			stack = stack[:i]
			for _, w := range part {
				onStack[w] = false
			}
			if len(part) > 1 || slices.Contains(next[v], v) {
				slices.Sort(part)
				list = append(list, part)
			}
		}
	}
	slices.SortFunc(list, func(a, b []model.VCID) int { return int(a[0] - b[0]) })
	return list
}
