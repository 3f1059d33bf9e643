package gates

import (
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/gate"
)

// This file collects where packets go that have passed a gate by flit, while their last flits are still before it.
//
// A packet passes through a VC if its head is beyond it and some of its flits are before a gate. The flits beyond that gate
// are at the head, and no other packet is in the VCs between. So these VCs do not close the gate.

// passage is a gate that a packet has passed, and the VCs on its path since then.
type passage struct {
	gate model.VCID
	left uint64 // a bit for each VC that the gate sees: the packet has been there
}

// entry is a VC from which packets enter another VC, with the numbers of their passages.
type entry struct {
	from     model.VCID
	passages []int32
}

// seen returns the bits of a VC among those that the gate of VC w sees. Only the first 64 count.
func (g *subject) seen(w, v model.VCID) (bits uint64) {
	c, _ := g.n.Channel(w)
	at, k := g.n.Channel(v)
	for i := 0; i < len(g.gates.Weights) && c != model.NoChannel; i++ {
		if c == at && i*g.n.VCs()+k < 64 {
			bits |= 1 << (i*g.n.VCs() + k)
		}
		c = g.gates.Ahead(c)
	}
	return bits
}

// number returns the number of a passage.
func (g *subject) number(p passage) int32 {
	k, ok := g.passageNumber[p]
	if !ok {
		k = int32(len(g.passages))
		g.passageNumber[p] = k
		g.passages = append(g.passages, p)
	}
	return k
}

// addEntries records from where packets to a destination that passed gates enter VCs.
func (g *subject) addEntries(s *cdg.Space) {
	known := make([]map[int32]bool, len(s.States)) // by state: the passages of packets there
	type item struct {
		state   int
		passage int32
	}
	var work []item
	add := func(from model.VCID, to int, v model.VCID, p passage) {
		p.left |= g.seen(p.gate, v)
		k := g.number(p)
		g.enter(from, v, k)
		if known[to] == nil {
			known[to] = map[int32]bool{}
		}
		if !known[to][k] {
			known[to][k] = true
			work = append(work, item{to, k})
		}
	}
	for i, st := range s.States {
		in, _ := g.n.Channel(st.VC)
		hops, next := s.HopsOf(i)
		for j, h := range hops {
			if next[j] >= 0 && g.gates.Has(in, h.VC) {
				add(st.VC, int(next[j]), h.VC, passage{gate: h.VC})
			}
		}
	}
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		from := s.States[x.state].VC
		hops, next := s.HopsOf(x.state)
		for j, h := range hops {
			if next[j] < 0 {
				g.enter(from, h.VC, x.passage)
			} else {
				add(from, int(next[j]), h.VC, g.passages[x.passage])
			}
		}
	}
}

// enter records that packets with a passage enter VC to from VC from.
func (g *subject) enter(from, to model.VCID, passage int32) {
	var into *[]entry
	if c, _ := g.n.Channel(to); g.n.IsLinkVC(to) {
		into = &g.entries[to]
	} else {
		into = &g.ejectionEntries[g.n.HostOf(c)]
	}
	at := slices.IndexFunc(*into, func(e entry) bool { return e.from == from })
	if at < 0 {
		at = len(*into)
		*into = append(*into, entry{from: from})
	}
	e := &(*into)[at]
	if k, ok := slices.BinarySearch(e.passages, passage); !ok {
		e.passages = slices.Insert(e.passages, k, passage)
	}
}

// isEmptied reports whether the bits of VCs are not set which a packet passes through. With reserved slots it keeps as many as
// it has flits.
func (g *subject) isEmptied() bool {
	return g.sizes.Rule.Buffer == gate.Stored || g.sizes.Packet < g.sizes.Buffer-g.sizes.Rule.Level
}

// closedPassages returns by passage whether its gate is closed.
func (g *subject) closedPassages(r *exclusion) []bool {
	list := make([]bool, len(g.passages))
	for k, p := range g.passages {
		left := p.left
		if !g.isEmptied() {
			left = 0
		}
		list[k] = r.closed[p.gate] && g.isClosed(p.gate, r.set, left)
	}
	return list
}

// findOrigins calls add for each VC or endpoint, and each VC from which packets come that a closed gate holds.
func findOrigins(entries [][]entry, isShut []bool, add func(to int, from model.VCID)) {
	for to, list := range entries {
		for _, e := range list {
			if slices.ContainsFunc(e.passages, func(k int32) bool { return isShut[k] }) {
				add(to, e.from)
			}
		}
	}
}
