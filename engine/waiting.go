package engine

import (
	"fmt"
	"math/bits"

	"github.com/turnproof/turnproof/model"
)

// This file chooses the next hop of packets that wait for one hop only, as in a switch that
// hashes.
//
// The choice is a hash of the seed, the packet's source, destination and class, and the switch.
// Packets of one flow therefore take the same hop in a state, and different seeds are different
// hash functions. Hops with weights (model.HopWeighted) are hit in proportion to them. A head waits for the chosen VC, whatever the selection rule.

// hopOption is one hop of a state: the VCs of one port. A packet that has committed to the hop
// waits for these VCs.
type hopOption = hopSet

// waitingOf returns a function that reports whether a packet commits to one hop in a state. It
// returns nil if packets commit in no state.
func waitingOf(rel model.Relation, w model.Waiting) (func(model.State) bool, error) {
	_, mixed := rel.(model.Committer)
	switch {
	case w == "" || w == model.WaitAny || w == model.WaitOne || w == model.WaitMixed && mixed:
		return model.CommitsIn(rel, w), nil
	case w == model.WaitMixed:
		return nil, fmt.Errorf("engine: waiting %s, but the routing does not say which packets wait for one hop", w)
	}
	return nil, fmt.Errorf("engine: waiting %q, allowed are %s and %s", w, model.WaitAny, model.WaitOne)
}

// chosen returns the hop of an answer that packet p, whose head is on VC v, waits for. It returns false if the
// packet does not commit to one of several hops.
func (s *Sim) chosen(routes *routes, answer, v int32, p *packet) (one hopOption, is bool) {
	sets, base := routes.sets[answer], s.port[s.vc[v].in].outBase
	count := 0
	for _, set := range sets {
		count += s.options(base, set)
	}
	if count < 2 || !s.commits(s.stateOf(v, p)) {
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

// options returns the number of hops in a set. All VCs to a host are one hop.
func (s *Sim) options(base int32, set hopSet) int {
	if s.port[s.outs[base+int32(set.port)]].eject {
		return 1
	}
	return bits.OnesCount64(set.mask)
}

// stateOf returns the state of a packet whose head is on VC v.
func (s *Sim) stateOf(v int32, p *packet) model.State {
	at := s.modelVC(v)
	if s.hostOf[s.vc[v].in] >= 0 {
		at = s.net.VC(s.chanOf[s.vc[v].in], 0)
	}
	return model.State{VC: at, Dest: p.dest, Class: p.class}
}

// switchOf returns the switch that VC v enters.
func (s *Sim) switchOf(v int32) model.SwitchID {
	c, _ := s.net.Channel(s.modelVC(v))
	return s.net.Head(c)
}

// flowStream separates the random numbers of flows from those of selection.
const flowStream = 0x94D049BB133111EB
