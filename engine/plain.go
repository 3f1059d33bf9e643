package engine

import (
	"context"

	"github.com/turnproof/turnproof/model"
)

// This file is the kernel of plain simulations: the router of BookSim 2 with wormhole switching
// and without optional mechanisms. Most simulations are plain.
//
// The plain kernel has the same state and the same clocks as the general one (kernel.go), so
// Check, Frozen and clone serve both. It leaves out what a plain simulation does not use: room for
// whole packets, channels that are busy for several clocks, switches of different clocks, gates and throttling, other arbiters
// than round robin, and packets that wait for one hop or one path only. It also does more work in one pass: a
// head is routed in the pass in which it arrives or becomes the front packet, and a departing flit
// is handled without a call. Where at most 64 VCs enter a switch, output VCs are assigned switch by
// switch (routers.go). TestPlain compares the two kernels clock by clock.
//
// Slices of s are copied to local variables, because a store through a pointer makes the compiler
// load the slices of s again.

// isPlain reports whether the plain kernel can run the simulation.
func (s *plainKernel) isPlain() bool {
	return s.o.Timing == BookSim && s.o.Switching == model.Wormhole && !s.reserves && !s.slow && s.headTick == nil && s.o.Arbiter == RoundRobin &&
		s.hooks.suitPlain()
}

// suitPlain reports whether the plain kernel calls all hooks of the mechanisms. It also draws hops.
func (h *hooks) suitPlain() bool {
	for _, n := range h.narrowers {
		if n != drawn(drawn{}) {
			return false
		}
	}
	return len(h.watchers)+len(h.observers)+len(h.preparers)+len(h.closers)+len(h.granters)+len(h.holders)+len(h.departers)+len(h.tickers) == 0 &&
		h.throttler == nil
}

// runWhole simulates until the given clock without dividing the simulation.
func (s *plainKernel) runWhole(ctx context.Context, end Clock) error {
	step := s.stepBookSim
	switch {
	case s.o.Timing == Paper:
		step = s.stepPaper
	case s.plain:
		step = s.stepPlain
	}
	for s.now < end {
		if s.now&1023 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		step()
		if s.failed != nil {
			return s.failed
		}
	}
	return nil
}

// stepPlain simulates one clock, as stepBookSim does.
func (s *plainKernel) stepPlain() {
	s.arrivePlain()
	if len(s.headsNext)+len(s.heads) > 0 {
		s.route()
	}
	if len(s.sending) > 0 {
		s.inject()
	}
	s.allocateSwitchPlain()
	if s.byRouter() {
		asks := &s.asks[s.now&s.near]
		s.allocateByRouter(*asks)
		*asks = (*asks)[:0]
		s.freeReleased()
	} else {
		s.beginAsking()
		if len(s.wait) > 0 {
			s.allocateVCs()
		}
		if len(s.released) > 0 {
			s.wakeReleased()
		}
	}
	s.now++
}

// arrivePlain handles the events of a clock, as arrive does.
func (s *plainKernel) arrivePlain() {
	t := s.now & s.near
	if credits := &s.credits[t]; len(*credits) > 0 {
		s.takeCreditsPlain(*credits)
		*credits = (*credits)[:0]
	}
	if arrivals := &s.arrivals[t]; len(*arrivals) > 0 {
		s.takeFlitsPlain(*arrivals)
		*arrivals = (*arrivals)[:0]
	}
	if s.part != nil {
		s.part.note(s, s.tails[t])
	}
	s.arriveAtHosts()
}

// takeCreditsPlain handles the credits that arrive in this clock.
func (s *plainKernel) takeCreditsPlain(list []int32) {
	vcs := s.vc
	for _, w := range list {
		x := &vcs[w]
		if x.credits++; x.credits == 1 {
			s.credited(w, x)
		}
	}
}

// takeFlitsPlain handles the flits that arrive in this clock, and routes heads. Whether a VC is
// idle is hard to predict, so idle VCs are collected without a branch.
func (s *plainKernel) takeFlitsPlain(list []int32) {
	vcs, fronts, n := s.vc, s.frontsFor(len(list)), 0
	for _, v := range list {
		x := &vcs[v]
		x.have++
		fronts[n] = v
		if x.state == idle {
			n++
		}
		switch {
		case x.state == active && x.have == 1:
			if vcs[x.target].credits > 0 {
				s.setReady(x)
			}
		case x.state == dropping:
			s.drop(v, x)
		}
	}
	s.routeFronts(fronts[:n], s.now, &s.heads)
}

// frontsFor returns a slice of the given length for VCs with a new front packet.
func (s *plainKernel) frontsFor(length int) []int32 {
	if cap(s.fronts) < length {
		s.fronts = make([]int32, 2*length)
	}
	return s.fronts[:length]
}

// routeFronts routes the heads of the given VCs in clock t. It appends those that must be routed in
// the clock itself to later.
func (s *plainKernel) routeFronts(fronts []int32, t Clock, later *[]int32) {
	if s.byRouter() {
		s.routeForRouters(fronts, t, later)
		return
	}
	for _, v := range fronts {
		s.vc[v].state = routing
	}
	*later = append(*later, fronts...)
}
