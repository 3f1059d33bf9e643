package engine

// This file skips clocks in which nothing can happen.

// Skip moves the clock forward to the given one without simulating the clocks between, and reports
// whether it did. It does so only if no packet is in the network or at a host, and no flit or
// credit is on its channel; the simulation of these clocks would change nothing. It never skips
// with gates, throttling or a selection by what neighbours tell, since control information travels
// in an empty network, too.
// Cost: 1024 comparisons.
func (s *Sim) Skip(to Clock) bool {
	if to <= s.now || s.o.Informs() || !s.quiet() {
		return false
	}
	s.now = to
	s.forget() // an empty network is not frozen
	return true
}

// quiet reports whether no event is scheduled and no list has work.
func (s *Sim) quiet() bool {
	if s.inNetwork > 0 || s.endpoints != nil && !s.endpoints.isIdle() || !s.busy.isEmpty() ||
		len(s.sending)+len(s.heads)+len(s.headsNext)+len(s.wait)+len(s.released) > 0 {
		return false
	}
	for t := range s.arrivals {
		if len(s.arrivals[t])+len(s.credits[t])+len(s.tails[t])+len(s.ends[t])+len(s.asks[t]) > 0 {
			return false
		}
	}
	for _, first := range s.created {
		if first >= 0 {
			return false
		}
	}
	return true
}
