package packets

import (
	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model"
)

// This file moves packets: departure, arrival of the head, passing of the tail.
//
// Source: P. Kermani and L. Kleinrock, Computer Networks 3, 1979, for cut-through; the clocks are
// those of engine.Paper. A packet that departs in clock s occupies a channel until s + flits ×
// clocks per flit. In that clock the channel becomes idle, the buffer behind regains the room, and
// its next packet becomes the front. The head reaches the next switch in s + flight, the last flit
// (flits-1) × clocks per flit later.

// handle processes event e of clock t.
func (s *Sim) handle(t engine.Clock, e event) {
	switch e.what {
	case headReady:
		s.ask(t, e.which)
	case tailGone:
		s.gone(t, e.which)
	case arrived:
		s.deliver(t, e.which)
	case hostReady:
		s.due = append(s.due, e.which)
	case deadEnd:
		s.drop(t, e.which)
	}
}

// setOut makes the front packet of buffer v depart by channel c, which is idle and has room.
func (s *Sim) setOut(t engine.Clock, v, c int32, class model.Class) {
	x, y := &s.port[v], &s.port[c]
	p := s.pop(x)
	z := &s.packet[p]
	z.class = class
	x.leaves = c
	y.holder, y.flits, y.since = v, z.flits, t
	s.hops += int64(z.flits)
	s.calendar.add(t, t+engine.Clock(z.flits)*s.linkClocks, tailGone, c)
	if y.peer == none {
		z.head = t + flight
		s.calendar.add(t, s.whole(z), arrived, p)
		return
	}
	y.room -= z.flits
	s.approach(t, p, y.peer)
}

// approach appends packet p, which departs in clock t, to buffer v.
func (s *Sim) approach(t engine.Clock, p, v int32) {
	x, z := &s.port[v], &s.packet[p]
	z.head, z.next = t+flight, none
	if x.first != none {
		s.packet[x.last].next = p
		x.last = p
		return
	}
	x.first, x.last = p, p
	if x.leaves == none {
		s.calendar.add(t, s.ready(z), headReady, v)
	}
}

// pop removes the front packet from the list of a buffer.
func (s *Sim) pop(x *port) int32 {
	p := x.first
	x.first = s.packet[p].next
	return p
}

// whole returns the clock in which the last flit of z has reached the head's buffer.
func (s *Sim) whole(z *packet) engine.Clock {
	return z.head + engine.Clock(z.flits-1)*s.linkClocks
}

// ready returns the clock from which z may request an output if it is the front.
func (s *Sim) ready(z *packet) engine.Clock {
	if s.wholeFirst {
		return s.whole(z)
	}
	return z.head
}

// gone handles the tail of the packet on channel c: it has passed.
func (s *Sim) gone(t engine.Clock, c int32) {
	y := &s.port[c]
	v := y.holder
	if s.loads != nil {
		s.loads.count(v, c, y)
	}
	y.holder = none
	if s.isWanted(y) {
		s.touch(c, y)
	}
	x := &s.port[v]
	x.leaves = none
	s.release(x, y.flits)
	s.nextFront(t, v, x)
}

// release returns room to buffer x and wakes the upstream switch or host.
func (s *Sim) release(x *port, flits int32) {
	if x.host == none {
		y := &s.port[x.peer]
		y.room += flits
		if y.holder == none && s.isWanted(y) {
			s.touch(x.peer, y)
		}
		return
	}
	h := &s.host[x.host]
	h.room += flits
	if h.waits {
		h.waits = false
		s.due = append(s.due, x.host)
	}
}

// nextFront schedules the request of the first packet of buffer v.
func (s *Sim) nextFront(t engine.Clock, v int32, x *port) {
	if x.first == none {
		return
	}
	if at := s.ready(&s.packet[x.first]); at > t {
		s.calendar.add(t, at, headReady, v)
		return
	}
	s.ask(t, v)
}

// ask computes the permitted channels of the front packet of buffer v and requests them.
func (s *Sim) ask(t engine.Clock, v int32) {
	x := &s.port[v]
	z := &s.packet[x.first]
	a := s.routes.of(v, x.id, z.dest, z.class)
	hops := s.routes.list(a)
	if len(hops) == 0 {
		s.failed = s.routes.wrong
		s.calendar.add(t, s.droppedAt(t, z), deadEnd, v)
		return
	}
	x.answer, x.need = a, z.flits
	for i := range hops {
		c := x.base + hops[i].place
		y := &s.port[c]
		*s.wanted(y, x.place) |= 1 << (x.place & 63)
		if y.holder == none && y.room >= z.flits {
			s.touch(c, y)
		}
	}
}

// droppedAt returns the clock in which a packet without permitted channels disappears with all its
// flits. The packet became the front, and may request, in clock t. It disappears in the clock
// after its last flit has come, and after t. The paper does not define this clock, so dropped
// packets are not compared with package engine.
func (s *Sim) droppedAt(t engine.Clock, z *packet) engine.Clock {
	return max(s.whole(z), t) + 1
}

// drop discards the front packet of buffer v.
func (s *Sim) drop(t engine.Clock, v int32) {
	x := &s.port[v]
	p := s.pop(x)
	s.dropped++
	s.inNetwork--
	s.release(x, s.packet[p].flits)
	s.recycle(p)
	s.nextFront(t, v, x)
}

// deliver ends packet p and reports it.
func (s *Sim) deliver(t engine.Clock, p int32) {
	s.delivered++
	s.inNetwork--
	if z := &s.packet[p]; s.report != nil {
		s.report(engine.Delivery{
			Packet:   engine.Packet{Created: z.created, Source: z.source, Dest: z.dest, Flits: int(z.flits), ID: z.id},
			Injected: z.injected, Arrived: t,
		})
	}
	s.recycle(p)
}

func (s *Sim) recycle(p int32) {
	s.packet[p].next, s.unused = s.unused, p
}
