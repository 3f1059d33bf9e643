package engine

import (
	"fmt"
	"slices"

	"turnproof/model"
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
		if s.at[v].eject && s.endless {
			continue
		}
		slots := int(x.credits) + int(x.have) + onWay[v] + back[v]
		if s.at[v].eject {
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
	return errs
}

// checkFlits holds the flits of a VC against its packets.
func (s *Sim) checkFlits(v, onWay int, bad func(string, ...any)) {
	x := &s.vc[v]
	most := 0
	for i := range x.packets {
		p := &s.packet[s.ring[v*(int(s.mask)+1)+int((x.first+i)&s.mask)]]
		if most += int(p.flits); i == 0 && x.state >= waiting {
			most += int(x.left) - int(p.flits)
		}
	}
	if int(x.have)+onWay > most {
		bad("VC %d: %d flits, its packets have %d that are not gone", v, int(x.have)+onWay, most)
	}
	if (x.state == idle) != (x.have == 0) && x.state == idle {
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
		if x.target >= 0 || x.place >= 0 {
			bad("VC %d has VC %d without being active", v, x.target)
		}
		return
	}
	if s.vc[x.target].owner != v {
		bad("VC %d has VC %d, which VC %d holds", v, x.target, s.vc[x.target].owner)
	}
	if ready := x.have > 0 && s.vc[x.target].credits > 0; ready != (x.place >= 0) {
		bad("VC %d: ready %v, in the list %v", v, ready, x.place >= 0)
	}
	p := &s.packet[s.front(v)]
	if !slices.ContainsFunc(s.routes.sets(s.asks[v]), func(h hopSet) bool {
		return h.lo <= x.target && x.target < h.lo+int32(h.n) && (!x.fresh || model.Class(h.class) == p.class) // the class is the head's
	}) {
		bad("VC %d: packet to %d on VC %d, which it may not ask for", v, p.dest, x.target)
	}
}
