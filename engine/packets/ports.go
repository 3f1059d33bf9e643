package packets

import (
	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model"
)

// This file is the layout: a record for each port of each switch, those of a switch
// side by side, so that what belongs together is close together.
//
// A port stands for the channel out of the switch by it, and for the buffer of the
// channel in by it. Ports are numbered through the switches, from their lowest to
// their highest one; the first of a switch is its base.

const none = -1

// endless is the room of a host.
const endless = 1 << 30

// port is a cable's end at a switch.
type port struct {
	// The channel out.
	want   uint64       // the ports in, by their place, whose heads ask for it; the first 64
	since  engine.Clock // when the packet that it carries set out
	flits  int32        // of that packet
	holder int32        // the port whose buffer that packet leaves; none: the channel is idle
	room   int32        // free flits of the buffer at its other end
	grant  int32        // the place in that it grants first
	peer   int32        // the port at its other end, none at a host
	rival  int32        // the head that would get it so far, in allocation
	// Both.
	base    int32 // of its switch
	place   int32 // after the base
	ports   int32 // of its switch
	host    int32 // at its other end, none
	touched bool  // in Sim.touched
	asks    bool  // in Sim.heads
	// The buffer of the channel in.
	first, last int32 // packets whose head has not left it; none
	need        int32 // flits of the head that asks
	answer      int32 // the number of what the head that asks may have; none: no head asks
	leaves      int32 // the port by which a packet leaves it; none
	accept      int32 // the place out that its head takes first
	won         int32 // the port that its head would take so far, in allocation
	id          int32 // the channel in, or its only VC
	more        int32 // into Sim.more: the rest of want
}

// lay makes the ports of a network, all idle and empty.
func (s *Sim) lay(n *model.Network) {
	s.portOf = make([]int32, n.NumChannels())
	for u := range model.SwitchID(n.NumSwitches()) {
		base, out := int32(len(s.port)), n.Out(u)
		for i, c := range out {
			s.portOf[c] = base + int32(i)
			s.port = append(s.port, port{
				holder: none, room: int32(s.o.BufferFlits), peer: none, rival: none,
				base: base, place: int32(i), ports: int32(len(out)), host: int32(n.HostOf(c)),
				first: none, last: none, answer: none, leaves: none, won: none, id: int32(n.Reverse(c)), more: int32(len(s.more)),
			})
			s.more = append(s.more, make([]uint64, (len(out)-1)/64)...)
		}
	}
	for i := range s.port {
		x := &s.port[i]
		if x.host == none {
			x.peer = s.portOf[x.id]
		} else {
			x.room = endless
		}
	}
	for h := range s.host {
		c := n.EjectChannel(model.HostID(h))
		s.host[h] = host{port: s.portOf[c], room: int32(s.o.BufferFlits)}
	}
}

// wanted returns the word of y's rivals that the place in is in.
func (s *Sim) wanted(y *port, place int32) *uint64 {
	if place < 64 {
		return &y.want
	}
	return &s.more[y.more+place>>6-1]
}

// isWanted reports whether some head asks for y.
func (s *Sim) isWanted(y *port) bool { return y.want != 0 || y.ports > 64 && s.following(y, 64) >= 0 }
