package packets

import (
	"math/bits"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model"
)

// This file assigns idle channels to heads.
//
// Method: a head requests permitted channels that are idle and have room for its packet. A channel
// grants one head, a head accepts one channel. Pointers move past a winner only if it was accepted
// (iSLIP, N. McKeown, IEEE/ACM ToN 7(2), 1999, one iteration). All grants of a clock come before
// all acceptances. Only touched channels are considered: those that became idle or got room while
// a head wants them, those that a new head requests, and those left over from the previous clock.
// Invariant: after a clock, a channel that is idle and has room for a head that wants it is
// touched.

// touch adds channel c to those that the next allocation considers.
func (s *Sim) touch(c int32, y *port) {
	if !y.touched {
		y.touched = true
		s.touched = append(s.touched, c)
	}
}

// allocate assigns touched channels to heads, which depart in clock t.
func (s *Sim) allocate(t engine.Clock) {
	list := s.touched
	s.touched, s.spare = s.spare[:0], list
	for _, c := range list {
		s.port[c].touched = false
	}
	if !s.asksAll {
		s.allocateChosen(t, list)
		return
	}
	for _, c := range list {
		if y := &s.port[c]; y.holder == none {
			if v := s.granted(y); v != none {
				s.offer(v, c)
			}
		}
	}
	for _, v := range s.winners {
		s.accept(t, v, s.port[v].won)
	}
	s.winners = s.winners[:0]
}

// granted returns the head that an idle channel grants, or none.
func (s *Sim) granted(y *port) int32 {
	if s.byAge {
		return s.oldest(y)
	}
	if y.ports > 64 {
		return s.grantedOfMany(y)
	}
	for w := bits.RotateLeft64(y.want, -int(y.grant)); w != 0; w &= w - 1 {
		v := y.base + (y.grant+int32(bits.TrailingZeros64(w)))&63
		if s.port[v].need <= y.room {
			return v
		}
	}
	return none
}

// grantedOfMany is granted for a switch with more than 64 ports.
func (s *Sim) grantedOfMany(y *port) int32 {
	best := int32(none)
	for p := s.following(y, 0); p >= 0; p = s.following(y, p+1) {
		if v := y.base + p; s.port[v].need <= y.room && (best == none || y.after(v, y.grant) < y.after(best, y.grant)) {
			best = v
		}
	}
	return best
}

func (s *Sim) oldest(y *port) int32 {
	best := int32(none)
	for p := s.following(y, 0); p >= 0; p = s.following(y, p+1) {
		if v := y.base + p; s.port[v].need <= y.room && (best == none || s.older(v, best)) {
			best = v
		}
	}
	return best
}

// following returns the first place from p on whose head requests y, or -1.
func (s *Sim) following(y *port, p int32) int32 {
	if p < 64 {
		if w := y.want >> p; w != 0 {
			return p + int32(bits.TrailingZeros64(w))
		}
		p = 64
	}
	for p < y.ports {
		if w := *s.wanted(y, p) >> (p & 63); w != 0 {
			return p + int32(bits.TrailingZeros64(w))
		}
		p = p&^63 + 64
	}
	return -1
}

// older reports whether the front packet of v is older than that of w. Packets of the same age and
// source are ordered by their input ports.
func (s *Sim) older(v, w int32) bool {
	a, b := &s.packet[s.port[v].first], &s.packet[s.port[w].first]
	switch {
	case a.created != b.created:
		return a.created < b.created
	case a.source != b.source:
		return a.source < b.source
	case a.id != b.id:
		return a.id < b.id
	}
	return v < w
}

// offer records c as the channel that head v accepts, unless v prefers a channel granted before.
// The other channel is considered again in the next clock.
func (s *Sim) offer(v, c int32) {
	x := &s.port[v]
	if x.won == none {
		x.won = c
		s.winners = append(s.winners, v)
		return
	}
	if x.after(c, x.accept) < x.after(x.won, x.accept) {
		c, x.won = x.won, c
	}
	s.touch(c, &s.port[c])
}

// after returns the cyclic distance from a pointer to port p of x's switch.
func (x *port) after(p, pointer int32) int32 {
	if p -= x.base + pointer; p < 0 {
		p += x.ports
	}
	return p
}

// past returns the place after that of x, cyclically.
func (x *port) past() int32 {
	if x.place+1 == x.ports {
		return 0
	}
	return x.place + 1
}

// accept makes the front packet of v depart by channel c.
func (s *Sim) accept(t engine.Clock, v, c int32) {
	x, y := &s.port[v], &s.port[c]
	y.grant, x.accept = x.past(), y.past()
	class, hops := model.Class(0), s.routes.list(x.answer)
	for i := range hops {
		*s.wanted(&s.port[x.base+hops[i].place], x.place) &^= 1 << (x.place & 63)
		if hops[i].place == y.place {
			class = hops[i].class
		}
	}
	x.answer, x.won = none, none
	s.setOut(t, v, c, class)
}
