package engine

import (
	"github.com/turnproof/turnproof/model"
)

// This file has what the steps of a clock share: packets on VCs, VCs that can send, flits and credits on channels.

func (s *state) front(v int32) PacketID { return s.vc[v].id }

// nth returns packet i of VC v.
func (s *state) nth(v int32, i uint16) PacketID {
	p := s.vc[v].id
	for ; i > 0; i-- {
		p = s.packet[p].next
	}
	return p
}

// freeNumber returns a number that no packet has. The caller must set its record.
func (s *state) freeNumber() PacketID {
	if k := len(s.free); k > 0 {
		id := s.free[k-1]
		s.free = s.free[:k-1]
		return id
	}
	s.packet = append(s.packet, packet{})
	return PacketID(len(s.packet) - 1)
}

// messageOf returns the message class of a packet, 0 if packets are not messages.
func (s *state) messageOf(p *packet) int {
	if s.virtual == nil {
		return 0
	}
	return s.virtual.MessageOf(p.class)
}

// ejectionVCs returns the VCs of a channel to a host that a packet of the given class may use.
func (s *state) ejectionVCs(k model.Class) uint64 {
	if s.virtual == nil {
		return 1<<s.vcs - 1
	}
	first, count := s.virtual.VCsOf(s.virtual.MessageOf(k))
	return (1<<count - 1) << first
}

// sent returns the packet of a record, as its host sent it.
func (s *state) sent(x *packet) Packet {
	return Packet{Created: x.created, Source: x.source, Dest: x.dest, Flits: int(x.flits), ID: x.id, Message: s.messageOf(x)}
}

// room returns the number of free slots that a VC of port o needs to be given to a packet.
func (s *state) room(o, flits int32) int16 {
	switch {
	case s.atomic:
		return s.buffer[o]
	case s.whole:
		return int16(flits)
	}
	return 1
}

// stateOf returns the state of a packet whose head is on VC v.
func (s *state) stateOf(v int32, p *packet) model.State {
	at := s.modelVC(v)
	if s.hostOf[s.vc[v].in] >= 0 {
		at = s.net.VC(s.chanOf[s.vc[v].in], 0)
	}
	return model.State{VC: at, Dest: p.dest, Class: p.class}
}

// switchOf returns the switch that VC v enters.
func (s *state) switchOf(v int32) model.SwitchID {
	c, _ := s.net.Channel(s.modelVC(v))
	return s.net.Head(c)
}

// setReady marks a VC that has an output VC, a flit, and a free slot downstream.
func (s *state) setReady(x *vc) {
	p := &s.port[x.port]
	if s.words == 1 {
		p.ready |= 1 << (x.bit & 63)
	} else {
		s.masks[int(x.port)*s.words+int(x.bit>>6)] |= 1 << (x.bit & 63)
		p.ready |= 1 << (x.bit >> 6)
	}
	s.busy.add(x.port)
}

func (s *state) clearReady(x *vc) {
	p := &s.port[x.port]
	if s.words == 1 {
		p.ready &^= 1 << (x.bit & 63)
		return
	}
	m := &s.masks[int(x.port)*s.words+int(x.bit>>6)]
	if *m &^= 1 << (x.bit & 63); *m == 0 {
		p.ready &^= 1 << (x.bit >> 6)
	}
}

func (s *state) isReady(x *vc) bool {
	m := s.port[x.port].ready
	if s.words > 1 {
		m = s.masks[int(x.port)*s.words+int(x.bit>>6)]
	}
	return m>>(x.bit&63)&1 == 1
}

// giveBack sends the credit for a slot of VC v, whose record is x, to the start of its channel. extra is that of freeAt.
func (s *state) giveBack(v int32, x *vc, extra Clock) {
	if s.even && extra == 0 {
		*s.backAt = append(*s.backAt, v)
		return
	}
	back := &s.credits[s.freeAt(x.in, extra)&s.near]
	*back = append(*back, v)
}

// setOut puts a flit on the channel of output port o, towards VC w.
func (s *state) setOut(w, o int32) {
	if s.even {
		*s.hopAt = append(*s.hopAt, w)
		return
	}
	at := &s.arrivals[s.arrivesAt(o)&s.near]
	*at = append(*at, w)
}

// homeOf returns the switch of a packet's destination.
func (s *state) homeOf(p *packet) model.SwitchID {
	return s.net.Host(s.rel.DestinationHost(p.dest)).Switch
}
