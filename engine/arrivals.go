package engine

import "github.com/turnproof/turnproof/model"

// This file handles the events of a clock: flits, credits and tails that arrive. It wakes the
// heads and hosts that wait for them.

func (s *Sim) arrive() {
	t := s.now & s.near
	if ends := &s.ends[t]; len(*ends) > 0 {
		for _, v := range *ends {
			s.end(v)
		}
		*ends = (*ends)[:0]
	}
	if credits := &s.credits[t]; len(*credits) > 0 {
		s.takeCredits(*credits)
		*credits = (*credits)[:0]
	}
	if arrivals := &s.arrivals[t]; len(*arrivals) > 0 {
		s.takeFlits(*arrivals)
		*arrivals = (*arrivals)[:0]
	}
	if s.messages != nil {
		s.messages.serve(s)
	}
	if tails := &s.tails[t]; len(*tails) > 0 {
		for _, p := range *tails {
			s.deliver(p)
		}
		*tails = (*tails)[:0]
	}
	if h := s.created[s.now%creations]; h >= 0 {
		s.create(h)
	}
}

// create handles the list of hosts that starts at h (linked by host.after). It lists the hosts
// whose packet is created in this clock as sending, and schedules the others again.
func (s *Sim) create(h int32) {
	for s.created[s.now%creations] = -1; h >= 0; {
		x := &s.hosts[h]
		next := x.after
		x.timed = false
		if s.due(h, s.now) {
			s.list(h)
		}
		h = next
	}
}

// takeCredits handles the credits that arrive in this clock: one slot of each VC in list becomes
// free.
func (s *Sim) takeCredits(list []int32) {
	for _, w := range list {
		x := &s.vc[w]
		x.credits++
		if x.credits == 1 && s.journeys != nil {
			s.journeys.freed[w] = s.now
		}
		if x.credits == 1 || s.reserves {
			s.credited(w, x)
		}
	}
}

// takeFlits handles the flits that arrive in this clock, one at each VC in list.
func (s *Sim) takeFlits(list []int32) {
	for _, v := range list {
		x := &s.vc[v]
		x.have++
		if s.control != nil {
			s.control.come(s, v, x)
		}
		switch x.state {
		case active:
			if x.have == 1 && s.vc[x.target].credits > 0 {
				s.setReady(x)
			}
		case idle:
			if s.o.Switching != model.StoreAndForward || int32(x.have) >= s.packet[s.front(v)].flits {
				x.state = routing
				s.heads = append(s.heads, v)
			}
		case dropping:
			s.drop(v, x)
		}
	}
}

// deliver removes packet p, whose tail has reached its host, and reports the delivery.
func (s *Sim) deliver(p PacketID) {
	s.delivered++
	s.inNetwork--
	if x := &s.packet[p]; s.report != nil {
		d := Delivery{Packet: s.sent(x), Injected: x.injected, Arrived: s.now}
		if s.messages != nil {
			d.Began = s.messages.from[p].began
		}
		s.report(d)
	}
	if s.messages != nil {
		s.messages.arrived(s, p)
	}
	if s.journeys != nil {
		s.journeys.end(s, p, false)
	}
	s.free = append(s.free, p)
}

// sent returns the packet of a record, as its host sent it.
func (s *Sim) sent(x *packet) Packet {
	return Packet{Created: x.created, Source: x.source, Dest: x.dest, Flits: int(x.flits), ID: x.id, Message: s.messageOf(x)}
}

// credited wakes the VC or host that waits for a free slot of w.
func (s *Sim) credited(w int32, x *vc) {
	if u := x.owner; u >= 0 {
		if y := &s.vc[u]; y.state == active && y.have > 0 && x.credits > 0 {
			s.setReady(y)
		}
		return
	}
	p := &s.port[x.in]
	s.wake(p)
	if h := s.hostOf[x.in]; h >= 0 && !p.eject {
		if y := &s.hosts[h]; y.vc == w || y.vc < 0 && y.has && !y.timed || s.messages != nil {
			s.list(h)
		}
	}
}

// setReady marks a VC that has an output VC, a flit, and a free slot downstream.
func (s *Sim) setReady(x *vc) {
	p := &s.port[x.port]
	if s.words == 1 {
		p.ready |= 1 << (x.bit & 63)
	} else {
		s.masks[int(x.port)*s.words+int(x.bit>>6)] |= 1 << (x.bit & 63)
		p.ready |= 1 << (x.bit >> 6)
	}
	s.busy.add(x.port)
}

func (s *Sim) clearReady(x *vc) {
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
