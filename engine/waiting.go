package engine

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// This file chooses the next hop of packets that wait for one hop only.
//
// Flows, as in a switch that hashes: the choice is a hash of the seed, the packet's source, destination and class, and the switch.
// Packets of one flow therefore take the same hop in a state, and different seeds are different
// hash functions. Hops with weights (model.HopWeighted) are hit in proportion to them. A head waits for the chosen VC, whatever the
// selection rule.
//
// With the selection rule drawn, the hop is drawn for each head.

// flows chooses the hops.
type flows struct {
	commits func(model.State) bool // reports whether a packet in this state waits for one hop only
}

// newFlows returns the choice of hops, or nil if packets commit to one hop in no state.
func newFlows(s *kernel) (mechanism, error) {
	w := s.o.Waiting
	_, mixed := s.rel.(model.Committer)
	switch {
	case w == "" || w == model.WaitAny || w == model.WaitOne || w == model.WaitMixed && mixed:
		if commits := model.CommitsIn(s.rel, w); commits != nil {
			return &flows{commits}, nil
		}
		return nil, nil
	case w == model.WaitMixed:
		return nil, fmt.Errorf("engine: waiting %s, but the routing does not say which packets wait for one hop", w)
	}
	return nil, fmt.Errorf("engine: waiting %q, allowed are %s and %s", w, model.WaitAny, model.WaitOne)
}

func (f *flows) clone() mechanism { return f }

// narrow implements narrower.
func (f *flows) narrow(s *kernel, v, answer int32) (hopSet, bool) {
	return f.chosen(s, s.routes, answer, v, &s.packet[s.vc[v].id])
}

// chosen returns the hop of an answer that packet p, whose head is on VC v, waits for. It returns false if the
// packet does not commit to one of several hops.
func (f *flows) chosen(s *kernel, routes *routes, answer, v int32, p *packet) (one hopSet, is bool) {
	sets, base := routes.sets[answer], s.port[s.vc[v].in].outBase
	count := 0
	for _, set := range sets {
		count += s.options(base, set)
	}
	if count < 2 || !f.commits(s.stateOf(v, p)) {
		return one, false
	}
	flow := Draw(s.o.Seed^flowStream, uint64(p.source), uint64(p.dest))
	k := routes.draw(answer, count, Draw(flow, uint64(p.class), uint64(s.switchOf(v))))
	for _, set := range sets {
		if n := s.options(base, set); k >= n {
			k -= n
			continue
		}
		if !s.port[s.outs[base+int32(set.port)]].eject {
			for ; k > 0; k-- {
				set.mask &= set.mask - 1
			}
			set.mask &= -set.mask
		}
		return set, true
	}
	return one, false
}

// flowStream separates the random numbers of flows from those of selection.
const flowStream = 0x94D049BB133111EB

// drawn draws one of the sets of an answer for each head.
type drawn struct{}

func newDrawn(s *kernel) (mechanism, error) {
	if s.o.Select != SelectDrawn {
		return nil, nil
	}
	return drawn{}, nil
}

func (drawn) clone() mechanism { return drawn{} }

// narrow implements narrower: it draws each set with the same probability, or in proportion to the weights of its hops.
func (drawn) narrow(s *kernel, v, answer int32) (hopSet, bool) {
	sets := s.routes.sets[answer]
	if len(sets) == 1 {
		return hopSet{}, false
	}
	x := Draw(s.o.Seed, uint64(v), uint64(s.now))
	if s.routes.weighs == nil {
		return sets[x%uint64(len(sets))], true
	}
	i, k := 0, s.routes.draw(answer, 0, x)
	for base := s.port[s.vc[v].in].outBase; k >= s.options(base, sets[i]); i++ {
		k -= s.options(base, sets[i])
	}
	return sets[i], true
}
