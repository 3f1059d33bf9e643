package engine

import "github.com/turnproof/turnproof/model"

// This file is the state of a simulation, a struct for each mechanism.

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

// Sim is a simulation. It is not safe for concurrent use. Each embedded struct holds the
// state of one mechanism. They are embedded by value, so a field costs one access.
type Sim struct {
	net    *model.Network
	rel    model.Relation
	o      Options
	failed error // ends Run

	timing
	buffers
	ports
	relations
	hostSide
	wheels
	worklists
	sleeping
	counters
	observers
	scratch
}

// timing is the clock and the switches of the router model, as read from the options.
type timing struct {
	now       Clock // the next clock to simulate
	delay     delays
	hostsKnow Clock // how many clocks sooner than switches hosts know of a free slot
	endless   bool  // ejection never waits for credits
	whole     bool  // a packet moves only if there is room for all of it
	atomic    bool  // a VC takes a new packet only when it is empty
	selects   bool  // a head asks for one output VC only
	reserves  bool  // whole or atomic
	hostsKeep bool  // atomic holds for ejection channels as well
	slow      bool  // a flit keeps a channel busy for several clocks
}

// buffers are the VCs and the packets in them.
type buffers struct {
	vcs    int // per channel
	vc     []vc
	came   []Clock    // by VC: when its front packet came. Only with FirstCome
	ring   []PacketID // by VC: the packets after the front one
	size   uint16     // slots of the ring of a VC, less one
	inOf   []int16    // by place among the VCs into a switch: the number of its port
	packet []packet
	free   []PacketID // unused entries of packet
}

// ports are the channels, as inputs and outputs of switches and hosts.
type ports struct {
	port   []port
	outs   []int32 // the ports out of all switches, by switch and number
	portOf []int32 // by channel of the model
	hostOf []int32 // by port: the host at its end, or -1
	until  []Clock // by port out: the clock at which it stops being busy
	far    []Clock // by port: how many clocks its channel is longer than usual. Nil if none is
	chanOf []model.ChannelID
	words  int      // of a mask
	masks  []uint64 // by port out, if a mask has several words
}

// relations say where packets may go.
type relations struct {
	routes  *routes
	allowed *routes                // of Options.Permitted, or nil
	commits func(model.State) bool // reports whether packets wait for one hop there. Nil if nowhere
}

// hostSide is the hosts and what they send and receive.
type hostSide struct {
	source Source
	report func(Delivery) // called for each packet that arrives, if not nil
	hosts  []host
	tape   [][]Packet // by host: what the source gave since the last look. Nil if not kept
}

// wheels hold the events to come. The index of an event is its clock modulo the length.
type wheels struct {
	near     Clock            // length of the wheels except created, less one. The length is a power of two
	arrivals [][]int32        // VCs at which a flit arrives
	credits  [][]int32        // VCs of which a slot gets free
	tails    [][]PacketID     // packets whose tail arrives at a host
	ends     [][]int32        // VCs that a tail has left. Only with Paper
	asks     [][]int32        // heads that begin to ask for an output VC
	created  [creations]int32 // the first host whose next packet is created in that clock, or -1
	backAt   *[]int32         // the entry of credits for flits that set out in this clock
	hopAt    *[]int32         // the entry of arrivals for them
}

// worklists name what can do something in this clock.
type worklists struct {
	busy      []int32 // ports out with ready VCs
	wins      []int32 // ports in that are granted a port out
	heads     []int32 // VCs to route in this clock
	headsNext []int32 // VCs to route in the next clock
	wait      []int32 // heads that ask for an output VC
	asked     []int32 // output VCs for which heads compete in this clock
	granted   []int32 // heads that have a grant
	released  []int32 // output VCs that get free
	sending   []int32 // hosts
}

// sleeping is the heads that wait until an output VC gets free.
type sleeping struct {
	asleep    []int32 // by place of a switch in outs: the first head that sleeps for several of its ports, or -1
	sleepNext []int32 // by VC: the next head in its list
	sleepers  int     // heads that sleep for several ports
}

// counters are the totals since the start.
type counters struct {
	hops      int64
	flitsIn   int64
	flitsOut  int64
	delivered int64
	dropped   int64
	inNetwork int64 // packets that have left their host and have not arrived
	lastMove  Clock // the last clock in which a flit moved
}

// observers are the mechanisms that only some options switch on.
type observers struct {
	loads   *loads   // of channels, or nil
	control *control // of gates and throttling, or nil
	before  *Sim     // the state at the last look of Watch
	lookAt  Clock    // the clock of the next look
}

// scratch is memory that functions reuse.
type scratch struct {
	classes []model.Class
	weights []uint32
	choice  []int32
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
