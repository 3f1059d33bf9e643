package engine

import "github.com/turnproof/turnproof/model"

// This file handles the events of a clock: flits, credits and tails that arrive. It wakes the
// heads and hosts that wait for them.

func (s *kernel) arrive() {
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
	s.arriveAtHosts()
}

// arriveAtHosts handles the events of hosts: tails that arrive and packets that are created.
func (s *kernel) arriveAtHosts() {
	if s.endpoints != nil {
		s.endpoints.serve(s)
	}
	if tails := &s.tails[s.now&s.near]; len(*tails) > 0 {
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
func (s *kernel) create(h int32) {
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
func (s *kernel) takeCredits(list []int32) {
	vcs, observers, reserves := s.vc, s.observers, s.reserves
	for _, w := range list {
		x := &vcs[w]
		x.credits++
		for _, o := range observers {
			o.credit(s, w, x)
		}
		if x.credits == 1 || reserves {
			s.credited(w, x)
		}
	}
}

// takeFlits handles the flits that arrive in this clock, one at each VC in list.
func (s *kernel) takeFlits(list []int32) {
	for _, v := range list {
		x := &s.vc[v]
		x.have++
		for _, w := range s.watchers {
			w.arrive(s, v, x)
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
func (s *kernel) deliver(p PacketID) {
	s.delivered++
	s.inNetwork--
	if x := &s.packet[p]; s.report != nil {
		d := Delivery{Packet: s.sent(x), Injected: x.injected, Arrived: s.now}
		if s.endpoints != nil {
			d.Began = s.endpoints.began(p)
		}
		s.report(d)
	}
	for _, d := range s.deliverers {
		d.deliver(s, p)
	}
	s.free = append(s.free, p)
}

// end handles the clock in which a channel is free of a tail. If whole packets need room, all
// slots of the packet become free.
func (s *kernel) end(v int32) {
	x := &s.vc[v]
	s.released = append(s.released, x.target)
	x.target = -1
	flits, id := x.left, x.id
	s.pop(v, x)
	s.free = append(s.free, id)
	if s.whole {
		x.credits += flits
		s.credited(v, x)
	}
}
