package engine

import (
	"math/bits"
	"slices"
)

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

// estimate returns the congestion of output VC w, for the head of v.
type estimate func(s *kernel, v, w int32) int

// choose implements selector: it returns the VC with the least estimate.
func (e estimate) choose(s *kernel, v int32, list []int32) int32 {
	best, _ := leastOf(s, v, list, e)
	return best
}

func (e estimate) clone() mechanism { return e }

// freeVCs is the estimate of the rule free-vcs.
func freeVCs(s *kernel, _, w int32) int { return s.vcs - bits.OnesCount64(s.port[s.vc[w].in].free) }

// crossbar is the estimate of the rule crossbar.
func crossbar(s *kernel, _, w int32) int {
	vcs, _ := s.demand(s.vc[w].in)
	return vcs
}

// leastOf returns the VC of list with the least estimate for the head of v, and this estimate.
func leastOf(s *kernel, v int32, list []int32, of estimate) (best int32, least int) {
	best = -1
	for _, w := range list {
		if cost := of(s, v, w); best < 0 || cost < least || cost == least && s.sooner(v, w, best) {
			best, least = w, cost
		}
	}
	return best, least
}

// weighted is the rule weighted.
type weighted struct {
	dist *distances
	asks []asking // by VC
}

// asking says when a head first compared its output VCs.
type asking struct {
	packet   PacketID
	injected Clock // with packet, identifies it
	since    Clock
}

func newWeighted(s *kernel) (mechanism, error) {
	if s.o.Select != SelectWeighted {
		return nil, nil
	}
	return &weighted{newDistances(s.rel), make([]asking, len(s.vc))}, nil
}

func (e *weighted) clone() mechanism { return &weighted{e.dist, slices.Clone(e.asks)} }

// weight is the estimate.
func (e *weighted) weight(s *kernel, v, w int32) int {
	o := s.vc[w].in
	if s.port[o].eject {
		return 0
	}
	p := &s.packet[s.vc[v].id]
	next := s.net.Head(s.chanOf[o])
	return (s.queue(o) + int(p.flits)) * (1 + int(e.dist.from(s.homeOf(p))[next].links))
}

// patience returns the difference of products that head v accepts by now.
func (e *weighted) patience(s *kernel, v int32) int {
	a, id := &e.asks[v], s.vc[v].id
	if p := &s.packet[id]; a.packet != id || a.injected != p.injected {
		*a = asking{id, p.injected, s.now}
	}
	return int(s.now - a.since)
}

// choose implements selector. It returns -1 if the head waits for a better VC.
func (e *weighted) choose(s *kernel, v int32, list []int32) int32 {
	best, least := leastOf(s, v, list, e.weight)
	margin := e.patience(s, v)
	better := false
	eachPort(s, v, func(o int32, mask uint64) {
		better = better || e.weight(s, v, o*int32(s.vcs)+int32(bits.TrailingZeros64(mask)))+margin < least
	})
	if better {
		return -1
	}
	return best
}

// eachPort calls f for the sets of VCs that the head of v may request, free or not.
func eachPort(s *kernel, v int32, f func(o int32, mask uint64)) {
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
