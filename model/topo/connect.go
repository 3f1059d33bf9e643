package topo

import (
	"cmp"
	"math/rand/v2"
	"slices"
)

// This file joins the parts of a random network (see random.go).
//
// Invariant: a spare link lies on a cycle of its part, so that the part holds
// together without it. A network of n switches and at least n-1 links has at
// least as many spare links as it has parts less one.

// connect joins the parts of a network whose links are at least one fewer than
// its switches, each of which has one.
func connect(edges []edge, switches int, rng *rand.Rand) {
	parts := newParts(edges, switches)
	if len(parts) < 2 {
		return
	}
	// Parts with most spare links (those that are in no spanning tree) first:
	// a tree can only be joined at the cost of one.
	slices.SortStableFunc(parts, func(a, b *part) int { return cmp.Compare(len(b.spare), len(a.spare)) })
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
		// One of the two new links is spare: link i, while j now holds the parts together.
		whole.spare = append(whole.spare, slices.DeleteFunc(p.spare, func(k int) bool { return k == j })...)
	}
}

// part is a connected part of a network.
type part struct {
	first int   // a link of it
	spare []int // its links outside a spanning tree
}

func newParts(edges []edge, switches int) []*part {
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
	of := make(map[int32]*part)
	var parts []*part
	for i, e := range edges {
		if r := find(e[0]); of[r] == nil {
			of[r] = &part{first: i}
			parts = append(parts, of[r])
		}
	}
	for _, i := range spare {
		r := find(edges[i][0])
		of[r].spare = append(of[r].spare, i)
	}
	return parts
}
