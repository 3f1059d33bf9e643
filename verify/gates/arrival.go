package gates

import (
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/gate"
)

// This file finds an order in which the packets of a deadlock with gates can reach their
// places, one at a time, while those before them stay where they are.
//
// Method: go backwards. Remove a packet that can come last, and repeat. With fewer packets
// more gates are open and more room is left. So any choice is right: if no packet can be
// removed, no order exists.
// A packet moves whole from VC to VC, or each flit moves directly to its place. The first
// method closes gates behind the packet, the second keeps all VCs of its path.
// Cost: O(packets²) journeys, each with one step for each flit and hop.

// sortByArrival sorts the packets of c into an order in which they can arrive. It reports
// whether such an order exists.
func (c *configuration) sortByArrival(g *subject) bool {
	a := g.newArrivalSearch(c)
	left := make([]int, len(c.packets))
	for i := range left {
		left[i] = i
	}
	var order []int // last packet first
	for len(left) > 0 {
		k := slices.IndexFunc(left, a.removeLast)
		if k < 0 {
			return false
		}
		order, left = append(order, left[k]), slices.Delete(left, k, k+1)
	}
	slices.Reverse(order)
	packets, flits := make([]*cdg.Packet, 0, len(order)), make([][]int, 0, len(order))
	for _, i := range order {
		packets, flits = append(packets, c.packets[i]), append(flits, c.flits[i])
	}
	c.packets, c.flits = packets, flits
	return true
}

// arrivalSearch is a set of placed packets and their buffers.
type arrivalSearch struct {
	*subject
	c       *configuration
	buffers []bufferState // by VC
	set     []bool        // by VC between switches: its bit
}

// bufferState is the content of the buffer of a VC.
type bufferState struct {
	flits    int
	packets  int // packets with flits in the buffer, or with flits before and beyond it
	entering int // packets with flits before it
}

// newArrivalSearch places all packets of c.
func (g *subject) newArrivalSearch(c *configuration) *arrivalSearch {
	rule := *g
	rule.vcs = g.sizes.Rule.VCs // the configuration may have been built with other bits
	a := &arrivalSearch{subject: &rule, c: c, buffers: make([]bufferState, g.n.NumVCs()), set: make([]bool, g.size)}
	for i := range c.packets {
		a.place(i, 1)
	}
	return a
}

// place puts packet i on its places if k is 1, and removes it if k is -1.
func (a *arrivalSearch) place(i, k int) {
	tail := a.tailIndex(i)
	for j, flits := range a.c.flits[i] {
		if v := a.c.packets[i].Path[j].VC; j >= tail && !a.isEjection(v) {
			a.add(v, bufferState{k * flits, k, 0})
			if j > tail {
				a.buffers[v].entering += k
			}
		}
	}
}

// tailIndex returns the first place of packet i that has flits.
func (a *arrivalSearch) tailIndex(i int) int {
	return slices.IndexFunc(a.c.flits[i], func(k int) bool { return k > 0 })
}

func (a *arrivalSearch) isEjection(v model.VCID) bool {
	c, _ := a.n.Channel(v)
	return a.n.Kind(c) == model.Eject
}

// add adds b to the buffer of v and updates its bit.
func (a *arrivalSearch) add(v model.VCID, b bufferState) {
	a.buffers[v].flits += b.flits
	a.buffers[v].packets += b.packets
	if !a.n.IsLinkVC(v) {
		return
	}
	taken := a.buffers[v].flits
	if a.sizes.Rule.Buffer == gate.Reserved {
		taken = a.buffers[v].packets * a.sizes.Packet
	}
	a.set[v] = a.sizes.Buffer-taken <= a.sizes.Rule.Level
}

// removeLast removes packet i if it can come last, to its places or to those of another layout. It
// reports whether it did.
func (a *arrivalSearch) removeLast(i int) bool {
	a.place(i, -1)
	for _, flits := range a.layouts(i) {
		before := a.c.flits[i]
		if a.c.flits[i] = flits; a.canArrive(i) {
			return true
		}
		a.c.flits[i] = before
	}
	a.place(i, 1)
	return false
}

// layouts returns the possible placements of the flits of packet i: the current one and, if
// all flits are beyond a gate by flit, one that leaves in front of the gate the flits that
// the other packets keep from passing.
func (a *arrivalSearch) layouts(i int) [][]int {
	flits, path := a.c.flits[i], a.c.packets[i].Path
	last := len(path) - 1
	if a.sizes.Rule.Unit != gate.Flit || last == 0 || flits[last] != a.sizes.Packet {
		return [][]int{flits}
	}
	in, _ := a.n.Channel(path[last-1].VC)
	room := 1 // flits that pass the gate until the bit is set
	if a.sizes.Rule.Buffer == gate.Stored {
		room = max(room, a.sizes.Buffer-a.sizes.Rule.Level-a.buffers[path[last].VC].flits)
	}
	if room >= a.sizes.Packet || !a.gates.Has(in, path[last].VC) {
		return [][]int{flits}
	}
	spread := slices.Clone(flits)
	spread[last-1], spread[last] = a.sizes.Packet-room, room
	return [][]int{flits, spread}
}

// canArrive reports whether packet i can reach its places, by moveWhole or moveByFlit.
func (a *arrivalSearch) canArrive(i int) (comes bool) {
	before, set := slices.Clone(a.buffers), slices.Clone(a.set)
	for _, way := range []func(i int) bool{a.moveWhole, a.moveByFlit} {
		comes = comes || way(i)
		copy(a.buffers, before)
		copy(a.set, set)
	}
	return comes
}

// moveWhole moves packet i whole from VC to VC until its tail is in place, then the remaining
// flits to their places. It reports whether nothing blocks a move.
func (a *arrivalSearch) moveWhole(i int) bool {
	path, flits, tail := a.c.packets[i].Path, a.c.flits[i], a.tailIndex(i)
	if !a.inject(path[0].VC) {
		return false
	}
	beyond := a.sizes.Packet // flits that pass the next hop
	for j := range len(path) - 1 {
		if j >= tail {
			beyond -= flits[j]
		}
		for k := range beyond {
			if !a.moveFlit(path[j].VC, path[j+1].VC, k == 0) {
				return false
			}
		}
		if j < tail {
			a.add(path[j].VC, bufferState{packets: -1})
		}
	}
	return true
}

// moveByFlit moves each flit of packet i to its place before the next flit starts. It reports
// whether nothing blocks a move.
func (a *arrivalSearch) moveByFlit(i int) bool {
	path, flits, tail := a.c.packets[i].Path, a.c.flits[i], a.tailIndex(i)
	if !a.inject(path[0].VC) {
		return false
	}
	place := len(path) - 1                // the place that flits move to
	left := a.sizes.Packet + flits[place] // flits still to move there; flits that have arrived count as well
	for _, k := range flits {
		left -= k
	}
	for f := range a.sizes.Packet {
		for ; left == 0; left = flits[place] {
			place--
		}
		left--
		for j := range place {
			if !a.moveFlit(path[j].VC, path[j+1].VC, f == 0) {
				return false
			}
		}
	}
	for j := range tail {
		a.add(path[j].VC, bufferState{packets: -1})
	}
	return true
}

// inject puts a packet on an injection VC. It reports whether the VC was free.
func (a *arrivalSearch) inject(v model.VCID) bool {
	free := a.isFree(v)
	a.add(v, bufferState{flits: a.sizes.Packet, packets: 1})
	return free
}

// moveFlit moves a flit over a hop, and reports whether the hop was possible.
func (a *arrivalSearch) moveFlit(from, to model.VCID, head bool) bool {
	in, _ := a.n.Channel(from)
	can := !head || a.buffers[from].packets == 1 // no packet is in front of it
	if (head || a.sizes.Rule.Unit == gate.Flit) && a.gates.Has(in, to) {
		can = can && !a.isClosed(to, a.set, 0)
	}
	a.add(from, bufferState{flits: -1})
	switch {
	case a.isEjection(to):
	case head:
		can = can && a.isFree(to)
		a.add(to, bufferState{flits: 1, packets: 1})
	default:
		a.add(to, bufferState{flits: 1})
	}
	return can
}

// isFree reports whether VC v has room for a packet and no packet is entering it.
func (a *arrivalSearch) isFree(v model.VCID) bool {
	b := a.buffers[v]
	return b.entering == 0 && b.flits+a.sizes.Packet <= a.sizes.Buffer
}
