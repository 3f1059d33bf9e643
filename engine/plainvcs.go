package engine

// This file is the VC allocation of the plain kernel, see vcallocation.go.

// allocateVCsPlain runs the requests, grants and acceptances of a clock. The heads in asks request
// for the first time.
func (s *Sim) allocateVCsPlain(asks []int32) {
	vcs, ports := s.vc, s.port
	for _, v := range asks {
		if x := &vcs[v]; x.answer == 0 {
			ports[x.port].waiting++
		} else {
			s.count(v, 1)
		}
	}
	s.wait = append(s.wait, asks...)
	rivals, selects := s.wait[:0], s.selects
	for _, v := range s.wait {
		x := &vcs[v]
		if x.answer < 0 || selects {
			if s.mayAsk(v) {
				rivals = append(rivals, v)
			}
			continue
		}
		p := &ports[x.port]
		switch m := p.free & x.mask; {
		case m == 0:
			p.waiting--
			s.sleepNext[v], p.asleep = p.asleep, v
		case p.waiting == 1:
			p.waiting = 0
			s.assign(v, s.firstOf(m, x))
		default:
			rivals = append(rivals, v)
		}
	}
	if s.wait = rivals; len(rivals) > 0 {
		s.settleRivals()
	}
}
