package engine

import "github.com/turnproof/turnproof/model"

// This file puts packets on VCs and removes them.

// enter appends packet p to those of VC v.
func (s *kernel) enter(v int32, p PacketID) {
	x := &s.vc[v]
	if s.came != nil {
		s.packet[p].came = s.now
		if x.packets == 0 {
			s.came[v] = s.now
		}
	}
	if x.packets == 0 {
		x.id = p
	} else {
		s.packet[x.last].next = p
	}
	x.last = p
	x.packets++
	for _, w := range s.watchers {
		w.refill(s, v)
	}
}

// pop removes the front packet of v. The head of the next packet, if it has arrived, is routed in
// the next clock.
func (s *kernel) pop(v int32, x *vc) {
	if x.packets--; x.packets > 0 {
		x.id = s.packet[x.id].next
		if s.came != nil {
			s.came[v] = s.packet[x.id].came
		}
	}
	x.state = idle
	for _, w := range s.watchers {
		w.refill(s, v)
	}
	if x.have > 0 && (s.o.Switching != model.StoreAndForward || int32(x.have) >= s.packet[s.front(v)].flits) {
		x.state = routing
		s.headsNext = append(s.headsNext, v)
	}
}
