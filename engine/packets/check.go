package packets

import (
	"fmt"
	"slices"
)

// This file checks invariants of a simulation. It recounts everything from the start.

// Check returns the inconsistencies between two clocks: room of a buffer that is neither free nor
// used by a packet; a channel and its holder that disagree; a head whose request is not recorded,
// or a recorded request without a head; packets that are neither in a buffer nor in transit to a
// host; missing events. Cost: O(channels × ports + packets + events).
func (s *Sim) Check() (errs []error) {
	bad := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("packets: clock %d: "+format, append([]any{s.now}, args...)...))
	}
	buffered, held := int64(0), 0
	for c := range s.port {
		if s.port[c].holder != none {
			held++
		}
		buffered += s.checkBuffer(int32(c), bad)
		s.checkAsked(int32(c), bad)
	}
	events := s.calendar.count()
	if all := buffered + int64(events[arrived]); all != s.inNetwork {
		bad("%d packets in buffers and %d in transit to hosts, %d in the network", buffered, events[arrived], s.inNetwork)
	}
	if events[tailGone] != held {
		bad("%d channels are held, %d are to get idle", held, events[tailGone])
	}
	used := int64(len(s.packet))
	for p := s.unused; p != none; p = s.packet[p].next {
		used--
	}
	if used != s.inNetwork {
		bad("%d packets are kept, %d in the network", used, s.inNetwork)
	}
	return errs
}

// checkBuffer compares the room of buffer v with its packets, and returns their number.
func (s *Sim) checkBuffer(v int32, bad func(string, ...any)) (packets int64) {
	x := &s.port[v]
	taken := int32(0)
	for p := x.first; p != none; p = s.packet[p].next {
		taken += s.packet[p].flits
		packets++
	}
	if w := x.leaves; w != none {
		taken += s.port[w].flits
		if s.port[w].holder != v {
			bad("a packet leaves port %d by port %d, which port %d holds", v, w, s.port[w].holder)
		}
		if x.answer != none {
			bad("port %d asks while a packet leaves it", v)
		}
	}
	var room int32
	switch {
	case x.peer != none:
		room = s.port[x.peer].room
	case int(x.host) < len(s.host):
		room = s.host[x.host].room
	default:
		room = int32(s.o.BufferFlits) // an endpoint that does not send
	}
	if room < 0 || int(room+taken) != s.o.BufferFlits {
		bad("port %d: %d free flits and %d taken, its buffer has %d", v, room, taken, s.o.BufferFlits)
	}
	return packets
}

// checkAsked compares the recorded requests for channel c with the actual ones, and checks whether
// the channel would be assigned.
func (s *Sim) checkAsked(c int32, bad func(string, ...any)) {
	y := &s.port[c]
	if y.holder != none && s.port[y.holder].leaves != c {
		bad("port %d holds port %d and uses port %d", y.holder, c, s.port[y.holder].leaves)
	}
	for place := range y.ports {
		x := &s.port[y.base+place]
		asks := x.answer != none && slices.ContainsFunc(s.routes.list(x.answer), func(h hop) bool { return h.place == y.place })
		if heard := *s.wanted(y, place)>>(place&63)&1 != 0; asks != heard {
			bad("port %d asks for port %d: %v, heard: %v", y.base+place, c, asks, heard)
		}
		if asks && !y.touched && y.holder == none && x.need <= y.room {
			bad("port %d could have port %d and is forgotten", y.base+place, c)
		}
	}
}

// count returns the number of events of each kind.
func (c *calendar) count() (events [kinds]int) {
	for _, k := range c.first {
		for ; k != 0; k = c.node[k].next {
			events[c.node[k].what]++
		}
	}
	for _, e := range c.far {
		events[e.what]++
	}
	return events
}
