package engine

import "math/bits"

// This file is the VC allocation of the plain kernel where routers.go is off, see vcallocation.go.

// allocateVCsPlain runs the requests, grants and acceptances of a clock. The heads in asks request
// for the first time.
func (s *plainKernel) allocateVCsPlain(asks []int32) {
	vcs, ports := s.vc, s.port
	if s.endpoints != nil {
		asks = s.endpoints.admit(&s.kernel, asks)
	}
	for _, v := range asks {
		if x := &vcs[v]; x.answer == 0 {
			ports[x.port].waiting++
		} else {
			s.count(v, 1)
		}
	}
	s.wait = append(s.wait, asks...)
	rivals, selects := s.wait[:0], s.selector != nil
	for _, v := range s.wait {
		x := &vcs[v]
		if selects {
			if s.mayAsk(v) {
				rivals = append(rivals, v)
			}
			continue
		}
		if x.answer < 0 {
			if s.askSeveral(v, x) {
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

// askSeveral handles head v, which may use several ports. If no other head waits for the ports
// with free VCs, the head gets the VC that it accepts first. If no VC is free, the head sleeps.
// Otherwise askSeveral returns true: the head competes.
func (s *plainKernel) askSeveral(v int32, x *vc) bool {
	all, wide := s.port[x.in].ports*int16(s.vcs), int16(s.vcs)
	base, best, distance := s.port[x.in].outBase, int32(-1), all
	for _, set := range s.routes.sets[-1-x.answer] {
		o := s.outs[base+int32(set.port)]
		p := &s.port[o]
		m := p.free & set.mask
		if m == 0 {
			continue
		}
		if p.waiting > 1 {
			return true
		}
		if later := m >> uint16(x.accept-p.index*wide) << uint16(x.accept-p.index*wide); later != 0 {
			m = later
		}
		i := int16(bits.TrailingZeros64(m))
		if d := after(p.index*wide+i, x.accept, all); d < distance {
			best, distance = o*int32(wide)+int32(i), d
		}
	}
	s.count(v, -1)
	if best < 0 {
		s.sleep(v)
	} else {
		s.assign(v, best)
	}
	return false
}
