package engine

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// This file holds the state of a simulation against what must always hold. It
// counts everything anew.

// Check returns what is inconsistent between two clocks: flits that are neither
// in a buffer, on a channel nor delivered; slots of a buffer that are neither
// free, taken nor on their way back; a VC whose holder does not know of it; a
// packet on a VC that its relation does not permit; flits without a packet.
// Cost: O(VCs + packets in the network), one call of Relation.Next for each VC
// that is held.
func (s *Sim) Check() (errs []error) {
	bad := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("engine: clock %d: "+format, append([]any{s.now}, args...)...))
	}
	onWay, back := make([]int, len(s.vc)), make([]int, len(s.vc))
	for i := range s.arrivals {
		for _, v := range s.arrivals[i] {
			onWay[v]++
		}
		for _, v := range s.credits[i] {
			back[v]++
		}
	}
	inFlight := int64(0)
	for v := range s.vc {
		x := &s.vc[v]
		inFlight += int64(x.have) + int64(onWay[v])
		if s.port[x.in].eject && s.endless {
			continue
		}
		slots := int(x.credits) + int(x.have) + onWay[v] + back[v] + s.leaving(v)
		if s.port[x.in].eject {
			slots -= int(x.have) + onWay[v] // a host keeps nothing
		}
		if slots != s.o.BufferFlits {
			bad("VC %d: %d credits, %d flits, %d and %d on their way make %d slots, it has %d", v, x.credits, x.have, onWay[v], back[v], slots, s.o.BufferFlits)
		}
		s.checkFlits(v, onWay[v], bad)
	}
	if s.flitsIn != s.flitsOut+inFlight {
		bad("%d flits have entered, %d have left and %d are there", s.flitsIn, s.flitsOut, inFlight)
	}
	for v := range s.vc {
		s.checkHolder(int32(v), bad)
	}
	if s.control != nil {
		s.control.check(s, bad)
	}
	return errs
}

// leaving is how many slots of v flits have left that get free with their tail only.
func (s *Sim) leaving(v int) int {
	x := &s.vc[v]
	if !s.whole || s.o.Timing != Paper {
		return 0
	}
	switch x.state {
	case active:
		return int(s.packet[s.front(int32(v))].flits) - int(x.left)
	case ending:
		return int(x.left)
	}
	return 0
}

// checkFlits holds the flits of a VC against its packets.
func (s *Sim) checkFlits(v, onWay int, bad func(string, ...any)) {
	x := &s.vc[v]
	most := 0
	for i := range x.packets {
		if i == 0 && x.state == ending {
			continue
		}
		p := &s.packet[s.nth(int32(v), i)]
		if most += int(p.flits); i == 0 && x.state >= waiting {
			most += int(x.left) - int(p.flits)
		}
	}
	if int(x.have)+onWay > most {
		bad("VC %d: %d flits, its packets have %d that are not gone", v, int(x.have)+onWay, most)
	}
	if x.state == idle && x.have > 0 && s.o.Switching != model.StoreAndForward {
		bad("VC %d: %d flits of nobody", v, x.have)
	}
}

// checkHolder holds what a VC knows against what its output VC knows, and the
// hop against the relation.
func (s *Sim) checkHolder(v int32, bad func(string, ...any)) {
	x := &s.vc[v]
	if x.owner >= 0 && s.vc[x.owner].target != v {
		bad("VC %d is held by VC %d, which has VC %d", v, x.owner, s.vc[x.owner].target)
	}
	if x.state != active {
		if x.target >= 0 && x.state != ending {
			bad("VC %d has VC %d without being active", v, x.target)
		}
		return
	}
	if s.vc[x.target].owner != v {
		bad("VC %d has VC %d, which VC %d holds", v, x.target, s.vc[x.target].owner)
	}
	if ready := x.have > 0 && s.vc[x.target].credits > 0; ready != s.isReady(x) {
		bad("VC %d: ready %v, in the mask %v", v, ready, !ready)
	}
	p := &s.packet[s.front(v)]
	if !s.permitted(v, p) {
		bad("VC %d: packet to %d on VC %d, which it may not ask for", v, p.dest, x.target)
	}
}

func (s *Sim) isReady(x *vc) bool {
	m := s.port[x.port].ready
	if s.words > 1 {
		m = s.masks[int(x.port)*s.words+int(x.bit>>6)]
	}
	return m>>(x.bit&63)&1 == 1
}

// permitted asks the relation again whether the front packet of v may have the VC
// that it has. Only while its head is here is its class the one that it came with.
func (s *Sim) permitted(v int32, p *packet) bool {
	n := s.net
	at := s.modelVC(v)
	c, _ := n.Channel(at)
	if n.Kind(c) == model.Inject {
		at = n.VC(c, 0)
	}
	to := s.modelVC(s.vc[v].target)
	out, _ := n.Channel(to)
	for class := range model.Class(s.rel.Classes()) {
		for _, h := range s.rel.Next(model.State{VC: at, Dest: p.dest, Class: class}, nil) {
			over, _ := n.Channel(h.VC)
			if (h.VC == to || over == out && n.Kind(out) == model.Eject) && (!s.vc[v].fresh || h.Class == p.class) {
				return true
			}
		}
	}
	return false
}
