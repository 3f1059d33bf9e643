package transitions

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// This file draws cases.

// world is a tiny network with two tables. Each switch has at most one host. Destination d is the host at switch hosts[d].
type world struct {
	switches int
	links    [][2]int   // channel 2l leads from links[l][0] to links[l][1], channel 2l+1 back
	hosts    []int      // by host: its switch
	tables   [2][][]int // old and new, by destination and switch: the channel out, own, or none
	classes  int        // 1 or 2; the VC is the class
	sends    [2][][]int // old and new, by destination and host: the set of classes
}

// The entries that are no channels.
const (
	none = -1
	own  = -2 // to the host of the switch
)

// head returns the switch that a channel enters.
func (w *world) head(c int) int { return w.links[c/2][1-c%2] }

// tail returns the switch that a channel leaves.
func (w *world) tail(c int) int { return w.links[c/2][c%2] }

// differs reports whether the entry of switch u for destination d changes: the channel, or the classes of the host of the switch.
func (w *world) differs(d, u int) bool {
	h := slices.Index(w.hosts, u)
	return w.tables[0][d][u] != w.tables[1][d][u] || h >= 0 && h != d && w.sends[0][d][h] != w.sends[1][d][h]
}

// draw draws a case.
func draw(r *rand.Rand) *world {
	w := &world{switches: 3 + r.IntN(3), classes: 1}
	ring := r.IntN(2) == 0
	for u := 1; u < w.switches; u++ { // a tree or a ring, and some more links
		before := u - 1
		if !ring {
			before -= r.IntN(min(u, 2))
		}
		w.links = append(w.links, [2]int{before, u})
	}
	more := 1 + r.IntN(3)
	if ring {
		w.links = append(w.links, [2]int{w.switches - 1, 0})
		more = r.IntN(3)
	}
	for range more {
		u, v := r.IntN(w.switches), r.IntN(w.switches)
		if u != v && (r.IntN(4) == 0 || !w.joined(u, v)) {
			w.links = append(w.links, [2]int{u, v})
		}
	}
	for u := range w.switches {
		if r.IntN(6) > 0 || len(w.hosts) == 0 && u == w.switches-1 {
			w.hosts = append(w.hosts, u)
		}
	}
	if len(w.hosts) < 2 {
		w.hosts = []int{0, w.switches - 1}
	}
	w.tables[0] = w.drawTable(r, nil)
	w.tables[1] = w.drawTable(r, w.tables[0])
	if r.IntN(3) == 0 {
		w.classes = 2
	}
	other := w.classes == 2 && r.IntN(3) > 0 // the new classes are others
	for range w.hosts {
		sets := [2][]int{make([]int, len(w.hosts)), make([]int, len(w.hosts))}
		for h := range w.hosts {
			for i, set := range sets {
				switch {
				case w.classes == 1:
					set[h] = 1
				case i == 0 || other && r.IntN(2) == 0:
					set[h] = 1 + r.IntN(3)
				default:
					set[h] = sets[0][h]
				}
			}
		}
		for i, set := range sets {
			w.sends[i] = append(w.sends[i], set)
		}
	}
	return w
}

func (w *world) joined(u, v int) bool {
	return slices.Contains(w.links, [2]int{u, v}) || slices.Contains(w.links, [2]int{v, u})
}

// drawTable draws a table: shortest paths with random ties, a tree, up*/down* paths, the table before with a few changes, or anything.
func (w *world) drawTable(r *rand.Rand, before [][]int) [][]int {
	kind := []int{0, 0, 1, 2, 2, 2, 2, 3, 4}[r.IntN(9)]
	if before == nil && kind == 3 {
		kind = 0
	}
	tree := w.drawTree(r)
	rank := w.drawRanks(r)
	var table [][]int
	for d, at := range w.hosts {
		var row []int
		switch kind {
		case 0:
			row = w.toward(r, at, func(int) bool { return true })
		case 1:
			row = w.toward(r, at, func(c int) bool { return tree[c/2] })
		case 2:
			row = w.upDown(r, at, rank)
		case 3:
			row = slices.Clone(before[d])
			for range r.IntN(3) {
				row[r.IntN(w.switches)] = w.anyOut(r, r.IntN(w.switches))
			}
			for u, c := range row { // an entry of another switch
				if c >= 0 && w.tail(c) != u {
					row[u] = before[d][u]
				}
			}
		default:
			row = w.toward(r, at, func(int) bool { return true })
			for u := range row {
				if u != at && r.IntN(3) == 0 {
					row[u] = w.anyOut(r, u)
				}
			}
		}
		row[at] = own
		table = append(table, row)
	}
	return table
}

// drawRanks ranks switches by their distance from a random root, with random ties. Seldom the ranks are random.
func (w *world) drawRanks(r *rand.Rand) []int {
	rank := r.Perm(w.switches)
	if r.IntN(5) == 0 {
		return rank
	}
	far := slices.Repeat([]int{99}, w.switches)
	far[r.IntN(w.switches)] = 0
	for range w.switches {
		for c := range 2 * len(w.links) {
			far[w.tail(c)] = min(far[w.tail(c)], far[w.head(c)]+1)
		}
	}
	for u := range rank {
		rank[u] += 10 * far[u]
	}
	return rank
}

// anyOut returns a channel out of switch u, seldom none.
func (w *world) anyOut(r *rand.Rand, u int) int {
	list := w.out(u)
	if r.IntN(12) == 0 {
		return none
	}
	return list[r.IntN(len(list))]
}

// out returns the channels out of switch u.
func (w *world) out(u int) (list []int) {
	for c := range 2 * len(w.links) {
		if w.tail(c) == u {
			list = append(list, c)
		}
	}
	return list
}

// drawTree returns a spanning tree, by link.
func (w *world) drawTree(r *rand.Rand) []bool {
	tree, part := make([]bool, len(w.links)), make([]int, w.switches)
	for u := range part {
		part[u] = u
	}
	for _, l := range r.Perm(len(w.links)) {
		if a, b := part[w.links[l][0]], part[w.links[l][1]]; a != b {
			tree[l] = true
			for u := range part {
				if part[u] == b {
					part[u] = a
				}
			}
		}
	}
	return tree
}

// toward returns shortest paths to a switch along permitted channels, by switch.
func (w *world) toward(r *rand.Rand, at int, permitted func(c int) bool) []int {
	row, far := slices.Repeat([]int{none}, w.switches), slices.Repeat([]int{99}, w.switches)
	far[at] = 0
	for range w.switches {
		for _, c := range r.Perm(2 * len(w.links)) {
			if u, v := w.tail(c), w.head(c); permitted(c) && far[v]+1 < far[u] {
				far[u], row[u] = far[v]+1, c
			}
		}
	}
	return row
}

// upDown returns paths that only descend by rank once they have descended, if the entries of all switches agree on them.
func (w *world) upDown(r *rand.Rand, at int, rank []int) []int {
	row, far := slices.Repeat([]int{none}, w.switches), slices.Repeat([]int{99}, w.switches)
	far[at] = 0
	down := func(c int) bool { return rank[w.head(c)] > rank[w.tail(c)] }
	for range w.switches { // paths that descend all the way
		for _, c := range r.Perm(2 * len(w.links)) {
			if u, v := w.tail(c), w.head(c); down(c) && far[v]+1 < far[u] {
				far[u], row[u] = far[v]+1, c
			}
		}
	}
	for range w.switches { // others ascend first
		for _, c := range r.Perm(2 * len(w.links)) {
			if u, v := w.tail(c), w.head(c); !down(c) && far[u] == 99 && far[v] < 99 {
				far[u], row[u] = far[v]+1, c
			}
		}
	}
	return row
}

// text describes a case.
func (w *world) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d switches, links %v, hosts at %v, %d classes %v\n", w.switches, w.links, w.hosts, w.classes, w.sends)
	for i, name := range []string{"old", "new"} {
		fmt.Fprintf(&b, "%s: %v\n", name, w.tables[i])
	}
	return b.String()
}
