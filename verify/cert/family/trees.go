package family

import (
	"fmt"
)

// This file judges that the coordinates of a member are those of its spanning tree.

// checkCoordinates judges that the coordinates are those of the family.
func (w *network) checkCoordinates(near [][]int) error {
	switch w.s.f.Kind {
	case "given":
		return nil
	case "updown":
		return w.checkOrder(near)
	}
	seen := map[int]bool{}
	for u := range w.at {
		if seen[w.at[u][0]] {
			return fmt.Errorf("two switches have the number %d", w.at[u][0])
		}
		seen[w.at[u][0]] = true
	}
	switch w.s.f.Tree {
	case "any":
		return w.onTree(near, false)
	case "canonical":
		return w.onTree(near, true)
	}
	return nil
}

// onTree judges that h is the preorder number in a shortest-path tree with depths d. The parent of
// a switch is then the last switch before it that has a depth one less. If canonical is
// true, the tree must be canonical.
func (w *network) onTree(near [][]int, first bool) error {
	order := make([]int, w.switches) // by h
	for u, at := range w.at {
		if at[0] < 0 || at[0] >= w.switches || at[1] < 0 || at[1] >= w.switches {
			return fmt.Errorf("switch %d at (%d, %d)", u, at[0], at[1])
		}
		order[at[0]] = u
	}
	parent := make([]int, w.switches)
	path := []int{} // the path from the root, by depth
	for i, u := range order {
		d := w.at[u][1]
		if d > len(path) || (d == 0) != (i == 0) {
			return fmt.Errorf("switch %d at depth %d has no parent", u, d)
		}
		parent[u] = -1
		if path = path[:d]; d > 0 {
			parent[u] = path[d-1]
		}
		path = append(path, u)
		joined := d == 0
		for _, v := range near[u] {
			joined = joined || v == parent[u]
			if e := w.at[v][1]; e < d-1 || e > d+1 {
				return fmt.Errorf("a link connects switches %d and %d at depths %d and %d", u, v, d, e)
			}
		}
		if !joined {
			return fmt.Errorf("no link connects switch %d with its parent %d", u, parent[u])
		}
	}
	if first {
		return w.canonicalTree(near, parent)
	}
	return nil
}

// canonicalTree judges that a breadth-first search from switch 0, by ascending numbers, finds each
// switch from its parent, and the children of each switch in order.
func (w *network) canonicalTree(near [][]int, parent []int) error {
	found := make([]bool, w.switches)
	found[0] = true
	last := make([]int, w.switches) // by switch: h of the last child found
	queue := []int{0}
	for len(queue) > 0 {
		u := queue[0]
		queue = queue[1:]
		ascending := make([]bool, w.switches)
		for _, v := range near[u] {
			ascending[v] = true
		}
		for v, joined := range ascending {
			if !joined || found[v] {
				continue
			}
			if found[v] = true; parent[v] != u || w.at[v][0] <= last[u] {
				return fmt.Errorf("a breadth-first search finds switch %d from another parent, or in another order", v)
			}
			last[u] = w.at[v][0]
			queue = append(queue, v)
		}
	}
	return nil
}

// checkOrder judges that the coordinate is the position in the order by depth, then number. A
// breadth-first search from the switch at position 0 gives the depths.
func (w *network) checkOrder(near [][]int) error {
	at, depth := make([]int, w.switches), make([]int, w.switches)
	for u := range at {
		at[u], depth[u] = -1, -1
	}
	for u := range w.at {
		x := w.at[u][0]
		if x < 0 || x >= w.switches || at[x] >= 0 {
			return fmt.Errorf("switch %d at place %d", u, x)
		}
		at[x] = u
	}
	depth[at[0]] = 0
	queue := []int{at[0]}
	for len(queue) > 0 {
		u := queue[0]
		queue = queue[1:]
		for _, v := range near[u] {
			if depth[v] < 0 {
				depth[v] = depth[u] + 1
				queue = append(queue, v)
			}
		}
	}
	for x := 1; x < w.switches; x++ {
		u, v := at[x-1], at[x]
		if depth[u] < 0 || depth[v] < 0 || depth[u] > depth[v] || depth[u] == depth[v] && u > v {
			return fmt.Errorf("switches %d and %d are not in order", u, v)
		}
	}
	return nil
}
