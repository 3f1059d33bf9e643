package verify

import (
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/gate"
)

// This file finds an order in which the packets of a deadlock with gates come to their
// places, one at a time, while those that came before stay where they are.
//
// Method: backwards. From all of them one is taken away that can come last, and so on. With
// fewer packets standing more gates are open and more room is left, so it does not matter
// which of several is taken: if none can, there is no such order.
// A packet comes whole from VC to VC, or each of its flits at once to where it is to stay:
// the one closes gates behind it, the other keeps all VCs of its way.
// Cost: O(packets²) journeys, each so many steps as its flits pass hops.

// order brings the packets of c into an order in which they can come, and reports whether
// there is one.
func (c *gatedConfiguration) order(g *gatedWaits) bool {
	a := g.standing(c)
	left := make([]int, len(c.packets))
	for i := range left {
		left[i] = i
	}
	var order []int // the last one first
	for len(left) > 0 {
		k := slices.IndexFunc(left, a.last)
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

// arrivals are packets that stand, and one that comes.
type arrivals struct {
	*gatedWaits
	c       *gatedConfiguration
	buffers []buffer // by VC
	set     []bool   // by VC between switches: its bit
}

// buffer is what stands in a VC's.
type buffer struct {
	flits   int
	packets int // with flits there, or with some before and some beyond
	coming  int // those with some before
}

// standing lays all packets of c on their places.
func (g *gatedWaits) standing(c *gatedConfiguration) *arrivals {
	rule := *g
	rule.vcs = g.o.Rule.VCs // a configuration may have been built by others
	a := &arrivals{gatedWaits: &rule, c: c, buffers: make([]buffer, g.n.NumVCs()), set: make([]bool, g.size)}
	for i := range c.packets {
		a.lay(i, 1)
	}
	return a
}

// lay lays packet i on its places (k = 1), or takes it off (-1).
func (a *arrivals) lay(i, k int) {
	tail := a.tail(i)
	for j, flits := range a.c.flits[i] {
		if v := a.c.packets[i].Path[j].VC; j >= tail && !a.ejects(v) {
			a.add(v, buffer{k * flits, k, 0})
			if j > tail {
				a.buffers[v].coming += k
			}
		}
	}
}

// tail is the first place of packet i with flits.
func (a *arrivals) tail(i int) int {
	return slices.IndexFunc(a.c.flits[i], func(k int) bool { return k > 0 })
}

func (a *arrivals) ejects(v model.VCID) bool {
	c, _ := a.n.Channel(v)
	return a.n.Kind(c) == model.Eject
}

// add adds to a buffer, and works out its bit.
func (a *arrivals) add(v model.VCID, b buffer) {
	a.buffers[v].flits += b.flits
	a.buffers[v].packets += b.packets
	if !a.n.IsLinkVC(v) {
		return
	}
	taken := a.buffers[v].flits
	if a.o.Rule.Buffer == gate.Reserved {
		taken = a.buffers[v].packets * a.o.Packet
	}
	a.set[v] = a.o.Buffer-taken <= a.o.Rule.Level
}

// last reports whether packet i can come when all others stand, to its places or those of
// another layout; if so it is taken off.
func (a *arrivals) last(i int) bool {
	a.lay(i, -1)
	for _, flits := range a.layouts(i) {
		before := a.c.flits[i]
		if a.c.flits[i] = flits; a.comes(i) {
			return true
		}
		a.c.flits[i] = before
	}
	a.lay(i, 1)
	return false
}

// layouts are the ways in which the flits of packet i, which does not stand, may lie: as they do, and if all
// are beyond a gate that holds back flits, with so many before it as the others keep from passing.
func (a *arrivals) layouts(i int) [][]int {
	flits, path := a.c.flits[i], a.c.packets[i].Path
	last := len(path) - 1
	if a.o.Rule.Unit != gate.Flit || last == 0 || flits[last] != a.o.Packet {
		return [][]int{flits}
	}
	in, _ := a.n.Channel(path[last-1].VC)
	room := 1 // how many get beyond the gate until the bit there is set
	if a.o.Rule.Buffer == gate.Stored {
		room = max(room, a.o.Buffer-a.o.Rule.Level-a.buffers[path[last].VC].flits)
	}
	if room >= a.o.Packet || !a.gates.Has(in, path[last].VC) {
		return [][]int{flits}
	}
	spread := slices.Clone(flits)
	spread[last-1], spread[last] = a.o.Packet-room, room
	return [][]int{flits, spread}
}

// comes reports whether packet i can come to its places, by one way or the other.
func (a *arrivals) comes(i int) (comes bool) {
	before, set := slices.Clone(a.buffers), slices.Clone(a.set)
	for _, way := range []func(i int) bool{a.whole, a.through} {
		comes = comes || way(i)
		copy(a.buffers, before)
		copy(a.set, set)
	}
	return comes
}

// whole lets packet i come whole from VC to VC until its tail is in its place, then so many
// of its flits further as are there in the end. It reports whether nothing is in the way.
func (a *arrivals) whole(i int) bool {
	path, flits, tail := a.c.packets[i].Path, a.c.flits[i], a.tail(i)
	if !a.begin(path[0].VC) {
		return false
	}
	beyond := a.o.Packet // how many flits pass the next hop
	for j := range len(path) - 1 {
		if j >= tail {
			beyond -= flits[j]
		}
		for k := range beyond {
			if !a.pass(path[j].VC, path[j+1].VC, k == 0) {
				return false
			}
		}
		if j < tail {
			a.add(path[j].VC, buffer{packets: -1})
		}
	}
	return true
}

// through lets each flit of packet i come to its place before the next one sets out.
func (a *arrivals) through(i int) bool {
	path, flits, tail := a.c.packets[i].Path, a.c.flits[i], a.tail(i)
	if !a.begin(path[0].VC) {
		return false
	}
	place := len(path) - 1            // where flits go to
	left := a.o.Packet + flits[place] // how many more do: those that have arrived, or are there
	for _, k := range flits {
		left -= k
	}
	for f := range a.o.Packet {
		for ; left == 0; left = flits[place] {
			place--
		}
		left--
		for j := range place {
			if !a.pass(path[j].VC, path[j+1].VC, f == 0) {
				return false
			}
		}
	}
	for j := range tail {
		a.add(path[j].VC, buffer{packets: -1})
	}
	return true
}

// begin puts a packet on an injection VC.
func (a *arrivals) begin(v model.VCID) bool {
	free := a.free(v)
	a.add(v, buffer{flits: a.o.Packet, packets: 1})
	return free
}

// pass lets a flit pass a hop, and reports whether it can.
func (a *arrivals) pass(from, to model.VCID, head bool) bool {
	in, _ := a.n.Channel(from)
	can := !head || a.buffers[from].packets == 1 // nobody stands before it
	if (head || a.o.Rule.Unit == gate.Flit) && a.gates.Has(in, to) {
		can = can && !a.closed(to, a.set, false)
	}
	a.add(from, buffer{flits: -1})
	switch {
	case a.ejects(to):
	case head:
		can = can && a.free(to)
		a.add(to, buffer{flits: 1, packets: 1})
	default:
		a.add(to, buffer{flits: 1})
	}
	return can
}

// free reports whether a VC has room for a packet, and no other is coming in.
func (a *arrivals) free(v model.VCID) bool {
	b := a.buffers[v]
	return b.coming == 0 && b.flits+a.o.Packet <= a.o.Buffer
}
