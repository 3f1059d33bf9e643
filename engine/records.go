package engine

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// This file is the records of VCs and ports, and the numbers that they have.
//
// Layout: an output VC is the input VC that it feeds: one number, one record of
// 64 bytes. The VCs into a switch have numbers in a row, so that a set of them is
// a mask, and the ready ones of a port out are found without a search. Flits are
// counts, packets numbers in a ring per VC.

// vc is the buffer of a VC at the switch that it enters, and what the switch
// that it leaves knows of it: a line of the processor's cache.
type vc struct {
	target  int32    // the output VC that the front packet has, -1
	owner   int32    // the input VC that has this one as output, -1
	in      int32    // its port
	id      PacketID // of the front packet, if there is one
	have    int16    // flits in the buffer
	credits int16    // free slots, as far as known upstream
	left    int16    // flits of the front packet that have not left yet
	bit     int16    // its place among the VCs into its switch
	bidNext int16    // the VC of its channel after it
	first   uint16   // in the ring, of the packets after the front one
	packets uint16   // how many, the front one among them
	state   uint8
	fresh   bool // the front packet's head has not left yet

	// What the front packet's head asks for.
	mask   uint64 // VCs of
	port   int32  // a port out, if its answer has one set; that of target, once there is one
	answer int32  // else -1 - number of the answer
	class  int16

	// What VC allocation knows.
	grant  int16 // as output: the bit that is granted first
	accept int16 // as input: the output VC that is accepted first, counted over all ports
	bid    int32 // as output: the head that it would grant, -1
	pick   int32 // as input: the output VC that its head would accept, -1
}

// The states of a VC's front packet.
const (
	idle     = iota // none, or not enough of it has arrived
	routing         // its head has arrived
	waiting         // for an output VC
	active          // has one
	ending          // its tail has left, the channel is still busy with it
	dropping        // has nowhere to go
)

// port is a channel: at the switch that it leaves a port out, at the one that it
// enters a port in. It is a line of the processor's cache, too.
type port struct {
	ready      uint64 // out: the VCs that can send a flit by it; with many VCs, the words of masks that are not 0
	free       uint64 // out: its VCs that no packet holds
	base       int32  // out: the first VC into its switch
	win        int32  // in: the VC that is granted a port out in this clock, -1
	outBase    int32  // in: where its switch's ports out begin in outs
	fromBase   int32  // out: the same of its own switch, -1
	firstIn    int32  // out: the first port into its switch
	waiting    int16  // out: heads that are awake and wait for it
	asleep     int32  // out: the first head that sleeps for it, -1
	ports      int16  // in: how many its switch has
	of         int16  // out: the same of its own switch
	index      int16  // out: its number
	number     int16  // in: its number
	indexNext  int16  // out: the number after its own
	numberNext int16  // in: where the VCs of the port after it begin
	grant      int16  // out: where among the VCs the search for a winner begins
	bid        int16  // in: the VC that bids first
	accept     int16  // in: the port out that is accepted first
	listed     bool   // out: in busy
	eject      bool
}

// maxVCs bounds the VCs of a channel: those of a port are a mask.
const maxVCs = 64

// maxPairs bounds the VCs into a switch: a mask of masks has so many bits.
const maxPairs = 64 * 64

// number gives the channels the numbers of ports: those into a switch in a row,
// those to hosts at the end.
func (s *Sim) number() error {
	n := s.net
	s.portOf, s.chanOf = make([]int32, n.NumChannels()), make([]model.ChannelID, 0, n.NumChannels())
	first := make([]int32, n.NumSwitches()) // of the ports into a switch
	most := 0
	for u := range model.SwitchID(n.NumSwitches()) {
		first[u] = int32(len(s.chanOf))
		most = max(most, len(n.Out(u))*s.vcs)
		for _, c := range n.Out(u) {
			s.chanOf = append(s.chanOf, n.Reverse(c))
		}
	}
	if s.vcs > maxVCs {
		return fmt.Errorf("engine: %d VCs a channel, at most %d can be simulated", s.vcs, maxVCs)
	}
	if most > maxPairs {
		return fmt.Errorf("engine: a switch with %d VCs into it, at most %d can be simulated", most, maxPairs)
	}
	for c := range model.ChannelID(n.NumChannels()) {
		if n.Kind(c) == model.Eject {
			s.chanOf = append(s.chanOf, c)
		}
	}
	for p, c := range s.chanOf {
		s.portOf[c] = int32(p)
	}
	for i := range most {
		s.inOf = append(s.inOf, int16(i/s.vcs))
	}
	if s.words = max(1, (most+63)/64); s.words > 1 {
		s.masks = make([]uint64, len(s.port)*s.words)
	}
	outBase := make([]int32, n.NumSwitches())
	for u := range model.SwitchID(n.NumSwitches()) {
		outBase[u] = int32(len(s.outs))
		for _, c := range n.Out(u) {
			s.outs = append(s.outs, s.portOf[c])
		}
	}
	for i, c := range s.chanOf {
		p := port{win: -1, free: 1<<s.vcs - 1, asleep: -1, fromBase: -1, eject: n.Kind(c) == model.Eject}
		if u := n.Head(c); u != model.NoSwitch {
			p.numberNext = next(int16(n.InIndex(c)), int16(len(n.Out(u)))) * int16(s.vcs)
			p.number, p.ports, p.outBase = int16(n.InIndex(c)), int16(len(n.Out(u))), outBase[u]
		}
		if u := n.Tail(c); u != model.NoSwitch {
			p.indexNext = next(int16(n.OutIndex(c)), int16(len(n.Out(u))))
			p.fromBase, p.firstIn, p.index, p.of, p.base = outBase[u], first[u], int16(n.OutIndex(c)), int16(len(n.Out(u))), first[u]*int32(s.vcs)
		}
		s.hostOf[i] = -1
		if k := n.Kind(c); k == model.Inject || k == model.Eject {
			s.hostOf[i] = int32(n.HostOf(c))
		}
		s.port[i] = p
	}
	return nil
}

// modelVC returns the model's number of a VC.
func (s *Sim) modelVC(v int32) model.VCID {
	return s.net.VC(s.chanOf[s.vc[v].in], int(v)%s.vcs)
}

// ofModel returns the number of a VC of the model.
func (s *Sim) ofModel(v model.VCID) int32 {
	c, i := s.net.Channel(v)
	return s.portOf[c]*int32(s.vcs) + int32(i)
}
