package relationchanges

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// This file draws cases.

// world is a tiny network with two relations. Destination d is the host at switch hosts[d]; a switch has at most one host.
type world struct {
	switches, vcs int
	links         [][2]int // channel 2l leads from links[l][0] to links[l][1], channel 2l+1 back; VC v of channel c is c*vcs+v
	hosts         []int
	next          [2][][][]int // by side, destination and place: the next places, ascending; own for the host
	one, drops    bool

	// Of worlds that a certificate states: packets of each endpoint are created at a place of their own, and only some pairs send.
	sources []int           // by endpoint: its switch; nil if that is hosts, with a place for each switch
	sends   map[[2]int]bool // by source and destination; nil for all pairs of different hosts
	listed  map[[2]int]bool // by destination and place: the state is listed
}

// own is the place of packets that have arrived. A place is a VC, or after the VCs a switch whose host has created a packet.
const own = -1

func (w *world) numVCs() int { return 2 * len(w.links) * w.vcs }

// at returns the switch of a place.
func (w *world) at(place int) int {
	if n := w.numVCs(); place >= n {
		if w.sources != nil {
			return w.sources[place-n]
		}
		return place - n
	}
	c := place / w.vcs
	return w.links[c/2][1-c%2]
}

// starts returns the places of packets to destination d that have just been created.
func (w *world) starts(d int) (list []int) {
	for e := range w.sources {
		if w.sends[[2]int{e, d}] {
			list = append(list, w.numVCs()+e)
		}
	}
	for e, u := range w.hosts {
		if w.sources == nil && e != d {
			list = append(list, w.numVCs()+u)
		}
	}
	return list
}

// out returns the channels out of a switch.
func (w *world) out(u int) (list []int) {
	for l, ends := range w.links {
		if ends[0] == u {
			list = append(list, 2*l)
		}
		if ends[1] == u {
			list = append(list, 2*l+1)
		}
	}
	return list
}

// differs reports whether the entry of switch u for destination d differs anywhere, also where no packet comes.
func (w *world) differs(d, u int) bool {
	for p := range w.next[0][d] {
		if w.at(p) == u && !slices.Equal(w.next[0][d][p], w.next[1][d][p]) {
			return true
		}
	}
	return false
}

// draw draws a case.
func draw(r *rand.Rand) *world {
	w := &world{switches: 3 + r.IntN(2), vcs: 1 + r.IntN(3)/2, one: r.IntN(2) == 0, drops: r.IntN(4) == 0}
	for u := 1; u < w.switches; u++ {
		w.links = append(w.links, [2]int{u - 1 - r.IntN(min(u, 2)), u})
	}
	for range 1 + r.IntN(2) {
		if u, v := r.IntN(w.switches), r.IntN(w.switches); u != v {
			w.links = append(w.links, [2]int{u, v})
		}
	}
	for u := range w.switches {
		if r.IntN(5) > 0 {
			w.hosts = append(w.hosts, u)
		}
	}
	if len(w.hosts) < 2 {
		w.hosts = []int{0, w.switches - 1}
	}
	kind := r.IntN(7)
	for side := range w.next {
		rank := r.Perm(w.switches)
		for d := range w.hosts {
			w.next[side] = append(w.next[side], w.drawNext(r, d, kind, rank))
		}
	}
	for d := range w.hosts { // few entries differ
		for u := range w.switches {
			if r.IntN(3) == 0 {
				for p := range w.next[0][d] {
					if w.at(p) == u {
						w.next[1][d][p] = w.next[0][d][p]
					}
				}
			}
		}
	}
	return w
}

// drawNext draws the next places of packets to a destination. Kinds: 0 shortest paths, 1 one shortest path, 2 up*/down* by rank, where the
// next hop depends on the channel before, 3 anything, 4 the next VC goes by the VC before, 5 and 6 as 0 and 3, by switch and destination only.
func (w *world) drawNext(r *rand.Rand, d, kind int, rank []int) [][]int {
	n, at := w.numVCs(), w.hosts[d]
	far := w.distances(at)
	next := make([][]int, n+w.switches)
	first := r.IntN(w.vcs)
	for p := range next {
		u := w.at(p)
		if u == at {
			next[p] = []int{own}
			continue
		}
		var list []int
		for _, c := range w.out(u) {
			to := w.links[c/2][1-c%2]
			ok := far[to] < far[u]
			if kind == 2 && p < n { // after a channel down no channel up
				from := w.links[p/w.vcs/2][p/w.vcs%2]
				ok = ok && !(rank[from] < rank[u] && rank[u] > rank[to])
			}
			if kind == 3 || kind == 6 {
				ok = r.IntN(2) == 0
			}
			if !ok {
				continue
			}
			v := first
			if kind == 4 && p < n {
				v = min(p%w.vcs+r.IntN(2), w.vcs-1)
			}
			list = append(list, c*w.vcs+v)
			if r.IntN(8) == 0 && w.vcs > 1 {
				list = append(list, c*w.vcs+1-v)
			}
		}
		if kind != 0 && len(list) > 1 && (kind == 1 || r.IntN(2) == 0) {
			list = []int{list[r.IntN(len(list))]}
		}
		if len(list) == 0 && p >= n && !w.drops {
			list = []int{w.out(u)[0] * w.vcs}
		}
		slices.Sort(list)
		next[p] = slices.Compact(list)
	}
	for p := range next[:n] {
		if kind >= 5 { // as packets from the host of the switch
			next[p] = next[n+w.at(p)]
		}
	}
	return next
}

// distances returns the hops to a switch.
func (w *world) distances(at int) []int {
	far := slices.Repeat([]int{99}, w.switches)
	far[at] = 0
	for range w.switches {
		for _, ends := range w.links {
			far[ends[0]], far[ends[1]] = min(far[ends[0]], far[ends[1]]+1), min(far[ends[1]], far[ends[0]]+1)
		}
	}
	return far
}

// text describes a case.
func (w *world) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d switches, %d VCs, links %v, hosts at %v, one %v, drops %v\n", w.switches, w.vcs, w.links, w.hosts, w.one, w.drops)
	for i, name := range []string{"old", "new"} {
		fmt.Fprintf(&b, "%s: %v\n", name, w.next[i])
	}
	return b.String()
}
