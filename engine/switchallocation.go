package engine

import "math/bits"

// This file decides which flits leave their switch in a clock.
//
// Source: N. McKeown, The iSLIP scheduling algorithm for input-queued switches, IEEE/ACM ToN 7(2),
// 1999, one iteration, as in BookSim 2. For each pair of input and output port one VC bids: the
// first at or after the pointer of its input port. An output port grants an input port, and an
// input port accepts an output port, each the first at or after its pointer. Pointers move past
// the winner only if it was accepted, even without competition. With OldestFirst the oldest packet
// wins everywhere.

// allocateSwitch moves the flits that win the allocation.
func (s *kernel) allocateSwitch() {
	wins := s.wins[:0]
	s.busy.each(func(o int32) bool {
		p := &s.port[o]
		if p.ready == 0 {
			return false
		}
		if s.slow && s.until[o] > s.now || s.tailTick != nil && s.now%s.tailTick[o] != 0 {
			return true
		}
		v := p.base
		if m := p.ready; m&(m-1) == 0 && s.words == 1 {
			v += int32(bits.TrailingZeros64(m))
		} else {
			v += s.winner(o, p)
		}
		in := s.vc[v].in
		q := &s.port[in]
		if q.win < 0 {
			q.win = v
			wins = append(wins, in)
		} else if s.prefers(q, v) {
			q.win = v
		}
		return true
	})
	if len(wins) == 0 {
		return
	}
	s.hops += int64(len(wins))
	s.lastMove = s.now
	s.backAt, s.hopAt = &s.credits[(s.now+s.delay.credit)&s.near], &s.arrivals[(s.now+s.delay.hop)&s.near]
	for _, in := range wins {
		v := s.port[in].win
		s.port[in].win = -1
		s.leave(v)
	}
	s.wins = wins
}

// winner returns the index of the VC to which output port o gives its grant.
func (s *state) winner(o int32, p *port) int32 {
	if s.o.Arbiter != RoundRobin {
		return s.oldest(o, p)
	}
	bit := s.firstReady(o, p, int32(p.grant))
	number := s.inOf[bit]
	from := int32(number)*int32(s.vcs) + int32(s.port[p.firstIn+int32(number)].bid)
	if from > bit {
		if next := s.firstReady(o, p, from); next >= from && s.inOf[next] == number {
			return next
		}
	}
	return bit
}

// firstReady returns the index of the first ready VC of port o at or after index from, cyclically.
func (s *state) firstReady(o int32, p *port, from int32) int32 {
	if s.words == 1 {
		if m := p.ready >> from; m != 0 {
			return from + int32(bits.TrailingZeros64(m))
		}
		return int32(bits.TrailingZeros64(p.ready))
	}
	m, i := s.masks[int(o)*s.words:], from>>6
	if word := m[i] >> (from & 63); word != 0 {
		return from + int32(bits.TrailingZeros64(word))
	}
	rest := p.ready >> i >> 1 // the words of the mask after this one
	if rest != 0 {
		i += 1 + int32(bits.TrailingZeros64(rest))
	} else {
		i = int32(bits.TrailingZeros64(p.ready))
	}
	return i<<6 + int32(bits.TrailingZeros64(m[i]))
}

// prefers reports whether input port q prefers the output port of VC v to that of its current
// choice.
func (s *state) prefers(q *port, v int32) bool {
	x, y := &s.vc[v], &s.vc[q.win]
	if s.o.Arbiter != RoundRobin {
		return s.older(v, q.win, s.port[x.port].index, s.port[y.port].index, q.accept)
	}
	return after(s.port[x.port].index, q.accept, q.ports) < after(s.port[y.port].index, q.accept, q.ports)
}

// oldest returns the index of the ready VC with the oldest packet.
func (s *state) oldest(o int32, p *port) int32 {
	best := s.firstReady(o, p, 0)
	for bit := best; ; {
		next := s.firstReady(o, p, bit)
		if next < bit || bit > best && next == best {
			return best
		}
		if s.older(p.base+next, p.base+best, int16(next), int16(best), p.grant) {
			best = next
		}
		if bit = next + 1; int(bit) >= s.words*64 {
			return best
		}
	}
}

// leave moves a flit of VC v to its output VC.
func (s *kernel) leave(v int32) {
	x := &s.vc[v]
	w := x.target
	y := &s.vc[w]
	in, out := &s.port[x.in], &s.port[x.port]
	in.bid, in.accept, out.grant = next(x.bit-in.firstBit, int16(s.vcs)), out.indexNext, in.numberNext
	x.have--
	x.left--
	for _, d := range s.departers {
		d.depart(s, v, x)
	}
	if s.slow {
		s.until[x.port] = s.now + s.takes[x.port]
	}
	if !s.whole || s.o.Timing != Paper {
		s.giveBack(v, x, s.departing(x.port))
	}
	if out.eject {
		s.atHost(v, x, y, w)
	} else {
		y.credits--
		if x.fresh {
			s.enter(w, x.id)
		}
		s.setOut(w, x.port)
	}
	if x.fresh = false; x.left == 0 {
		s.clearReady(x)
		s.tail(v, x, w)
	} else if x.have == 0 || y.credits == 0 {
		s.clearReady(x)
	}
}

// atHost sends a flit to a host, which consumes the flit.
func (s *state) atHost(v int32, x, y *vc, w int32) {
	s.flitsOut++
	if x.left == 0 {
		at := &s.tails[s.arrivesAt(y.in)&s.near]
		*at = append(*at, x.id)
	}
	if !s.endless {
		y.credits--
		back := &s.credits[s.freeAt(y.in, 0)&s.near]
		*back = append(*back, w)
	}
}

// tail handles the departure of the tail of v's front packet. It removes the packet at once or,
// with Paper, when the channel is free again.
func (s *kernel) tail(v int32, x *vc, w int32) {
	for _, t := range s.tailers {
		t.tail(s, v, x)
	}
	if s.o.Timing == Paper {
		s.copyFront(x)
		x.state, x.left = ending, int16(s.packet[x.id].flits)
		for _, w := range s.watchers {
			w.refill(s, v)
		}
		at := &s.ends[(s.now+s.takes[x.port])&s.near]
		*at = append(*at, v)
		return
	}
	x.target = -1
	s.released = append(s.released, w)
	s.pop(v, x)
}

// copyFront gives the front packet of x a number and a record of its own, which x has until the channel is free of the tail.
// The packet may get another one behind it on its next VCs, or arrive, before that clock.
func (s *state) copyFront(x *vc) {
	id := s.freeNumber()
	s.packet[id] = s.packet[x.id]
	if x.id = id; x.packets == 1 {
		x.last = id
	}
}
