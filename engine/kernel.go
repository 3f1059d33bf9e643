package engine

import (
	"context"

	"github.com/turnproof/turnproof/model"
)

// This file is the state of a simulation and the order of work in a clock. A
// clock costs what moves in it: all work is in lists of VCs and ports that can
// do something.

// packet is a packet in the network.
type packet struct {
	created  Clock
	injected Clock // of the head
	came     Clock // when it set out to the switch where its head is; with FirstCome
	id       int64
	source   model.HostID
	dest     model.DestID
	flits    int32
	class    model.Class
}

// Sim is a simulation. It is not safe for concurrent use.
type Sim struct {
	net    *model.Network
	rel    model.Relation
	o      Options
	delay  delays
	vcs    int
	now    Clock
	source Source
	report func(Delivery)

	vc     []vc
	came   []Clock // by VC: of its front packet; with FirstCome
	port   []port
	outs   []int32 // the ports out of all switches, by switch and number
	portOf []int32 // by channel of the model
	hostOf []int32 // by port: the host that it comes from or leads to, -1
	until  []Clock // by port out: busy before
	chanOf []model.ChannelID
	words  int      // of a mask
	masks  []uint64 // by port out, if there are several words

	inOf    []int16    // by place among the VCs into a switch: the number of its port
	ring    []PacketID // by VC: the packets after the front one
	size    uint16     // of a VC's ring less one
	packet  []packet
	free    []PacketID
	routes  *routes
	allowed *routes                // of Options.Permitted, or nil
	commits func(model.State) bool // whether packets wait for one hop there; nil: nowhere
	hosts   []host

	near     Clock            // how many clocks the lists below have, less one; a power of two less one
	arrivals [][]int32        // by clock: VCs that a flit arrives at
	credits  [][]int32        // by clock: VCs that a slot gets free of
	tails    [][]PacketID     // by clock: packets whose tail arrives at a host
	ends     [][]int32        // by clock: VCs that a tail is gone from; only with Paper
	asks     [][]int32        // by clock: heads that begin to ask for an output VC
	created  [creations]int32 // by clock: the first host whose next packet is created then, -1

	backAt    *[]int32 // of credits, for flits that set out in this clock
	hopAt     *[]int32 // of arrivals
	busy      []int32  // ports out with ready VCs
	wins      []int32  // ports in that are granted a port out
	heads     []int32  // VCs to route in this clock
	headsNext []int32  // in the next one
	wait      []int32  // heads that ask for an output VC
	asked     []int32  // output VCs that rivals ask for in this clock
	granted   []int32  // heads that have a grant
	asleep    []int32  // by place of a switch in outs: the first head that sleeps for several of its ports, -1
	sleepNext []int32  // by VC
	sleepers  int      // heads that sleep for several ports
	released  []int32  // output VCs that get free
	sending   []int32  // hosts

	hostsKnow Clock // how much sooner than switches hosts know of a free slot
	endless   bool  // ejection never waits for credits
	whole     bool  // room for whole packets is wanted
	atomic    bool
	selects   bool    // a head asks for one output VC only
	reserves  bool    // whole or atomic
	hostsKeep bool    // atomic holds for ejection channels as well
	far       []Clock // by port: how much longer than usual its channel is; nil: none is
	slow      bool    // channels are busy for several clocks with a flit
	hops      int64
	flitsIn   int64
	flitsOut  int64
	delivered int64
	dropped   int64
	inNetwork int64 // packets
	lastMove  Clock
	loads     *loads
	control   *control   // nil: none
	before    *Sim       // the state at Watch's last look
	lookAt    Clock      // its next one
	tape      [][]Packet // by host: what the source gave since; nil: not kept
	failed    error
	classes   []model.Class // scratch
	weights   []uint32      // scratch
	choice    []int32       // scratch
}

// creations is how many clocks the wheel of packets to come has.
const creations = 1024

// delays are the clocks of a router model.
type delays struct {
	ask                Clock // from a head's being routed to its first asking for a VC
	hop, eject, inject Clock // from setting out to arrival
	credit             Clock // from setting out to the slot's being free upstream
	ejectCredit        Clock
}

func delaysOf(o *Options) delays {
	if o.Timing == Paper {
		return delays{ask: 0, hop: 3, eject: 3, inject: 3, credit: Clock(o.LinkClocks), ejectCredit: 1}
	}
	d := BookSimDelays()
	if o.Delays != nil {
		d = *o.Delays
	}
	cross := d.SwitchAlloc + d.Traversal
	return delays{ask: Clock(d.Route + d.VCAlloc - 1), hop: Clock(cross + d.Link), eject: Clock(cross + 1), inject: 2,
		credit: Clock(d.SwitchAlloc + d.Link + d.Credit + o.LinkClocks - 1), ejectCredit: Clock(cross + 3 + d.Credit)}
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
	s := &Sim{net: n, rel: r, o: o, delay: delaysOf(&o), source: source, report: report, vcs: n.VCs(), vc: make([]vc, k), port: make([]port, c), ring: make([]PacketID, k*size), size: uint16(size - 1),
		sleepNext: make([]int32, k), hostOf: make([]int32, c), until: make([]Clock, c), hosts: make([]host, r.Sources()),
		whole: o.Switching != model.Wormhole, atomic: o.Atomic, slow: o.LinkClocks > 1 || o.EjectClocks > 1}
	if o.Delays != nil {
		s.hostsKnow = Clock(o.Delays.Credit + o.Delays.Link - 1)
	}
	s.reserves, s.selects = s.whole || s.atomic, o.Select != SelectAll && o.Select != SelectDrawn
	longest := max(Clock(max(o.LinkClocks, o.EjectClocks)), s.delay.ask, s.delay.hop, s.delay.credit, s.delay.ejectCredit) + o.farthest()
	for s.near = 7; s.near < longest; {
		s.near = 2*s.near + 1
	}
	s.arrivals, s.credits, s.tails, s.ends, s.asks = make([][]int32, s.near+1), make([][]int32, s.near+1), make([][]PacketID, s.near+1), make([][]int32, s.near+1), make([][]int32, s.near+1)
	s.hostsKeep = s.atomic && o.Timing == BookSim
	s.endless = !s.hostsKeep && (o.Timing == Paper || Clock(o.BufferFlits) >= s.delay.ejectCredit+o.farthest())
	if err := s.number(); err != nil {
		return nil, err
	}
	if err := s.readLatencies(n); err != nil {
		return nil, err
	}
	for v := range s.vc {
		in := v / s.vcs
		s.vc[v] = vc{target: -1, owner: -1, in: int32(in), credits: int16(o.BufferFlits), bit: s.port[in].number*int16(s.vcs) + int16(v%s.vcs), bidNext: next(int16(v%s.vcs), int16(s.vcs)), bid: -1, pick: -1}
	}
	for i := range s.created {
		s.created[i] = -1
	}
	for h := range s.hosts {
		base := s.portOf[n.InjectChannel(model.HostID(h))] * int32(s.vcs)
		s.hosts[h] = host{vc: -1, base: base, last: int16(s.vcs - 1)}
	}
	for range s.outs {
		s.asleep = append(s.asleep, -1)
	}
	if o.Arbiter == FirstCome {
		s.came = make([]Clock, k)
	}
	if o.Loads {
		s.loads = newLoads(s)
	}
	s.routes = newRoutes(s, r)
	if o.Permitted != nil {
		s.allowed = newRoutes(s, o.Permitted)
	}
	var err error
	if s.commits, err = waitingOf(r, o.Waiting); err != nil {
		return nil, err
	}
	if s.control, err = newControl(s); err != nil {
		return nil, err
	}
	for h := range int32(r.Sources()) {
		if s.fetch(h, 0) {
			s.list(h)
		}
	}
	return s, nil
}

// Now returns the clock that comes next.
func (s *Sim) Now() Clock { return s.now }

// Delivered, Dropped and InNetwork count packets: those that have arrived, those
// that had nowhere to go, and those that have left their host and are neither.
func (s *Sim) Delivered() int64 { return s.delivered }

// Dropped counts packets that had nowhere to go.
func (s *Sim) Dropped() int64 { return s.dropped }

// InNetwork counts packets that have left their host and have not arrived.
func (s *Sim) InNetwork() int64 { return s.inNetwork }

// FlitHops counts the switches that flits have traversed.
func (s *Sim) FlitHops() int64 { return s.hops }

// Run simulates clocks. It ends early when ctx does, and when a packet comes
// that does not fit into a buffer but must.
func (s *Sim) Run(ctx context.Context, clocks Clock) error {
	step := s.stepBookSim
	if s.o.Timing == Paper {
		step = s.stepPaper
	}
	for end := s.now + clocks; s.now < end; {
		if s.now&1023 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		step()
		if s.failed != nil {
			return s.failed
		}
	}
	return nil
}

// stepBookSim is a clock of BookSim 2's iq router. VC allocation sees the output VCs
// that were free before the clock's switch allocation.
func (s *Sim) stepBookSim() {
	s.arrive()
	s.route()
	if len(s.sending) > 0 {
		s.inject()
	}
	if len(s.busy) > 0 {
		s.allocateSwitch()
	}
	s.beginAsking()
	if len(s.wait) > 0 {
		s.allocateVCs()
	}
	if len(s.released) > 0 {
		s.wakeReleased()
	}
	if s.control != nil {
		s.control.tick(s)
	}
	s.now++
}

// stepPaper is a clock of the papers' switch: all is decided in the clock in
// which a head arrives.
func (s *Sim) stepPaper() {
	s.arrive()
	s.route()
	s.wakeReleased()
	s.inject()
	s.beginAsking()
	s.allocateVCs()
	s.allocateSwitch()
	if s.control != nil {
		s.control.tick(s)
	}
	s.now++
}

// Buffered counts the flits in buffers.
func (s *Sim) Buffered() (flits int64) {
	for v := range s.vc {
		flits += int64(s.vc[v].have)
	}
	return flits
}
