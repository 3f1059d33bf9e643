package everysize

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// This file gives the networks of networld_test.go a spanning tree.

// tree is a breadth-first spanning tree with a preorder.
type tree struct {
	parent        []int // of the root: -1
	depth, spread []int64
}

// span returns a spanning tree: the canonical one of the interpreter, or with a random source any one.
func (w *world) span(rng *rand.Rand) *tree {
	t := &tree{parent: make([]int, w.n), depth: make([]int64, w.n), spread: make([]int64, w.n)}
	root := 0
	if rng != nil {
		root = rng.IntN(w.n)
	}
	found := []int{root}
	for i := 0; i < len(found); i++ {
		for v := range w.n {
			if w.linked[found[i]][v] && !slices.Contains(found, v) {
				t.parent[v] = found[i]
				found = append(found, v)
			}
		}
	}
	for u := range w.n {
		t.depth[u] = w.dist[root][u]
		for v := range w.n {
			if rng != nil && w.linked[u][v] && w.dist[root][v] == t.depth[u]-1 && (rng.IntN(2) == 0) {
				t.parent[u] = v
			}
		}
	}
	t.parent[root] = -1
	count := int64(0)
	var visit func(u int)
	visit = func(u int) {
		t.spread[u] = count
		count++
		children := slices.DeleteFunc(slices.Clone(found), func(v int) bool { return t.parent[v] != u })
		if rng != nil {
			rng.Shuffle(len(children), func(i, j int) { children[i], children[j] = children[j], children[i] })
		}
		for _, v := range children {
			visit(v)
		}
	}
	visit(root)
	return t
}

// below reports whether u is v or has the ancestor v.
func (t *tree) below(u, v int) bool {
	for ; u >= 0; u = t.parent[u] {
		if u == v {
			return true
		}
	}
	return false
}

// child returns the child of v whose subtree has u, or -1.
func (t *tree) child(u, v int) int {
	for ; u >= 0; u = t.parent[u] {
		if t.parent[u] == v {
			return u
		}
	}
	return -1
}

// TestAscends: hops within a group need a measure, unless all classes of the group are on escape VCs.
func TestAscends(t *testing.T) {
	a, b, c, created := NetClass{VC: 0}, NetClass{VC: 1}, NetClass{VC: 1, State: 1}, NetClass{VC: -1}
	th := &netTheorem{classes: []NetClass{created, a, b, c}, escape: []int{1}, holds: map[NetClass]*Formula{a: always, b: always, c: always}}
	for _, x := range []struct {
		groups []int // of a, b, c
		want   bool  // for a hop from b to c
	}{{[]int{0, 1, 1}, true}, {[]int{1, 1, 1}, false}, {[]int{0, 1, 2}, false}, {[]int{0, 2, 1}, false}} {
		th.group = map[NetClass]int{created: -1, a: x.groups[0], b: x.groups[1], c: x.groups[2]}
		if got := th.ascends(b, c); got != x.want {
			t.Errorf("groups %v: %v", x.groups, got)
		}
		if th.ascends(a, b) || th.ascends(a, a) {
			t.Errorf("groups %v: hops from VC 0 need a measure", x.groups)
		}
	}
}
