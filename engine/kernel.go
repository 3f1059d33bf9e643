package engine

import (
	"context"

	"turnproof/model"
)

// This file is the kernel: an input-queued router, clock by clock, over flat
// lists of VCs that can do something. A clock costs what moves in it.
//
// Model: BookSim 2's iq router (Jiang et al., ISPASS 2013) with its default
// delays. A head that arrives in clock t is routed in t, asks for an output VC
// from t+1 on, for the switch from the clock after that; a flit that wins the
// switch in s is at the next switch in s+3, its credit upstream in s+2, a host's
// flit of clock t at its switch in t+2. Both allocators are separable, round
// robin, one iteration (iSLIP, N. McKeown, IEEE/ACM ToN 7(2), 1999): outputs
// grant, inputs accept, pointers move past a winner on acceptance only. VC
// allocation sees the output VCs that were free before the clock's switch
// allocation; a VC may hold several packets, one behind the other.
// Layout: an output VC is the input VC that it feeds: one number, one record.
// Flits are counts, packets numbers in a ring per VC.

// vc is the buffer of a VC at the switch that it enters, and what the switch
// that it leaves knows of it.
type vc struct {
	target  int32 // the output VC that the front packet has, -1
	owner   int32 // the input VC that has this one as output, -1
	place   int32 // in Sim.ready, -1
	have    int16 // flits in the buffer
	credits int16 // free slots, as far as known upstream
	left    int16 // flits of the front packet that have not left yet
	state   uint8
	fresh   bool   // the front packet's head has not left yet
	first   uint16 // of the packets in the ring
	packets uint16 // how many
}

// bidder is a VC that can send a flit, with the channels that it needs.
type bidder struct{ v, in, out int32 }

// The states of a VC's front packet.
const (
	idle     = iota // none
	routing         // its head has arrived
	waiting         // for an output VC
	active          // has one
	dropping        // has nowhere to go
)

// packet is a packet in the network or at its source.
type packet struct {
	created  Clock
	injected Clock // of the head
	id       int64
	source   model.HostID
	dest     model.DestID
	class    model.Class
	flits    int32
}

// hopSet is what a head may ask for: VCs lo to lo+n-1, all on one channel.
type hopSet struct {
	lo    int32
	n     int16
	class int16
}

// Sim is a simulation. It is not safe for concurrent use.
type Sim struct {
	net  *model.Network
	rel  model.Relation
	o    Options
	vcs  int
	now  Clock
	vc   []vc
	ring []PacketID // by VC, ringSize each
	mask uint16

	packet []packet
	free   []PacketID // of packet
	source Source
	report func(Delivery)

	at       []place // by VC
	vcNext   []int16 // by channel in: the VC that bids first
	accept   []int16 // by channel in: the port that is accepted first
	grant    []int16 // by channel out: the port that is granted first
	vaGrant  []int16 // by output VC: (port, VC) in that is granted first
	vaAccept []int16 // by input VC: (port, VC) out that is accepted first

	arrivals [8][]int32 // by clock: VCs that a flit arrives at
	credits  [8][]int32 // by clock: VCs that a slot gets free of
	tails    [8][]PacketID

	ready      []bidder // VCs whose front packet has an output VC, a flit and a credit
	cntIn      []int16  // of ready, by channel in
	cntOut     []int16  // of ready, by channel out
	rivals     []bidder // of this clock
	heads      []int32  // VCs to route in this clock
	headsNext  []int32  // in the next one
	wait       []int32  // VCs that ask for an output VC
	asleep     []int32  // by channel out: the first VC that sleeps for it, -1
	sleepNext  []int32  // by VC
	released   []int32  // output VCs that get free after this clock
	bestHead   []int32  // by output VC: the head that it would grant
	bestStamp  []Clock
	asks       []int32 // by VC: the number of what its head may ask for
	routes     *routes
	hosts      []host
	sending    []int32
	wheel      [wheelSize][]int32
	endless    bool // ejection never waits for credits
	hops       int64
	flitsIn    int64
	flitsOut   int64
	delivered  int64
	dropped    int64
	inNetwork  int64 // packets
	lastMove   Clock
	reqs       []request
	inputs     []int32 // channels in with requests in this clock
	reqOf      []int32 // by channel in: its first request
	reqStamp   []Clock
	grantOf    []int32
	grantStamp []Clock
}

// place is where a VC is.
type place struct {
	ch     int32 // its channel
	index  int16 // among the VCs of the channel
	inPort int16 // the port by which it enters a switch,
	in     int16 // and its place among the VCs of all ports in
	ports  int16 // of that switch
	all    int16 // VCs of all its ports
	outPt  int16 // the port by which it leaves a switch,
	out    int16 // and its place among the VCs of all ports out
	eject  bool  // it leads to a host
}

// request is a VC that bids for a port out, the only one of its port in to do so.
type request struct {
	v, in, out int32 // VC, channels
	next       int32 // request of the same channel in, -1
}

const wheelSize = 1024

// host is a source with its next packet.
type host struct {
	next   Packet // valid if has
	has    bool
	listed bool  // in sending
	last   int16 // index of the VC used last
	vc     int32 // the VC in use, -1
	left   int32 // flits of the present packet that are not sent yet
}

// New prepares a simulation of r, whose network has as many VCs as it uses.
// report, if it is not nil, is told of every packet that arrives.
func New(r model.Relation, source Source, o Options, report func(Delivery)) (*Sim, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	n := r.Network()
	k, c := n.NumVCs(), n.NumChannels()
	size := 1
	for size < o.BufferFlits {
		size *= 2
	}
	s := &Sim{net: n, rel: r, o: o, source: source, report: report, vcs: n.VCs(), vc: make([]vc, k), ring: make([]PacketID, k*size), mask: uint16(size - 1),
		at: make([]place, k), reqOf: make([]int32, c), reqStamp: make([]Clock, c), vcNext: make([]int16, c), accept: make([]int16, c), grant: make([]int16, c),
		vaGrant: make([]int16, k), vaAccept: make([]int16, k), cntIn: make([]int16, c), cntOut: make([]int16, c), asleep: make([]int32, c), sleepNext: make([]int32, k),
		bestHead: make([]int32, k), bestStamp: make([]Clock, k), asks: make([]int32, k), routes: newRoutes(r), hosts: make([]host, r.Sources()), endless: o.BufferFlits >= 5,
		grantOf: make([]int32, c), grantStamp: make([]Clock, c)}
	for v := range s.vc {
		s.vc[v] = vc{target: -1, owner: -1, place: -1, credits: int16(o.BufferFlits)}
		s.bestStamp[v] = -1
	}
	for v := range s.at {
		ch, i := n.Channel(model.VCID(v))
		p := place{ch: int32(ch), index: int16(i), eject: n.Kind(ch) == model.Eject}
		if u := n.Head(ch); u != model.NoSwitch {
			p.inPort, p.ports = int16(n.InIndex(ch)), int16(len(n.Out(u)))
		}
		if n.Tail(ch) != model.NoSwitch {
			p.outPt = int16(n.OutIndex(ch))
		}
		p.in, p.out, p.all = p.inPort*int16(s.vcs)+p.index, p.outPt*int16(s.vcs)+p.index, p.ports*int16(s.vcs)
		s.at[v] = p
	}
	for ch := range s.asleep {
		s.asleep[ch], s.grantStamp[ch], s.reqStamp[ch] = -1, -1, -1
	}
	for h := range s.hosts {
		s.hosts[h] = host{vc: -1, last: int16(s.vcs - 1)}
	}
	s.routes.ahead(s)
	for h := range int32(r.Sources()) {
		if s.fetch(h, 0) {
			s.list(h)
		}
	}
	return s, nil
}

// Now returns the clock that comes next.
func (s *Sim) Now() Clock { return s.now }

// Run simulates clocks, and stops early when ctx ends.
func (s *Sim) Run(ctx context.Context, clocks Clock) error {
	for end := s.now + clocks; s.now < end; {
		if s.now&1023 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		s.step()
	}
	return nil
}

func (s *Sim) step() {
	t := s.now & 7
	s.arrive(t)
	s.inject()
	s.allocateSwitch()
	s.allocateVCs()
	s.route()
	s.arrivals[t], s.credits[t], s.tails[t] = s.arrivals[t][:0], s.credits[t][:0], s.tails[t][:0]
	s.now++
}

// arrive takes flits and credits off the channels.
func (s *Sim) arrive(t Clock) {
	for _, w := range s.credits[t] {
		x := &s.vc[w]
		x.credits++
		if x.credits == 1 {
			s.credited(w, x)
		}
	}
	for _, v := range s.arrivals[t] {
		x := &s.vc[v]
		x.have++
		switch {
		case x.state == active:
			if x.have == 1 && x.place < 0 && s.vc[x.target].credits > 0 {
				s.makeReady(v, x)
			}
		case x.state == idle:
			x.state = routing
			s.heads = append(s.heads, v)
		case x.state == dropping:
			s.drop(v, x)
		}
	}
	for _, p := range s.tails[t] {
		s.deliver(p)
	}
	if at := s.wheel[s.now%wheelSize]; len(at) > 0 {
		keep := at[:0]
		for _, h := range at {
			if s.hosts[h].next.Created > s.now {
				keep = append(keep, h)
			} else {
				s.list(h)
			}
		}
		s.wheel[s.now%wheelSize] = keep
	}
}

// deliver ends a packet.
func (s *Sim) deliver(p PacketID) {
	s.delivered++
	s.inNetwork--
	if x := &s.packet[p]; s.report != nil {
		s.report(Delivery{Packet{x.created, x.source, x.dest, int(x.flits), x.id}, x.injected, s.now})
	}
	s.free = append(s.free, p)
}

// credited wakes who waits for a credit of w.
func (s *Sim) credited(w int32, x *vc) {
	if u := x.owner; u >= 0 {
		if y := &s.vc[u]; y.state == active && y.have > 0 && y.place < 0 {
			s.makeReady(u, y)
		}
		return
	}
	c := model.ChannelID(s.at[w].ch)
	if s.net.Kind(c) == model.Inject {
		if h := int32(s.net.HostOf(c)); s.hosts[h].vc == w || s.hosts[h].vc < 0 && s.hosts[h].has && s.hosts[h].next.Created <= s.now {
			s.list(h)
		}
	}
}

func (s *Sim) makeReady(v int32, x *vc) {
	x.place = int32(len(s.ready))
	b := bidder{v, s.at[v].ch, s.at[x.target].ch}
	s.ready = append(s.ready, b)
	s.cntIn[b.in]++
	s.cntOut[b.out]++
}

func (s *Sim) unready(x *vc) {
	b := s.ready[x.place]
	last := s.ready[len(s.ready)-1]
	s.ready[x.place] = last
	s.vc[last.v].place = x.place
	s.ready = s.ready[:len(s.ready)-1]
	x.place = -1
	s.cntIn[b.in]--
	s.cntOut[b.out]--
}
