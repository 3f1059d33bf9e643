package engine

// This file makes hosts send in the plain kernel, see sources.go.

// injectPlain lets each host send a flit.
func (s *plainKernel) injectPlain() {
	if s.endpoints != nil {
		s.endpoints.inject(&s.kernel)
		return
	}
	vcs, keep := s.vc, s.sending[:0]
	at := &s.arrivals[(s.now+s.delay.inject)&s.near]
	for _, h := range s.sending {
		x := &s.hosts[h]
		if x.vc < 0 && !s.start(h, x) || vcs[x.vc].credits == 0 {
			x.listed = false
			continue
		}
		w := &vcs[x.vc]
		w.credits--
		s.flitsIn++
		s.lastMove = s.now
		if s.even {
			*at = append(*at, x.vc)
		} else {
			far := &s.arrivals[(s.now+s.there[w.in])&s.near]
			*far = append(*far, x.vc)
		}
		if x.left--; x.left == 0 {
			x.vc = -1
			if !s.fetch(h, s.now+1) {
				x.listed = false
				continue
			}
		}
		keep = append(keep, h)
	}
	s.sending = keep
}
