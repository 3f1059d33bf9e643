package packets

import (
	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model"
)

// This file is the memory layout: one record for each port of each switch. The records of a switch
// are adjacent.
//
// A port is the output channel of the switch at this port, and the buffer of the input channel.
// Ports are numbered switch by switch, from the lowest to the highest port. The number of the
// first port of a switch is its base.

const none = -1

// endless is the room of a host.
const endless = 1 << 30

// port is the end of a cable at a switch.
type port struct {
	// The output channel.
	want   uint64       // bits of the input ports, by place, whose heads request it; the first 64
	since  engine.Clock // departure clock of the packet that it carries
	flits  int32        // flits of that packet
	holder int32        // the port whose buffer that packet leaves, or none if the channel is idle
	room   int32        // free flits of the buffer at the other end
	grant  int32        // place of the input port that it grants first
	peer   int32        // the port at the other end, or none at a host
	rival  int32        // during allocation: the best head so far
	// Both.
	base    int32 // of its switch
	place   int32 // number of the port less base
	ports   int32 // number of ports of its switch
	host    int32 // host at the other end, or none
	touched bool  // whether it is in Sim.touched
	asks    bool  // whether it is in Sim.heads
	// The buffer of the input channel.
	first, last int32 // packets whose head has not left it, or none
	need        int32 // flits of the packet whose head requests
	answer      int32 // number of the answer for the requesting head, or none
	leaves      int32 // the port by which a packet leaves it, or none
	accept      int32 // place of the output port that its head prefers
	won         int32 // during allocation: the best port so far for its head
	id          int32 // the input channel, or its only VC
	more        int32 // index into Sim.more: the bits of want above 64
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

// wanted returns the word of request bits of y that contains place.
func (s *Sim) wanted(y *port, place int32) *uint64 {
	if place < 64 {
		return &y.want
	}
	return &s.more[y.more+place>>6-1]
}

// isWanted reports whether a head requests y.
func (s *Sim) isWanted(y *port) bool { return y.want != 0 || y.ports > 64 && s.following(y, 64) >= 0 }
