package enumerate

import (
	"context"
	"math/big"
	"slices"
)

// This file counts the sets that contain none of given sets, without listing them. It builds a binary decision diagram.
// Source: R. E. Bryant, Graph-based algorithms for Boolean function manipulation, IEEE Trans. Computers 35(8), 1986.
// Cost: time and memory in proportion to the nodes, 16 to 20 bytes each.

// diagram holds functions of elements 0 to n-1. Node 0 is false, node 1 is true.
type diagram struct {
	nodes  []node
	table  []int32 // of hashes of nodes: the node, 0 if there is none
	joined []conjunction
	tell   func(nodes int) // called from time to time, if not nil
}

// node is a decision: without and with are the functions if the element is not in the set, and if it is.
type node struct{ element, without, with int32 }

// conjunction is a result of and, for reuse.
type conjunction struct{ f, g, both int32 }

const (
	firstTable = 1 << 12 // a power of 2, as all sizes of tables
	mostJoined = 1 << 20
)

func newDiagram(n int) *diagram {
	end := node{element: int32(n)}
	return &diagram{nodes: []node{end, end}, table: make([]int32, firstTable), joined: make([]conjunction, mostJoined)}
}

func hash(a, b, c int32) uint64 {
	h := (uint64(uint32(a))<<32|uint64(uint32(b)))*0x9e3779b97f4a7c15 + uint64(uint32(c))*0xc2b2ae3d27d4eb4f
	return (h ^ h>>29) * 0xbf58476d1ce4e5b9 >> 20
}

// node returns the number of a node.
func (d *diagram) node(element, without, with int32) int32 {
	if without == with {
		return with
	}
	key := node{element, without, with}
	i := d.place(key)
	if d.table[i] != 0 {
		return d.table[i]
	}
	k := int32(len(d.nodes))
	d.table[i] = k
	d.nodes = append(d.nodes, key)
	if 2*len(d.nodes) > len(d.table) {
		d.table = make([]int32, 2*len(d.table))
		for j := 2; j < len(d.nodes); j++ {
			d.table[d.place(d.nodes[j])] = int32(j)
		}
	}
	if d.tell != nil && len(d.nodes)%(1<<16) == 0 {
		d.tell(len(d.nodes))
	}
	return k
}

// place returns the place of a node in the table, or the free place where it belongs.
func (d *diagram) place(key node) uint64 {
	mask := uint64(len(d.table) - 1)
	i := hash(key.element, key.without, key.with) & mask
	for d.table[i] != 0 && d.nodes[d.table[i]] != key {
		i = (i + 1) & mask
	}
	return i
}

// and returns the conjunction of two functions.
func (d *diagram) and(f, g int32) int32 {
	switch {
	case f == 0 || g == 0:
		return 0
	case f == 1 || f == g:
		return g
	case g == 1:
		return f
	case f > g:
		f, g = g, f
	}
	known := &d.joined[hash(f, g, 0)%mostJoined]
	if known.f == f && known.g == g {
		return known.both
	}
	a, b := d.nodes[f], d.nodes[g]
	element := min(a.element, b.element)
	if a.element > element {
		a.without, a.with = f, f
	}
	if b.element > element {
		b.without, b.with = g, g
	}
	both := d.node(element, d.and(a.without, b.without), d.and(a.with, b.with))
	*known = conjunction{f, g, both}
	return both
}

// lacks returns the function of the sets that do not contain all of these elements, which ascend.
func (d *diagram) lacks(list []int) int32 {
	f := int32(0)
	for _, k := range slices.Backward(list) {
		f = d.node(int32(k), 1, f)
	}
	return f
}

// lacksAll returns the function of the sets that contain none of the given sets. Sorted sets make fewer nodes.
func (d *diagram) lacksAll(ctx context.Context, sets [][]int) (int32, error) {
	switch {
	case ctx.Err() != nil:
		return 0, ctx.Err()
	case len(sets) == 0:
		return 1, nil
	case len(sets) == 1:
		return d.lacks(sets[0]), nil
	}
	f, err := d.lacksAll(ctx, sets[:len(sets)/2])
	if err != nil {
		return 0, err
	}
	g, err := d.lacksAll(ctx, sets[len(sets)/2:])
	if err != nil {
		return 0, err
	}
	return d.and(f, g), nil
}

// count returns the number of sets of which a function is true.
func (d *diagram) count(f int32) *big.Int {
	counts := map[int32]*big.Int{0: new(big.Int), 1: big.NewInt(1)}
	var from func(k int32) *big.Int // of the elements from that of the node on
	from = func(k int32) *big.Int {
		if c, ok := counts[k]; ok {
			return c
		}
		x := d.nodes[k]
		sum := new(big.Int)
		for _, next := range []int32{x.without, x.with} {
			skipped := uint(d.nodes[next].element - x.element - 1)
			sum.Add(sum, new(big.Int).Lsh(from(next), skipped))
		}
		counts[k] = sum
		return sum
	}
	return new(big.Int).Lsh(from(f), uint(d.nodes[f].element))
}
