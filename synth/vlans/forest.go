package vlans

import (
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file implements a forest to which the links of paths are added.
//
// Promise: exact; a path is added completely or not at all. Method: union by size without path
// compression, so that the last addition can be undone. Cost: O(log switches) a link.

type forest struct {
	net    *model.Network
	above  []int32 // by switch: its parent in the union-find tree, or itself at the root
	size   []int32 // by root: number of switches below it
	uses   []int32 // by link: number of added paths that use it
	layer  int
	joined []int32 // roots that the last path has joined to another root
}

func newForest(n *model.Network, layer int) *forest {
	f := &forest{net: n, above: make([]int32, n.NumSwitches()), size: make([]int32, n.NumSwitches()), uses: make([]int32, n.NumLinks()), layer: layer}
	for u := range f.above {
		f.above[u], f.size[u] = int32(u), 1
	}
	return f
}

func (f *forest) top(u model.SwitchID) int32 {
	t := int32(u)
	for f.above[t] != t {
		t = f.above[t]
	}
	return t
}

// add adds a path. It returns false and changes nothing if that would close a cycle.
func (f *forest) add(way []model.LinkID) bool {
	f.joined = f.joined[:0]
	for _, l := range way {
		if f.uses[l] > 0 {
			continue
		}
		k := f.net.Link(l)
		a, b := f.top(k.A), f.top(k.B)
		if a == b {
			f.part()
			return false
		}
		if f.size[a] > f.size[b] {
			a, b = b, a
		}
		f.above[a] = b
		f.size[b] += f.size[a]
		f.joined = append(f.joined, a)
	}
	for _, l := range way {
		f.uses[l]++
	}
	return true
}

// part separates the components that the last path has joined.
func (f *forest) part() {
	for _, t := range slices.Backward(f.joined) {
		f.size[f.above[t]] -= f.size[t]
		f.above[t] = t
	}
	f.joined = f.joined[:0]
}

// takeBack removes the path that was added last.
func (f *forest) takeBack(way []model.LinkID) {
	f.part()
	for _, l := range way {
		f.uses[l]--
	}
}

// fresh returns the number of links of a path that are not in the forest.
func (f *forest) fresh(way []model.LinkID) (k int) {
	for _, l := range way {
		if f.uses[l] == 0 {
			k++
		}
	}
	return k
}

// links returns the links of the forest in ascending order.
func (f *forest) links() (list []model.LinkID) {
	for l, uses := range f.uses {
		if uses > 0 {
			list = append(list, model.LinkID(l))
		}
	}
	return list
}
