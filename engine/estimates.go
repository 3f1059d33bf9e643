package engine

import "math/bits"

// This file compares free output VCs by estimates of congestion, for the rules
//
//	free-vcs   the port with the most free VCs (W. Dally and H. Aoki, IEEE TPDS 4(4), 1993)
//	crossbar   the port for which the fewest VCs of the switch have or request a flit slot of the crossbar (P. Gratz et al.,
//	           HPCA 2008, section 3: crossbar demand)
//	weighted   the least product of the flits queued for the port, with those of the packet, and the remaining hops (J. Ahn et
//	           al., SC 2009, DAL; N. McDonald et al., SC 2019, DimWAR and OmniWAR)
//	dyxy, rca  see regional.go
//
// Among equal ones the next in turn after the last output of the input VC.
//
// With weighted, a head waits for a permitted VC that is not free if its product is less, and one clock of waiting makes up for a
// difference of one. So every head requests any free VC after bounded time, and what is proved for packets that wait
// for any permitted VC holds. Without this, packets would leave their minimal path whenever the only VC for a hop is taken.

// estimates is the state of the comparison.
type estimates struct {
	of   func(v, w int32) int // the congestion of output VC w, for the head of v
	dist *distances           // with weighted
	asks []asking             // by VC, with weighted
}

// asking says when a head first compared its output VCs.
type asking struct {
	packet   PacketID
	injected Clock // with packet, identifies it
	since    Clock
}

// newEstimates returns the comparison that the options ask for, or nil.
func newEstimates(s *Sim) *estimates {
	e := &estimates{}
	switch s.o.Select {
	case SelectFreeVCs:
		e.of = func(_, w int32) int { return s.vcs - bits.OnesCount64(s.port[s.vc[w].in].free) }
	case SelectCrossbar:
		e.of = func(_, w int32) int { vcs, _ := s.demand(s.vc[w].in); return vcs }
	case SelectDyXY, SelectRCA1D, SelectRCAFanin, SelectRCAQuadrant:
		e.of = func(v, w int32) int { return s.control.regional.cost(s, v, w) }
	case SelectWeighted:
		e.dist, e.asks = newDistances(s.rel), make([]asking, len(s.vc))
		e.of = e.weight(s)
	default:
		return nil
	}
	return e
}

// demand returns the number of VCs into the switch of output port o that have o or request o only, and the flits in their
// buffers.
func (s *Sim) demand(o int32) (vcs, flits int) {
	p := &s.port[o]
	for i := p.base; i < p.base+int32(p.of)*int32(s.vcs); i++ {
		if x := &s.vc[i]; x.have > 0 && s.goesTo(i, x) == o {
			vcs, flits = vcs+1, flits+int(x.have)
		}
	}
	return vcs, flits
}

// goesTo returns the output port of the front packet of v, or -1 if it is not decided yet. A head that is not routed has a
// port if the routing permits only one, since the plain kernel routes such a head one clock earlier.
func (s *Sim) goesTo(v int32, x *vc) int32 {
	switch {
	case x.state == active || x.state == waiting && x.answer == 0:
		return x.port
	case x.state == routing && s.detours == nil:
		p := &s.packet[x.id]
		if set := &s.routes.only[s.routes.of(s, v, p.dest, p.class)]; set.mask != 0 {
			return s.outs[s.port[x.in].outBase+int32(set.port)]
		}
	}
	return -1
}

// occupied returns the number of occupied slots downstream of port o, as the switch knows them.
func (s *Sim) occupied(o int32) int {
	sum := s.vcs * int(s.buffer[o])
	for i := range int32(s.vcs) {
		sum -= int(s.vc[o*int32(s.vcs)+i].credits)
	}
	return sum
}

// queue returns the number of flits queued for port o: the occupied slots downstream, and the flits in the buffers of the
// switch that go there. A switch with buffers at its inputs has no other output queue.
func (s *Sim) queue(o int32) int {
	_, flits := s.demand(o)
	return s.occupied(o) + flits
}

// weight returns the estimate of the rule weighted.
func (e *estimates) weight(s *Sim) func(v, w int32) int {
	return func(v, w int32) int {
		o := s.vc[w].in
		if s.port[o].eject {
			return 0
		}
		p := &s.packet[s.vc[v].id]
		next := s.net.Head(s.chanOf[o])
		return (s.queue(o) + int(p.flits)) * (1 + int(e.dist.from(s.homeOf(p))[next].links))
	}
}

// patience returns the difference of products that head v accepts by now.
func (e *estimates) patience(s *Sim, v int32) int {
	a, id := &e.asks[v], s.vc[v].id
	if p := &s.packet[id]; a.packet != id || a.injected != p.injected {
		*a = asking{id, p.injected, s.now}
	}
	return int(s.now - a.since)
}

// leastOf returns the VC of s.choice with the least estimate for the head of v, or -1 if the head waits for a better one.
func (s *Sim) leastOf(v int32) int32 {
	best, least := int32(-1), 0
	for _, w := range s.choice {
		if cost := s.estimates.of(v, w); best < 0 || cost < least || cost == least && s.sooner(v, w, best) {
			best, least = w, cost
		}
	}
	if s.o.Select == SelectWeighted {
		margin := s.estimates.patience(s, v)
		better := false
		s.eachPort(v, func(o int32, mask uint64) {
			better = better || s.estimates.of(v, o*int32(s.vcs)+int32(bits.TrailingZeros64(mask)))+margin < least
		})
		if better {
			return -1
		}
	}
	return best
}

// eachPort calls f for the sets of VCs that the head of v may request, free or not.
func (s *Sim) eachPort(v int32, f func(o int32, mask uint64)) {
	x := &s.vc[v]
	if x.answer == 0 {
		f(x.port, x.mask)
		return
	}
	base := s.port[x.in].outBase
	for _, set := range s.routes.sets[-1-x.answer] {
		f(s.outs[base+int32(set.port)], set.mask)
	}
}

// clone returns a copy for simulation c.
func (e *estimates) clone(c *Sim) *estimates {
	if e == nil {
		return nil
	}
	d := newEstimates(c)
	copy(d.asks, e.asks)
	if d.dist != nil {
		d.dist.to = e.dist.to
	}
	return d
}
