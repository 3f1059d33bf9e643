package engine

import (
	"math/bits"

	"github.com/turnproof/turnproof/model"
)

// This file is the VC allocation of the plain kernel where at most 64 VCs enter a switch.
//
// The output VCs of a switch have places: the number of their port times the VCs of a channel, plus
// the VC. A set of output VCs of a switch is one word, and so is a set of its input VCs. The free
// VCs that a head may have are found by one operation, whatever the number of its ports. Heads of
// a switch compete only if they want the same free VC.
//
// Heads that find no free VC stay in router.asks. Their switch is visited again when one of its
// output VCs becomes free.
//
// The results are those of vcallocation.go: one iteration of islip. TestPlain compares both.

// newRouters turns the mechanism on if it can run the simulation.
func (s *plainKernel) newRouters() {
	s.routers, s.byPlace = routers{}, false
	if !s.plain || s.words > 1 || s.selector != nil || s.endpoints != nil {
		return
	}
	r := &s.routers
	s.byPlace = true
	r.router, r.grows, r.draws = make([]router, s.net.NumSwitches()), s.routes.classes > 1, s.o.Select == SelectDrawn
	for v := range s.vc {
		s.vc[v].into, s.vc[v].from = -1, -1
	}
	for u := range r.router {
		x := &r.router[u]
		x.outs = int32(len(r.out))
		for _, c := range s.net.Out(model.SwitchID(u)) {
			o := s.portOf[c]
			x.first = s.port[o].base
			for i := range int32(s.vcs) {
				w := o*int32(s.vcs) + i
				x.free |= 1 << (len(r.out) - int(x.outs))
				r.out = append(r.out, outVC{w, o})
				s.vc[w].from = int32(u)
				s.vc[s.portOf[s.net.Reverse(c)]*int32(s.vcs)+i].into = int32(u)
			}
		}
	}
	r.grants = make([]uint8, len(r.out))
	s.turns = newPortSet(len(r.router))
}

// routeForRouters does the same as routeFronts.
func (s *plainKernel) routeForRouters(fronts []int32, t Clock, later *[]int32) {
	at := &s.asks[(t+s.delay.ask)&s.near]
	asks, vcs, packets, r := *at, s.vc, s.packet, s.routes
	rows, small, draws := r.rows, r.small, s.draws
	for _, v := range fronts {
		x := &vcs[v]
		p := &packets[x.id]
		i, answer := rows[v].at+int(p.dest)*r.classes+int(p.class), int32(-1)
		if r.columns != nil {
			i, answer = r.entry(v, p.dest, p.class)
		}
		if uint(i) < uint(len(small)) {
			answer = int32(small[i]) - 1
		}
		if answer < 0 { // not asked yet, or too many answers
			answer = r.of(&s.state, v, p.dest, p.class)
			small = r.small
		}
		mask := r.wide[answer]
		if mask == 0 || draws && r.only[answer].mask == 0 {
			x.state = routing
			*later = append(*later, v)
			continue
		}
		x.mask, x.answer = mask, -1-answer
		x.left, x.fresh, x.state = int16(p.flits), true, waiting
		asks = append(asks, v)
	}
	*at = asks
}

// allocateByRouter runs the requests, grants and acceptances of a clock. The heads in asks request
// for the first time.
func (s *plainKernel) allocateByRouter(asks []int32) {
	vcs, list, turns := s.vc, s.router, &s.turns
	for _, v := range asks {
		x := &vcs[v]
		list[x.into].asks |= 1 << (x.bit & 63)
		turns.add(x.into)
	}
	for i, some := range turns.some {
		for ; some != 0; some &= some - 1 {
			k := i<<6 + bits.TrailingZeros64(some)
			keep := uint64(0)
			for m := turns.words[k]; m != 0; m &= m - 1 {
				r := &list[k<<6+bits.TrailingZeros64(m)]
				if r.asks&(r.asks-1) != 0 {
					if s.settle(r) {
						keep |= m & -m
					}
					continue
				}
				bit := int32(bits.TrailingZeros64(r.asks))
				if x := &vcs[r.first+bit]; x.mask&r.free != 0 {
					s.give(r, x, bit, firstFrom(x.mask&r.free, uint8(x.accept)))
				}
			}
			if turns.words[k] = keep; keep == 0 {
				turns.some[i] &^= 1 << (k & 63)
			}
		}
	}
}

// settle gives output VCs to the heads of a switch where several wait. It reports whether a VC that
// a head without one wants is free.
func (s *plainKernel) settle(r *router) bool {
	vcs := s.vc[r.first:]
	any, several := uint64(0), uint64(0)
	for m := r.asks; m != 0; m &= m - 1 {
		wants := vcs[bits.TrailingZeros64(m)].mask & r.free
		any, several = any|wants, several|any&wants
	}
	if any == 0 {
		return false
	}
	won := &s.won
	for m := several; m != 0; m &= m - 1 {
		place := bits.TrailingZeros64(m)
		bidders := uint64(0)
		for m := r.asks; m != 0; m &= m - 1 {
			bit := bits.TrailingZeros64(m)
			bidders |= vcs[bit].mask >> place & 1 << bit
		}
		won[firstFrom(bidders, s.grants[int(r.outs)+place])] |= 1 << place
	}
	free, lost := r.free, uint64(0)
	for m := r.asks; m != 0; m &= m - 1 {
		bit := int32(bits.TrailingZeros64(m))
		x := &vcs[bit]
		has := x.mask&free&^several | won[bit]
		won[bit] = 0
		if has != 0 {
			s.give(r, x, bit, firstFrom(has, uint8(x.accept)))
		} else {
			lost |= x.mask
		}
	}
	return lost&r.free != 0
}

// firstFrom returns the lowest bit of m at or after bit from, cyclically. m is not 0, and from is at
// most 64.
func firstFrom(m uint64, from uint8) int32 {
	if later := m >> (from & 63) << (from & 63); later != 0 {
		m = later
	}
	return int32(bits.TrailingZeros64(m))
}

// give gives the output VC at a place to the head of x, whose bit is given, as assign does.
func (s *plainKernel) give(r *router, x *vc, bit, place int32) {
	w := s.out[r.outs+place]
	y := &s.vc[w.vc]
	r.free &^= 1 << (place & 63)
	r.asks &^= 1 << (bit & 63)
	s.grants[r.outs+place] = uint8(bit + 1)
	x.accept, y.owner = int16(place+1), r.first+bit
	x.target, x.port, x.state = w.vc, w.port, active
	if s.grows {
		s.packet[x.id].class = s.classOn(r.first+bit, w.vc)
	}
	if x.have > 0 && y.credits > 0 {
		s.port[w.port].ready |= 1 << (bit & 63)
		s.busy.add(w.port)
	}
}

// freeReleased makes the output VCs free whose packets have left in this clock.
func (s *plainKernel) freeReleased() {
	list := s.router
	for _, w := range s.released {
		r := &list[w>>6]
		if r.free |= 1 << (w & 63); r.asks != 0 {
			s.turns.add(w >> 6)
		}
	}
	s.released = s.released[:0]
}
