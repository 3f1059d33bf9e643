package relationchanges

import (
	"fmt"
	"slices"
)

// This file lets the packets of a cycle look up their entries in all interleavings with changes.

// traveller is a packet: its destination and the places on its path. stranded says that it finds no next hop at the end.
type traveller struct {
	d        int
	path     []int
	stranded bool
}

// parts says what changes at once.
type parts string

func (p parts) of(w *world, d, u int) int {
	switch p {
	case "switch":
		return u
	case "destination":
		return d
	}
	return d*w.switches + u
}

// canMeet reports whether all travellers can look up their entries one after the other, each on its path. Drained, nothing changes meanwhile.
func (w *world) canMeet(list []traveller, p parts, drained bool) bool {
	bit := map[int]int{} // by part on the paths
	for _, t := range list {
		for _, place := range t.path {
			if k := p.of(w, t.d, w.at(place)); bit[k] == 0 {
				bit[k] = 1 << len(bit)
			}
		}
	}
	seen := map[string]bool{}
	var visit func(at []int, set int) bool
	visit = func(at []int, set int) bool {
		key := fmt.Sprint(at, set)
		if seen[key] {
			return false
		}
		seen[key] = true
		done := true
		for i, t := range list {
			lookups := len(t.path) - 1
			if t.stranded {
				lookups++
			}
			if at[i] == lookups {
				continue
			}
			done = false
			place := t.path[at[i]]
			side := 0
			if set&bit[p.of(w, t.d, w.at(place))] != 0 {
				side = 1
			}
			if w.gives(t, at[i], side, at[i] == lookups-1) {
				next := slices.Clone(at)
				next[i]++
				if visit(next, set) {
					return true
				}
			}
		}
		if done {
			return true
		}
		for _, b := range bit {
			if !drained && set&b == 0 && visit(at, set|b) {
				return true
			}
		}
		return false
	}
	if !drained {
		return visit(make([]int, len(list)), 0)
	}
	for set := range 1 << len(bit) {
		if visit(make([]int, len(list)), set) {
			return true
		}
	}
	return false
}

// gives reports whether an entry leads a traveller on. At its last lookup it waits for this hop only.
func (w *world) gives(t traveller, i, side int, last bool) bool {
	hops := w.next[side][t.d][t.path[i]]
	if i == len(t.path)-1 {
		return len(hops) == 0
	}
	return slices.Contains(hops, t.path[i+1]) && (!last || w.one || len(hops) == 1)
}
