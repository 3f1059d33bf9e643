package engine

// This file decides which flits leave their switch in a clock.
//
// Source: N. McKeown, The iSLIP scheduling algorithm for input-queued switches,
// IEEE/ACM ToN 7(2), 1999, one iteration, as BookSim 2 has it: for each pair of
// ports in and out one VC bids, the first at or after the pointer of its port in;
// a port out grants a port in, a port in accepts a port out, each the first at or
// after its pointer. Pointers move past the winner on acceptance only, also where
// there was no rival.

// allocateSwitch lets flits leave. VCs that have both ports for themselves win
// without further ado.
func (s *Sim) allocateSwitch() {
	s.rivals = s.rivals[:0]
	for i := len(s.ready) - 1; i >= 0; i-- { // who leaves the list gives its place to one that was looked at
		if b := s.ready[i]; s.cntIn[b.in] == 1 && s.cntOut[b.out] == 1 {
			s.leave(b.v)
		} else {
			s.rivals = append(s.rivals, b)
		}
	}
	if len(s.rivals) > 0 {
		s.settle()
	}
}

// after returns how far port p comes after the pointer, of so many ports.
func after(p, pointer, ports int16) int16 {
	if p -= pointer; p < 0 {
		p += ports
	}
	return p
}

// next returns the port after p.
func next(p, ports int16) int16 {
	if p++; p == ports {
		return 0
	}
	return p
}

// settle lets rivals bid: one VC for each pair of ports, then grants, then
// acceptance.
func (s *Sim) settle() {
	s.reqs, s.inputs = s.reqs[:0], s.inputs[:0]
	for _, b := range s.rivals {
		s.bid(b)
	}
	for i := range s.reqs {
		r := &s.reqs[i]
		if s.grantStamp[r.out] != s.now {
			s.grantStamp[r.out], s.grantOf[r.out] = s.now, int32(i)
			continue
		}
		me, old := &s.at[r.v], &s.at[s.reqs[s.grantOf[r.out]].v]
		if after(me.inPort, s.grant[r.out], me.ports) < after(old.inPort, s.grant[r.out], me.ports) {
			s.grantOf[r.out] = int32(i)
		}
	}
	for _, in := range s.inputs {
		best, least := int32(-1), int16(0)
		for i := s.reqOf[in]; i >= 0; i = s.reqs[i].next {
			r := &s.reqs[i]
			if s.grantOf[r.out] != i {
				continue
			}
			if d := after(s.at[s.vc[r.v].target].outPt, s.accept[in], s.at[r.v].ports); best < 0 || d < least {
				best, least = r.v, d
			}
		}
		if best >= 0 {
			s.leave(best)
		}
	}
}

// bid enters the request of VC v, unless another of its port in comes first for
// the same port out.
func (s *Sim) bid(b bidder) {
	v, in, out := b.v, b.in, b.out
	if s.reqStamp[in] != s.now {
		s.reqStamp[in], s.reqOf[in] = s.now, -1
		s.inputs = append(s.inputs, in)
	}
	for i := s.reqOf[in]; i >= 0; i = s.reqs[i].next {
		r := &s.reqs[i]
		if r.out != out {
			continue
		}
		if after(s.at[v].index, s.vcNext[in], int16(s.vcs)) < after(s.at[r.v].index, s.vcNext[in], int16(s.vcs)) {
			r.v = v
		}
		return
	}
	s.reqs = append(s.reqs, request{v, in, out, s.reqOf[in]})
	s.reqOf[in] = int32(len(s.reqs) - 1)
}

// leave moves a flit of VC v to its output VC.
func (s *Sim) leave(v int32) {
	x := &s.vc[v]
	w := x.target
	y := &s.vc[w]
	me, to := &s.at[v], &s.at[w]
	s.vcNext[me.ch], s.accept[me.ch], s.grant[to.ch] = next(me.index, int16(s.vcs)), next(to.outPt, me.ports), next(me.inPort, me.ports)
	s.hops++
	s.lastMove = s.now
	x.have--
	x.left--
	s.credits[(s.now+2)&7] = append(s.credits[(s.now+2)&7], v)
	if to.eject {
		s.flitsOut++
		if x.left == 0 {
			s.tails[(s.now+3)&7] = append(s.tails[(s.now+3)&7], s.front(v))
		}
		if !s.endless {
			y.credits--
			s.credits[(s.now+5)&7] = append(s.credits[(s.now+5)&7], w)
		}
	} else {
		y.credits--
		if x.fresh {
			s.enter(w, s.front(v))
		}
		s.arrivals[(s.now+3)&7] = append(s.arrivals[(s.now+3)&7], w)
	}
	x.fresh = false
	if x.left == 0 {
		s.unready(x)
		s.tail(v, x, w)
	} else if x.have == 0 || y.credits == 0 {
		s.unready(x)
	}
}

// tail ends the front packet of v.
func (s *Sim) tail(v int32, x *vc, w int32) {
	x.target = -1
	s.released = append(s.released, w)
	s.pop(v, x)
}

// pop takes the front packet of v away; the next one's head, if it is there, is
// routed in the next clock.
func (s *Sim) pop(v int32, x *vc) {
	x.first = (x.first + 1) & s.mask
	x.packets--
	x.state = idle
	if x.have > 0 {
		x.state = routing
		s.headsNext = append(s.headsNext, v)
	}
}
