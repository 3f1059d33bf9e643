package engine

import "turnproof/model"

// This file is the hosts as sources: a packet at a time, a flit a clock.
//
// A host looks for a VC of its injection channel with a credit, beginning after
// the one that it used last, whether or not the packet before is still in it. The
// next packet may start in the clock after the tail of the one before. Hosts that
// wait for a packet are in a wheel of clocks, those that wait for a credit nowhere:
// the credit brings them back.

// fetch asks for the next packet of host h and has it looked at when it is
// created, not before clock t.
func (s *Sim) fetch(h int32, t Clock) bool {
	x := &s.hosts[h]
	if x.next, x.has = s.source.Next(model.HostID(h)); !x.has {
		return false
	}
	if x.next.Created > t {
		s.wheel[x.next.Created%wheelSize] = append(s.wheel[x.next.Created%wheelSize], h)
		return false
	}
	return true
}

func (s *Sim) list(h int32) {
	if !s.hosts[h].listed {
		s.hosts[h].listed = true
		s.sending = append(s.sending, h)
	}
}

// inject lets each host send a flit.
func (s *Sim) inject() {
	keep := s.sending[:0]
	for _, h := range s.sending {
		x := &s.hosts[h]
		if s.send(h, x) {
			keep = append(keep, h)
		} else {
			x.listed = false
		}
	}
	s.sending = keep
}

// send sends a flit of host h and reports whether it is to be looked at in the
// next clock again.
func (s *Sim) send(h int32, x *host) bool {
	if x.vc < 0 && !s.start(h, x) {
		return false
	}
	w := &s.vc[x.vc]
	if w.credits == 0 {
		return false
	}
	w.credits--
	s.flitsIn++
	s.lastMove = s.now
	at := (s.now + 2) & 7
	s.arrivals[at] = append(s.arrivals[at], x.vc)
	if x.left--; x.left > 0 {
		return true
	}
	x.vc = -1
	return s.fetch(h, s.now+1)
}

// start chooses a VC for the next packet of a host.
func (s *Sim) start(h int32, x *host) bool {
	base := int32(int(s.net.InjectChannel(model.HostID(h))) * s.vcs)
	i := x.last
	for range s.vcs {
		if i++; int(i) == s.vcs {
			i = 0
		}
		if s.vc[base+int32(i)].credits > 0 {
			x.vc, x.last, x.left = base+int32(i), i, int32(x.next.Flits)
			s.inNetwork++
			s.enter(x.vc, s.admit(model.HostID(h), &x.next))
			return true
		}
	}
	return false
}

// admit gives a packet that enters the network a number.
func (s *Sim) admit(h model.HostID, p *Packet) PacketID {
	id := PacketID(len(s.packet))
	if k := len(s.free); k > 0 {
		id, s.free = s.free[k-1], s.free[:k-1]
	} else {
		s.packet = append(s.packet, packet{})
	}
	s.packet[id] = packet{p.Created, s.now, p.ID, h, p.Dest, 0, int32(p.Flits)}
	return id
}

// enter puts a packet behind the others of VC v.
func (s *Sim) enter(v int32, p PacketID) {
	x := &s.vc[v]
	s.ring[int(v)*(int(s.mask)+1)+int((x.first+x.packets)&s.mask)] = p
	x.packets++
}

func (s *Sim) front(v int32) PacketID {
	return s.ring[int(v)*(int(s.mask)+1)+int(s.vc[v].first)]
}
