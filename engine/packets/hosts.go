package packets

import (
	"fmt"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model"
)

// This file makes hosts send.
//
// A host sends one packet at a time: when its channel is idle, the packet is created, and the
// buffer at the switch has room for all of it. When a packet has left, the source is asked for the
// next one. A host that waits for room is woken when room is released.

// host is a source and its next packet.
type host struct {
	next  engine.Packet // valid if has is true
	port  int32         // at its switch
	room  int32         // free flits of the buffer there
	has   bool
	waits bool   // whether it waits for room
	draws uint64 // number of classes drawn so far
}

// send lets host h, whose channel is idle, send its next packet in clock t, or schedules the host
// for later. Packets without a route are dropped and take no time.
func (s *Sim) send(t engine.Clock, h int32) {
	x := &s.host[h]
	for {
		if !x.has {
			if x.next, x.has = s.source.Next(model.HostID(h)); !x.has {
				return // the source has no more packets
			}
		}
		if x.next.Created > t {
			s.calendar.add(t, x.next.Created, hostReady, h)
			return
		}
		if err := s.odd(h, &x.next); err != nil {
			s.failed = err
			return
		}
		if class, ok := s.routes.class(model.HostID(h), x.next.Dest); ok {
			s.enter(t, h, class)
			return
		}
		s.dropped++
		x.has = false
	}
}

// odd returns an error for an invalid packet, or nil.
func (s *Sim) odd(h int32, p *engine.Packet) error {
	switch {
	case p.Flits < 1 || p.Flits > s.o.BufferFlits:
		return fmt.Errorf("packets: a packet of %d flits from host %d, with buffers of %d flits under %s", p.Flits, h, s.o.BufferFlits, s.o.Switching)
	case p.Dest < 0 || int(p.Dest) >= s.routes.dests:
		return fmt.Errorf("packets: a packet from host %d to destination %d, destinations are 0 to %d", h, p.Dest, s.routes.dests-1)
	}
	return nil
}

// enter sends the next packet of host h, if there is room for it.
func (s *Sim) enter(t engine.Clock, h int32, class model.Class) {
	x := &s.host[h]
	flits := int32(x.next.Flits)
	if x.room < flits {
		x.waits = true
		return
	}
	p := s.unused
	if p == none {
		p = int32(len(s.packet))
		s.packet = append(s.packet, packet{})
	} else {
		s.unused = s.packet[p].next
	}
	if class == several {
		x.draws++
		class = s.routes.draw(model.HostID(h), x.next.Dest, engine.DrawAtSource(s.o.Seed, model.HostID(h), x.draws))
	}
	s.packet[p] = packet{created: x.next.Created, injected: t, id: x.next.ID, source: model.HostID(h), dest: x.next.Dest, class: class, flits: flits}
	s.inNetwork++
	x.has = false
	x.room -= flits
	s.calendar.add(t, t+engine.Clock(flits)*s.linkClocks, hostReady, h)
	s.approach(t, p, x.port)
}
