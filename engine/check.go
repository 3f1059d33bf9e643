package engine

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// This file checks invariants of a simulation. It recounts everything from the start.

// checker is a mechanism that checks its own state.
type checker interface {
	// recount reports differences between what the mechanism counts and what is there to bad.
	recount(s *kernel, bad func(string, ...any))
}

// Check returns the inconsistencies between two clocks: flits that are neither in a buffer, on a
// channel nor delivered; slots that are neither free, used nor on the way back; a VC and its
// output VC that disagree; a packet on a VC that the relation does not permit; flits without a
// packet. Cost: O(VCs + packets in the network), and one call of Relation.Next for each held VC.
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
			slots -= int(x.have) + onWay[v] // hosts buffer nothing
		}
		if want := int(s.buffer[x.in]); slots != want {
			bad("VC %d: %d credits, %d flits, %d and %d in transit make %d slots, want %d", v, x.credits, x.have, onWay[v], back[v], slots, want)
		}
		s.checkFlits(v, onWay[v], bad)
	}
	if s.flitsIn != s.flitsOut+inFlight {
		bad("%d flits have entered, %d have left and %d are there", s.flitsIn, s.flitsOut, inFlight)
	}
	for v := range s.vc {
		s.checkHolder(int32(v), bad)
	}
	for _, m := range s.mechanisms {
		if c, ok := m.(checker); ok {
			c.recount(&s.kernel, bad)
		}
	}
	return errs
}

// leaving returns the number of slots of v whose flits have left and that become free with the
// tail.
func (s *state) leaving(v int) int {
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

// checkFlits compares the flits of VC v with its packets.
func (s *kernel) checkFlits(v, onWay int, bad func(string, ...any)) {
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
		bad("VC %d: %d flits without a packet", v, x.have)
	}
}

// checkHolder compares VC v with its output VC, and the hop with the relation.
func (s *kernel) checkHolder(v int32, bad func(string, ...any)) {
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

// permitted reports whether the relation permits the VC that the front packet of v has. The packet
// has the class with which it came only while its head is in v.
func (s *kernel) permitted(v int32, p *packet) bool {
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

// underWay returns the packets whose tails have not been delivered.
func (s *kernel) underWay() map[PacketID]bool {
	inNetwork := map[PacketID]bool{}
	for v := range s.vc {
		for i := range s.vc[v].packets {
			if i == 0 && s.vc[v].state == ending {
				continue
			}
			inNetwork[s.nth(int32(v), i)] = true
		}
	}
	for _, list := range s.tails {
		for _, p := range list {
			inNetwork[p] = true
		}
	}
	return inNetwork
}
