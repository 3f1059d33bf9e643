package topo

import (
	"cmp"
	"math/rand/v2"
	"slices"
)

// This file connects the components of a random network (see random.go).
//
// Invariant: a spare link lies on a cycle, so its component stays connected without it. A
// network of n switches with at least n-1 links has at least as many spare links as components
// minus one.

// connect exchanges links until the network is connected. The network must have at least
// switches-1 links, and each switch at least one.
func connect(edges []edge, switches int, rng *rand.Rand) {
	parts := newComponents(edges, switches)
	if len(parts) < 2 {
		return
	}
	// Start with the components that have most spare links (links outside a spanning tree).
	// Connecting a tree uses up one spare link of another component.
	slices.SortStableFunc(parts, func(a, b *component) int { return cmp.Compare(len(b.spare), len(a.spare)) })
	whole := parts[0]
	for _, p := range parts[1:] {
		at := rng.IntN(len(whole.spare))
		i, j := whole.spare[at], p.first
		if len(p.spare) > 0 {
			j = p.spare[rng.IntN(len(p.spare))]
		}
		e, f := edges[i], edges[j]
		edges[i], edges[j] = edge{e[0], f[0]}, edge{e[1], f[1]}
		if len(p.spare) == 0 { // both new links are needed
			last := len(whole.spare) - 1
			whole.spare[at] = whole.spare[last]
			whole.spare = whole.spare[:last]
			continue
		}
		// One of the two new links is spare: link i. Link j now connects the components.
		whole.spare = append(whole.spare, slices.DeleteFunc(p.spare, func(k int) bool { return k == j })...)
	}
}

// component is a connected component of a network.
type component struct {
	first int   // one of its links
	spare []int // its links outside a spanning tree
}

func newComponents(edges []edge, switches int) []*component {
	root := make([]int32, switches)
	for u := range root {
		root[u] = int32(u)
	}
	find := func(u int32) int32 {
		for root[u] != u {
			root[u] = root[root[u]]
			u = root[u]
		}
		return u
	}
	var spare []int
	for i, e := range edges {
		u, v := find(e[0]), find(e[1])
		if u == v {
			spare = append(spare, i)
		}
		root[max(u, v)] = min(u, v)
	}
	of := make(map[int32]*component)
	var parts []*component
	for i, e := range edges {
		if r := find(e[0]); of[r] == nil {
			of[r] = &component{first: i}
			parts = append(parts, of[r])
		}
	}
	for _, i := range spare {
		r := find(edges[i][0])
		of[r].spare = append(of[r].spare, i)
	}
	return parts
}
