package engine

// This file runs the steps of a clock in order. All work is in lists of the VCs and ports that can act, so the cost of a clock
// grows with the moving flits, not with the network.

// stepBookSim simulates one clock of the input-queued router of BookSim 2. VC allocation sees the
// output VCs that were free before the switch allocation of the same clock.
func (s *kernel) stepBookSim() {
	s.arrive()
	s.route()
	if len(s.sending) > 0 {
		s.inject()
	}
	s.moveFlits()
	s.beginAsking()
	if len(s.wait) > 0 {
		s.allocateVCs()
	}
	if len(s.released) > 0 {
		s.wakeReleased()
	}
	s.tick()
}

// stepPaper simulates one clock of the papers' switch. A head is routed, gets an output VC and
// departs in the clock in which it arrives.
func (s *kernel) stepPaper() {
	s.arrive()
	s.route()
	s.wakeReleased()
	s.inject()
	s.beginAsking()
	s.allocateVCs()
	s.moveFlits()
	s.tick()
}

// moveFlits lets flits leave their switches.
func (s *kernel) moveFlits() {
	for _, h := range s.holders {
		h.hold(s)
	}
	s.allocateSwitch()
	for _, h := range s.holders {
		h.release(s)
	}
}

// tick ends a clock.
func (s *kernel) tick() {
	for _, t := range s.tickers {
		t.tick(s)
	}
	s.now++
}
