package cert

import (
	"cmp"
	"encoding/binary"
	"slices"
	"sync"
)

// This file numbers the states on VCs between switches, and the edges between them, for the evidence no-worms.
//
// Destinations with equal states share them: the same VCs and classes, next hops, hops to ejection and next hops
// of injection. States come in the order of the first of these destinations, then of VC and class. The edges of
// a state lead to its next states, each once, in ascending order.

// wormStates is states and edges.
type wormStates struct {
	vcs     int     // VCs between switches
	at      []int32 // by state: its VC
	first   []int32 // by state: its first edge; and one more
	from    []int32 // by edge: its state
	to      []int32 // by edge: the next state
	leaves  []bool  // by state: it has no hops, or one to an ejection channel
	commits []bool  // by state: a packet there waits for one of several hops
	starts  []bool  // by state: it is a next hop of injection
	on      [][]int32
	into    [][]int32 // by state: the edges that lead to it
	lock    sync.Mutex
	parts   []wormsTo
}

// wormsTo is the states of a block.
type wormsTo struct {
	dest int32 // its first destination
	*wormStates
	key string // equal for equal states
}

// keyAfter returns the key of the states, given that of VCs and classes.
func (w *wormStates) keyAfter(key []byte) string {
	for i := range w.at {
		for _, is := range []bool{w.leaves[i], w.commits[i], w.starts[i]} {
			if is {
				key = append(key, 1)
			} else {
				key = append(key, 0)
			}
		}
		key = binary.LittleEndian.AppendUint32(key, uint32(w.first[i]))
	}
	for _, to := range w.to {
		key = binary.LittleEndian.AppendUint32(key, uint32(to))
	}
	return string(key)
}

// join returns the states of all parts, which differ.
func (w *wormStates) join(vcs int) *wormStates {
	all := &wormStates{vcs: vcs, on: make([][]int32, vcs)}
	slices.SortFunc(w.parts, func(a, b wormsTo) int { return cmp.Compare(a.dest, b.dest) })
	known := map[string]bool{}
	for _, p := range w.parts {
		if known[p.key] {
			continue
		}
		known[p.key] = true
		states, edges := int32(len(all.at)), int32(len(all.to))
		all.at, all.starts = append(all.at, p.at...), append(all.starts, p.starts...)
		all.leaves, all.commits = append(all.leaves, p.leaves...), append(all.commits, p.commits...)
		for _, e := range p.first {
			all.first = append(all.first, edges+e)
		}
		for e, to := range p.to {
			all.from, all.to = append(all.from, states+p.from[e]), append(all.to, states+to)
		}
	}
	all.first = append(all.first, int32(len(all.to)))
	all.into = make([][]int32, len(all.at))
	for i, vc := range all.at {
		all.on[vc] = append(all.on[vc], int32(i))
	}
	for e, to := range all.to {
		all.into[to] = append(all.into[to], int32(e))
	}
	return all
}

// nextVCs returns the VCs of the next states of state i, each once.
func (w *wormStates) nextVCs(i int32) (vcs []int32) {
	for _, to := range w.to[w.first[i]:w.first[i+1]] {
		vcs = append(vcs, w.at[to])
	}
	slices.Sort(vcs)
	return slices.Compact(vcs)
}
