package engine

// This file has what a switch knows of the load of its output ports.

// demand returns the number of VCs into the switch of output port o that have o or request o only, and the flits in their
// buffers.
func (s *kernel) demand(o int32) (vcs, flits int) {
	p := &s.port[o]
	for i := p.base; i < p.base+int32(p.of)*int32(s.vcs); i++ {
		if x := &s.vc[i]; x.have > 0 && s.goesTo(i, x) == o {
			vcs, flits = vcs+1, flits+int(x.have)
		}
	}
	return vcs, flits
}

// goesTo returns the output port of the front packet of v, or -1 if it is not decided yet. A head that is not routed has a
// port if the routing permits only one, unless its path is chosen when it is routed.
func (s *kernel) goesTo(v int32, x *vc) int32 {
	switch {
	case x.state == active || x.state == waiting && x.answer == 0:
		return x.port
	case x.state == routing && len(s.preparers) == 0:
		p := &s.packet[x.id]
		if set := &s.routes.only[s.routes.of(&s.state, v, p.dest, p.class)]; set.mask != 0 {
			return s.outs[s.port[x.in].outBase+int32(set.port)]
		}
	}
	return -1
}

// occupied returns the number of occupied slots downstream of port o, as the switch knows them.
func (s *state) occupied(o int32) int {
	sum := s.vcs * int(s.buffer[o])
	for i := range int32(s.vcs) {
		sum -= int(s.vc[o*int32(s.vcs)+i].credits)
	}
	return sum
}

// queue returns the number of flits queued for port o: the occupied slots downstream, and the flits in the buffers of the
// switch that go there. A switch with buffers at its inputs has no other output queue.
func (s *kernel) queue(o int32) int {
	_, flits := s.demand(o)
	return s.occupied(o) + flits
}
