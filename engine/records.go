package engine

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file has the records of VCs and ports, and their numbers.
//
// Layout: an output VC is the input VC that it feeds. Both have one number and share one record of
// 64 bytes. The VCs into a switch have consecutive numbers, so a set of them is a bit mask, and
// the ready VCs of an output port are found without a search. Flits are counts. The
// packets of a VC are a linked list. A packet can be on several VCs, but only the VC with its tail
// can have packets behind it, so one link for each packet suffices.

// vc is the buffer of a VC at the switch that it enters, and the state of the VC at the switch
// that it leaves. It fills a cache line.
type vc struct {
	target  int32    // the output VC of the front packet, or -1
	owner   int32    // the input VC whose output is this VC, or -1
	in      int32    // its port
	id      PacketID // the front packet, if there is one
	have    int16    // flits in the buffer
	credits int16    // free slots, as known upstream
	left    int16    // flits of the front packet that have not left
	bit     int16    // its index among the VCs into its switch
	last    PacketID // the last packet, if there is one
	packets uint16   // number of packets, including the front one
	state   uint8
	fresh   bool // whether the head of the front packet has not left

	// The output VCs that the head of the front packet requests.
	mask   uint64 // VCs of port; with routers the output VCs of the switch, by place
	port   int32  // output port, if the answer has one set; after allocation the port of target
	answer int32  // otherwise -1 - the number of the answer
	class  int16
	place  int16 // as an output: its index among the output VCs of its switch

	// State of VC allocation.
	grant  int16 // as an output: the bit that is granted first
	accept int16 // as an input: the output VC that is accepted first, counted over all ports
	into   int32 // with routers: the switch that it enters, or -1
	from   int32 // with routers: the switch that it leaves, or -1
}

// States of the front packet of a VC.
const (
	idle     = iota // there is no packet, or not enough of it has arrived
	routing         // the head has arrived
	waiting         // the head waits for an output VC
	active          // the head has an output VC
	ending          // the tail has left; the channel is still busy with it
	dropping        // no output VC is permitted
)

// port is a channel: an output port at the switch that it leaves, an input port at the switch that
// it enters. It fills a cache line.
type port struct {
	ready      uint64 // output: the VCs that can send a flit; if a mask has several words, bit i says that word i is not 0
	free       uint64 // output: its VCs that no packet holds
	base       int32  // output: the first VC into its switch
	win        int32  // input: the VC that is granted an output port in this clock, or -1
	outBase    int32  // input: start of its switch's output ports in outs
	fromBase   int32  // output: outBase of its switch, or of the switch of the host that it leaves
	firstIn    int32  // output: the first port into its switch
	waiting    int16  // output: number of awake heads that wait for it
	firstBit   int16  // input: its first VC, as an index among the VCs into its switch
	asleep     int32  // output: the first head that sleeps until it is free, or -1
	ports      int16  // input: number of output ports of its switch
	of         int16  // output: number of output ports of its switch
	index      int16  // output: its number
	number     int16  // input: its number
	indexNext  int16  // output: the next number, round robin
	numberNext int16  // input: start of the VCs of the next port
	grant      int16  // output: the VC at which the search for a winner starts
	bid        int16  // input: the VC that bids first
	accept     int16  // input: the output port that is accepted first
	eject      bool
}

// maxVCs is the largest number of VCs of a channel: a mask has one bit for each.
const maxVCs = 64

// maxPairs is the largest number of VCs into a switch: a mask of masks has one bit for each.
const maxPairs = 64 * 64

// number assigns port numbers to channels: consecutive numbers to the channels into a switch, the
// last numbers to the channels to hosts.
func (s *state) number() error {
	n := s.net
	s.portOf, s.chanOf = make([]int32, n.NumChannels()), make([]model.ChannelID, 0, n.NumChannels())
	first := make([]int32, n.NumSwitches()) // by switch: the first port into it
	rank := make([]int16, n.NumChannels())  // by channel into a switch: its number there
	most := 0
	for u := range model.SwitchID(n.NumSwitches()) {
		first[u] = int32(len(s.chanOf))
		most = max(most, len(n.Out(u))*s.vcs)
		for i, c := range s.inputs(u) {
			s.chanOf, rank[c] = append(s.chanOf, c), int16(i)
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
		p := port{win: -1, free: 1<<s.vcs - 1, asleep: -1, eject: n.Kind(c) == model.Eject}
		if u := n.Head(c); u != model.NoSwitch {
			p.firstBit = rank[c] * int16(s.vcs)
			p.numberNext = next(rank[c], int16(len(n.Out(u)))) * int16(s.vcs)
			p.number, p.ports, p.outBase, p.fromBase = rank[c], int16(len(n.Out(u))), outBase[u], outBase[u]
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

// inputs returns the channels into a switch in the order of its arbiters: by port, or hosts and then switches by their numbers.
func (s *state) inputs(u model.SwitchID) (list []model.ChannelID) {
	for _, c := range s.net.Out(u) {
		list = append(list, s.net.Reverse(c))
	}
	if s.o.InputsBySource {
		slices.SortStableFunc(list, func(a, b model.ChannelID) int { return cmp.Compare(s.net.Tail(a), s.net.Tail(b)) })
	}
	return list
}

// modelVC returns the model's number of VC v.
func (s *state) modelVC(v int32) model.VCID {
	return s.net.VC(s.chanOf[s.vc[v].in], int(v)%s.vcs)
}

// ofModel returns the engine's number of a VC of the model.
func (s *state) ofModel(v model.VCID) int32 {
	c, i := s.net.Channel(v)
	return s.portOf[c]*int32(s.vcs) + int32(i)
}
