package engine

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// This file makes hosts send: one packet at a time, one flit a clock.
//
// A host looks for a VC of its injection channel with room, starting after the VC that it used
// last, even if the previous packet is still in that VC. The next packet may start in the clock
// after the tail of the previous one. Hosts that wait for the creation of a packet are in a wheel
// of clocks. Hosts that wait for room are in no list: the slot that becomes free wakes them.

// host is a source and its next packet.
type host struct {
	next   Packet // valid if has is true
	own    Clock  // creation time by the source's own clock
	has    bool
	listed bool   // whether it is in sending
	timed  bool   // whether it is in Sim.created
	after  int32  // the next host in the same list of Sim.created, or -1
	base   int32  // the first VC of its injection channel
	last   int16  // index of the VC used last
	vc     int32  // the VC in use, or -1
	left   int32  // flits of the current packet that are not sent yet
	draws  uint64 // number of classes drawn so far
}

// fetch asks for the next packet of host h and schedules it, not before clock t. It reports
// whether the packet is due at t.
func (s *Sim) fetch(h int32, t Clock) bool { return s.askSource(h) && s.due(h, t) }

// askSource asks for the next packet of host h, and reports whether there is one.
func (s *Sim) askSource(h int32) bool {
	x := &s.hosts[h]
	if x.next, x.has = s.source.Next(model.HostID(h)); !x.has {
		return false
	}
	if s.tape != nil {
		s.tape[h] = append(s.tape[h], x.next)
	}
	if p := &x.next; p.Flits < 1 || p.Flits > maxBuffer || s.whole && p.Flits > s.smallest {
		s.failed = fmt.Errorf("engine: a packet of %d flits from host %d, with buffers of %d flits under %s", p.Flits, p.Source, s.smallest, s.o.Switching)
	}
	x.own = x.next.Created
	return true
}

// due schedules the next packet of host h for its creation, and reports whether that is at t or
// earlier. A packet without a route is dropped at its creation and takes no time. It is not
// dropped earlier, since a source may produce such packets without end.
func (s *Sim) due(h int32, t Clock) bool {
	for s.schedule(h, t) {
		if s.hasRoute(&s.hosts[h].next) {
			return true
		}
		s.dropped++
		if s.messages != nil {
			s.messages.ended++
		}
		if !s.askSource(h) {
			return false
		}
	}
	return false
}

// schedule enters the next packet of host h into the wheel, and reports whether it is created at t
// or earlier.
func (s *Sim) schedule(h int32, t Clock) bool {
	x := &s.hosts[h]
	at := x.next.Created
	if s.control.stops() {
		at = s.control.counts.created(x, t)
	}
	if at > t {
		i := at % creations
		x.after, s.created[i], x.timed = s.created[i], h, true
		return false
	}
	return true
}

// maxPairsKnown is the largest number of pairs of source and destination for which the engine
// stores whether there is a route.
const maxPairsKnown = 1 << 24

// routedWords returns the number of words of s.routed for a source. No two sources share a word.
func (s *Sim) routedWords() int { return (s.routes.dests + 63) / 64 }

// hasRoute reports whether the relation offers a class for packet p.
func (s *Sim) hasRoute(p *Packet) bool {
	pair := int(p.Source)*s.routedWords()*64 + int(p.Dest)
	word, bit := pair>>6, uint64(1)<<(pair&63)
	if word < len(s.routed) && s.routed[word]&bit != 0 {
		return true
	}
	if s.rel.DestinationHost(p.Dest) != p.Source {
		if s.classes = s.rel.Inject(p.Source, p.Dest, s.classes[:0]); len(s.classes) == 0 {
			return false
		}
	}
	if word < len(s.routed) {
		s.routed[word] |= bit
	}
	return true
}

// drawClass returns the class of packet p, for which the relation offers at least one. Each draw
// uses its own number at host x, so it is independent of all other draws.
func (s *Sim) drawClass(x *host, p *Packet) model.Class {
	rel, first := s.rel, model.Class(0)
	if s.messages != nil {
		rel, first = s.messages.rel.Part(p.Message)
	}
	if rel.DestinationHost(p.Dest) == p.Source {
		return first
	}
	s.classes = rel.Inject(p.Source, p.Dest, s.classes[:0])
	if len(s.classes) == 1 {
		return first + s.classes[0]
	}
	s.weights = model.Weights(rel, p.Source, p.Dest, s.classes, s.weights[:0])
	x.draws++
	return first + s.classes[model.Choose(s.weights, DrawAtSource(s.o.Seed, p.Source, x.draws))]
}

// DrawAtSource returns the random number of draw k at host h.
func DrawAtSource(seed uint64, h model.HostID, k uint64) uint64 {
	return Draw(seed^sourceStream, uint64(h), k)
}

// sourceStream separates the random numbers of sources from those of selection.
const sourceStream = 0xD1B54A32D192ED03

// Refill asks the source again for each host that had no next packet. New packets must be created
// in the next clock to simulate or later.
func (s *Sim) Refill() {
	for h := range model.HostID(len(s.hosts)) {
		s.Wake(h)
	}
}

// Wake asks the source again for the next packet of host h, if the host had none. The packet must
// be created in the next clock to simulate or later. Call Wake between two calls of Run. Cost:
// constant, while Refill visits all hosts.
func (s *Sim) Wake(h model.HostID) {
	if x := &s.hosts[h]; !x.has && s.fetch(int32(h), s.now) {
		s.list(int32(h))
	}
}

func (s *Sim) list(h int32) {
	if !s.hosts[h].listed {
		s.hosts[h].listed = true
		s.sending = append(s.sending, h)
	}
}

// inject lets each host send a flit.
func (s *Sim) inject() {
	if s.messages != nil {
		s.messages.inject(s)
		return
	}
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

// send sends a flit of host h. It reports whether the host is to be considered again in the next
// clock.
func (s *Sim) send(h int32, x *host) bool {
	if s.slow && s.until[x.base/int32(s.vcs)] > s.now || s.rests(x.base) {
		return true
	}
	if x.vc < 0 {
		if s.control.stopped(x) {
			return true
		}
		if !s.start(h, x) {
			return false
		}
	}
	w := &s.vc[x.vc]
	if w.credits == 0 {
		return false
	}
	w.credits--
	s.flitsIn++
	s.lastMove = s.now
	if s.slow {
		s.until[w.in] = s.now + s.takes[w.in]
	}
	at := &s.arrivals[s.arrivesAt(w.in)&s.near]
	*at = append(*at, x.vc)
	if x.left--; x.left > 0 {
		return true
	}
	x.vc = -1
	return s.fetch(h, s.now+1)
}

// start chooses a VC for the next packet of host h, and reports whether there is one.
func (s *Sim) start(h int32, x *host) bool {
	room := s.room(x.base/int32(s.vcs), int32(x.next.Flits))
	i := x.last
	for range s.vcs {
		if i++; int(i) == s.vcs {
			i = 0
		}
		if s.vc[x.base+int32(i)].credits >= room {
			x.vc, x.last, x.left = x.base+int32(i), i, int32(x.next.Flits)
			s.inNetwork++
			id := s.admit(model.HostID(h), &x.next)
			s.enter(x.vc, id)
			if s.journeys != nil {
				s.journeys.begin(s, id, &x.next, x.vc)
			}
			return true
		}
	}
	return false
}

// room returns the number of free slots that a VC of port o needs to be given to a packet.
func (s *Sim) room(o, flits int32) int16 {
	switch {
	case s.atomic:
		return s.buffer[o]
	case s.whole:
		return int16(flits)
	}
	return 1
}

// admit assigns a number to a packet that enters the network.
func (s *Sim) admit(h model.HostID, p *Packet) PacketID {
	id := s.freeNumber()
	class := model.Class(0)
	if s.routes.classes > 1 {
		class = s.drawClass(&s.hosts[h], p)
	}
	s.packet[id] = packet{created: p.Created, injected: s.now, id: p.ID, source: h, dest: p.Dest, flits: int32(p.Flits), class: class}
	return id
}

// freeNumber returns a number that no packet has. The caller must set its record.
func (s *Sim) freeNumber() PacketID {
	if k := len(s.free); k > 0 {
		id := s.free[k-1]
		s.free = s.free[:k-1]
		return id
	}
	s.packet = append(s.packet, packet{})
	return PacketID(len(s.packet) - 1)
}

// enter appends packet p to those of VC v.
func (s *Sim) enter(v int32, p PacketID) {
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
	if s.control != nil {
		s.control.fill(s, v)
	}
}

func (s *Sim) front(v int32) PacketID { return s.vc[v].id }

// nth returns packet i of VC v.
func (s *Sim) nth(v int32, i uint16) PacketID {
	p := s.vc[v].id
	for ; i > 0; i-- {
		p = s.packet[p].next
	}
	return p
}
