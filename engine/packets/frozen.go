package packets

import (
	"slices"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model"
)

// This file finds deadlocks: packets that can never move again.
//
// Definition: the greatest set of packets each of which is behind another packet of the set in a
// buffer, or whose head waits for channels none of which has room for it beside the packets of the
// set. A packet waits for any channel that its relation permits. So no packet of the set moves
// before another one does. A packet that has departed is only in the buffer ahead: its room is
// reserved, so its tail is sure to follow, and the channel that it holds becomes idle again.
// Method: reduction. Remove each packet that could depart if the removed packets were gone, until
// no packet can be removed (J. Duato, IEEE TPDS 7(8), 1996, for the configurations). A part of the
// network may be frozen while the rest moves. Packets without a permitted channel are dropped and
// are never in the set. Cost: a round takes O(packets in the network × channels that they may
// request). There are at most as many rounds as packets, and few in practice.

// remains are the packets that the reduction has not removed.
type remains struct {
	first []int32 // by port: the first remaining packet of its buffer, or none
	flits []int32 // by port: flits of all remaining packets in its buffer
}

// Frozen returns the packets that can never move again, or nil. They are sorted by the VC of their
// heads, then by their order in that buffer.
func (s *Sim) Frozen() []engine.Blocked {
	r := s.reduced()
	var list []engine.Blocked
	for c := range model.ChannelID(s.net.NumChannels()) {
		if s.net.Kind(c) == model.Eject {
			continue
		}
		v := s.bufferOf(c)
		for p := r.first[v]; p != none; p = s.packet[p].next {
			list = append(list, s.blocked(r, v, p))
		}
	}
	return list
}

// reduced removes packets from the set of all packets until no packet can be removed.
func (s *Sim) reduced() *remains {
	r := &remains{make([]int32, len(s.port)), make([]int32, len(s.port))}
	for v := range s.port {
		r.first[v] = s.port[v].first
		for p := r.first[v]; p != none; p = s.packet[p].next {
			r.flits[v] += s.packet[p].flits
		}
	}
	for more := true; more; {
		more = false
		for v := range r.first {
			for p := r.first[v]; p != none && s.couldSetOut(r, int32(v), p); p = r.first[v] {
				r.first[v] = s.packet[p].next
				r.flits[v] -= s.packet[p].flits
				more = true
			}
		}
	}
	return r
}

// couldSetOut reports whether packet p, the first of buffer v, could depart if only the remaining
// packets were in the network.
func (s *Sim) couldSetOut(r *remains, v, p int32) bool {
	hops := s.hopsOf(v, p)
	for i := range hops {
		w := s.port[s.port[v].base+hops[i].place].peer
		if w == none || r.flits[w]+s.packet[p].flits <= int32(s.o.BufferFlits) {
			return true
		}
	}
	return len(hops) == 0 // without a permitted channel the packet is dropped
}

// hopsOf returns the channels that packet p in buffer v may request.
func (s *Sim) hopsOf(v, p int32) []hop {
	z := &s.packet[p]
	return s.routes.list(s.routes.of(v, s.port[v].id, z.dest, z.class))
}

// blocked returns where a packet of the deadlock is and what it waits for.
func (s *Sim) blocked(r *remains, v, p int32) engine.Blocked {
	x, z := &s.port[v], &s.packet[p]
	b := engine.Blocked{
		Packet: engine.Packet{Created: z.created, Source: z.source, Dest: z.dest, Flits: int(z.flits), ID: z.id},
		Class:  z.class, On: s.trail(v, p), Behind: p != x.first || s.draining(x),
	}
	if p != r.first[v] {
		return b
	}
	hops := slices.Clone(s.hopsOf(v, p))
	slices.SortFunc(hops, func(a, b hop) int { return int(a.rank - b.rank) })
	for _, h := range hops {
		b.Waits = append(b.Waits, model.VCID(s.net.Reverse(model.ChannelID(s.port[x.base+h.place].id))))
	}
	return b
}

// draining reports whether a packet that has departed still has flits in buffer x.
func (s *Sim) draining(x *port) bool {
	return x.leaves != none && s.sent(&s.port[x.leaves]) < s.port[x.leaves].flits
}

// trail returns the VCs that hold packet p of buffer v, from tail to head: those that its head has
// reached and its last flit has not left. Only the last packet of a buffer may still be in transit
// to it. Until its last flit has left, such a packet is also in the buffer before.
func (s *Sim) trail(v, p int32) []model.VCID {
	on := []model.VCID{model.VCID(s.port[v].id)}
	for last := s.packet[p].next == none; last && s.port[v].peer != none; last = s.port[v].first == none {
		y := &s.port[s.port[v].peer] // the previous channel of p
		if y.holder == none || s.sent(y) == y.flits {
			break
		}
		v = y.holder
		on = append(on, model.VCID(s.port[v].id))
	}
	slices.Reverse(on)
	return on
}
