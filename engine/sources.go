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

// fetch asks for the next packet of host h and schedules it, not before clock t. It reports
// whether the packet is due at t.
func (s *kernel) fetch(h int32, t Clock) bool { return s.askSource(h) && s.due(h, t) }

// askSource asks for the next packet of host h, and reports whether there is one.
func (s *kernel) askSource(h int32) bool {
	x := &s.hosts[h]
	if x.next, x.has = s.source.Next(model.HostID(h)); !x.has {
		return false
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
func (s *kernel) due(h int32, t Clock) bool {
	for s.schedule(h, t) {
		if s.hasRoute(&s.hosts[h].next) {
			return true
		}
		s.dropped++
		if s.endpoints != nil {
			s.endpoints.unroutable()
		}
		if !s.askSource(h) {
			return false
		}
	}
	return false
}

// schedule enters the next packet of host h into the wheel, and reports whether it is created at t
// or earlier.
func (s *kernel) schedule(h int32, t Clock) bool {
	x := &s.hosts[h]
	at := x.next.Created
	if s.throttler != nil {
		at = s.throttler.created(x, t)
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

// wordsOf returns the number of words of kernel.routed for a source. No two sources share a word.
func wordsOf(r *routes) int { return (r.dests + 63) / 64 }

// hasRoute reports whether the relation offers a class for packet p.
func (s *kernel) hasRoute(p *Packet) bool {
	pair := int(p.Source)*wordsOf(s.routes)*64 + int(p.Dest)
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
func (s *kernel) drawClass(x *host, p *Packet) model.Class {
	if p.Class > 0 {
		return p.Class - 1
	}
	rel, first := s.rel, model.Class(0)
	if s.virtual != nil {
		rel, first = s.virtual.Part(p.Message)
	}
	if rel.DestinationHost(p.Dest) == p.Source {
		return first
	}
	if c, ok := rel.(Changing); ok {
		rel = c.At(s.now)
	}
	s.classes = rel.Inject(p.Source, p.Dest, s.classes[:0])
	if len(s.classes) == 1 {
		return first + s.classes[0]
	}
	s.weights = model.Weights(rel, p.Source, p.Dest, s.classes, s.weights[:0])
	x.draws++
	return first + s.classes[model.Choose(s.weights, DrawAtSource(s.o.Seed, p.Source, x.draws))]
}

func (s *kernel) list(h int32) {
	if !s.hosts[h].listed {
		s.hosts[h].listed = true
		s.sending = append(s.sending, h)
	}
}

// inject lets each host send a flit.
func (s *kernel) inject() {
	if s.endpoints != nil {
		s.endpoints.inject(s)
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
func (s *kernel) send(h int32, x *host) bool {
	if s.slow && s.until[x.base/int32(s.vcs)] > s.now || s.rests(x.base) {
		return true
	}
	if x.vc < 0 {
		if s.throttler != nil && s.throttler.holdsBack(x) {
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
func (s *kernel) start(h int32, x *host) bool {
	room := s.room(x.base/int32(s.vcs), int32(x.next.Flits))
	i := x.last
	for range s.vcs {
		if i++; int(i) == s.vcs {
			i = 0
		}
		if s.vc[x.base+int32(i)].credits >= room {
			x.vc, x.last, x.left = x.base+int32(i), i, int32(x.next.Flits)
			s.inNetwork++
			s.begin(model.HostID(h), &x.next, x.vc)
			return true
		}
	}
	return false
}

// begin puts packet p of host h into VC v of the host's channel, and returns its number.
func (s *kernel) begin(h model.HostID, p *Packet, v int32) PacketID {
	id := s.admit(h, p)
	s.enter(v, id)
	for _, o := range s.observers {
		o.start(s, id, p, v)
	}
	return id
}

// admit assigns a number to a packet that enters the network.
func (s *kernel) admit(h model.HostID, p *Packet) PacketID {
	id := s.freeNumber()
	class := model.Class(0)
	if s.routes.classes > 1 {
		class = s.drawClass(&s.hosts[h], p)
	}
	s.packet[id] = packet{created: p.Created, injected: s.now, id: p.ID, source: h, dest: p.Dest, flits: int32(p.Flits), class: class}
	return id
}
