package everysize

import (
	"math/rand/v2"
	"slices"
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
