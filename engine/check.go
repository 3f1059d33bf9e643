package engine

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// This file checks invariants of a simulation. It recounts everything from the start.

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
	if s.control != nil {
		s.control.check(s, bad)
	}
	if s.rings != nil {
		s.rings.recount(s, bad)
	}
	if s.messages != nil {
		s.messages.recount(s, bad)
	}
	return errs
}

// leaving returns the number of slots of v whose flits have left and that become free with the
// tail.
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

// checkFlits compares the flits of VC v with its packets.
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
		bad("VC %d: %d flits without a packet", v, x.have)
	}
}

// checkHolder compares VC v with its output VC, and the hop with the relation.
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

// permitted reports whether the relation permits the VC that the front packet of v has. The packet
// has the class with which it came only while its head is in v.
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

// recount compares the entries in use and the outstanding requests with the messages in the network
// and at hosts.
func (m *messages) recount(s *Sim, bad func(string, ...any)) {
	taken, outstanding := make([]int32, len(m.taken)), make([]int32, len(m.outstanding))
	if m.graph != nil {
		m.recountProtocol(s, bad)
		return
	}
	count := func(h model.HostID, class int, o origin) {
		if outstanding[o.initiator]++; o.taken {
			taken[int(h)*m.classes+class]++
		}
	}
	for p := range s.underWay() {
		x := &s.packet[p]
		count(m.rel.DestinationHost(x.dest), max(m.Causes[s.messageOf(x)], 0), m.from[p])
	}
	for _, y := range m.serving.all() {
		count(y.next.Source, y.next.Message, y.next.origin)
	}
	for i := range m.pending {
		for _, y := range m.pending[i].all() {
			count(y.Source, y.Message, y.origin)
		}
	}
	for _, y := range m.sends {
		if y.has && y.vc < 0 {
			count(y.Source, y.Message, y.origin)
		} else if y.has && y.taken {
			taken[int(y.Source)*m.classes+y.Message]++ // the packet is in the network without its entry
		}
	}
	for i := range taken {
		if taken[i] != m.taken[i] || m.Entries > 0 && int(taken[i]) > m.Entries {
			bad("host %d: %d entries of class %d in use of %d, want %d", i/m.classes, m.taken[i], i%m.classes, m.Entries, taken[i])
		}
	}
	for h := range outstanding {
		if outstanding[h] != m.outstanding[h] {
			bad("host %d: %d requests outstanding, want %d", h, m.outstanding[h], outstanding[h])
		}
	}
}

// underWay returns the packets whose tails have not been delivered.
func (s *Sim) underWay() map[PacketID]bool {
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
