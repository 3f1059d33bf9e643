package cdg

import "slices"

// This file keeps a numbering while dependencies come one by one: a dynamic
// topological order.
//
// Promise: Add refuses a dependency iff it would close a cycle with those that
// are there; after each call Rank is a numbering of what is there.
// Method: D. Pearce and P. Kelly, A dynamic topological sort algorithm for
// directed acyclic graphs, ACM JEA 11, 2006. A dependency that rises in the
// present numbering costs nothing; else only the VCs ranked between its ends
// are looked at, forwards from the upper and backwards from the lower, and
// renumbered.
// Cost: a dependency that rises, O(1). Else O(k log k + dependencies of the k
// VCs looked at). Memory: some eight bytes a dependency.

// Order is an acyclic graph with its numbering. It is not safe for concurrent use.
type Order struct {
	rank []int32   // by vertex
	at   []int32   // by rank
	next [][]int32 // by vertex
	back [][]int32
	mark []uint32 // by vertex: the search that has seen it
	seen uint32
	fore []int32 // scratch: found forwards, backwards
	aft  []int32
	pool []int32
}

// NewOrder returns a graph of n vertices without dependencies, numbered as they
// come; with rank, a permutation, numbered so to begin with. A numbering that
// most of what is to come raises saves work.
func NewOrder(n int, rank []int32) *Order {
	o := &Order{rank: make([]int32, n), at: make([]int32, n), next: make([][]int32, n), back: make([][]int32, n), mark: make([]uint32, n)}
	for v := range o.rank {
		o.rank[v] = int32(v)
		if rank != nil {
			o.rank[v] = rank[v]
		}
		o.at[o.rank[v]] = int32(v)
	}
	return o
}

// Rank returns the numbering, by vertex. It must not be written to.
func (o *Order) Rank() []int32 { return o.rank }

// Add adds the dependency of b on a and reports whether it could: false means
// that it would close a cycle, and nothing has changed. a and b must differ, and
// the dependency must be new.
func (o *Order) Add(a, b int32) bool {
	if o.rank[a] > o.rank[b] && !o.lift(a, b) {
		return false
	}
	o.next[a] = append(o.next[a], b)
	o.back[b] = append(o.back[b], a)
	return true
}

// Remove takes away a dependency that is there, at a cost of the number of
// dependencies of its two ends. The numbering stays.
func (o *Order) Remove(a, b int32) {
	o.next[a] = without(o.next[a], b)
	o.back[b] = without(o.back[b], a)
}

func without(list []int32, v int32) []int32 {
	for i := len(list) - 1; i >= 0; i-- { // mostly the last
		if list[i] == v {
			list[i] = list[len(list)-1]
			return list[:len(list)-1]
		}
	}
	panic("cdg: a dependency that is not there cannot be removed")
}

// lift renumbers so that b comes after a. It reports false if a can be reached
// from b.
func (o *Order) lift(a, b int32) bool {
	low, high := o.rank[b], o.rank[a]
	o.seen++
	o.fore = o.fore[:0]
	o.mark[b] = o.seen
	o.fore = append(o.fore, b)
	for i := 0; i < len(o.fore); i++ {
		for _, w := range o.next[o.fore[i]] {
			if w == a {
				return false
			}
			if o.mark[w] != o.seen && o.rank[w] < high {
				o.mark[w] = o.seen
				o.fore = append(o.fore, w)
			}
		}
	}
	o.aft = append(o.aft[:0], a)
	o.mark[a] = o.seen
	for i := 0; i < len(o.aft); i++ {
		for _, w := range o.back[o.aft[i]] {
			if o.mark[w] != o.seen && o.rank[w] > low {
				o.mark[w] = o.seen
				o.aft = append(o.aft, w)
			}
		}
	}
	o.renumber()
	return true
}

// renumber gives the ranks of all that was found to those found backwards
// first, then to those found forwards, each in their present order.
func (o *Order) renumber() {
	o.byRank(o.aft)
	o.byRank(o.fore)
	o.pool = o.pool[:0]
	for _, list := range [][]int32{o.aft, o.fore} {
		for _, v := range list {
			o.pool = append(o.pool, o.rank[v])
		}
	}
	slices.Sort(o.pool)
	i := 0
	for _, list := range [][]int32{o.aft, o.fore} {
		for _, v := range list {
			o.rank[v], o.at[o.pool[i]] = o.pool[i], v
			i++
		}
	}
}

// byRank sorts vertices by their rank.
func (o *Order) byRank(list []int32) {
	for i, v := range list {
		list[i] = o.rank[v]
	}
	slices.Sort(list)
	for i, r := range list {
		list[i] = o.at[r]
	}
}
