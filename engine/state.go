package engine

import "github.com/turnproof/turnproof/model"

// This file declares the state of a simulation, with one struct for each mechanism.

// packet is a packet in the network.
type packet struct {
	created  Clock
	injected Clock
	came     Clock // the clock in which the head departed for the switch that it is at; only with FirstCome
	id       int64
	source   model.HostID
	dest     model.DestID
	flits    int32
	class    model.Class // of the head
	next     PacketID    // the packet behind it on the VC that has its tail
	via      int32       // with detours: 1 + the switch of its detour, 0 on a minimal path, or passedVia
}

// noPacket is a number that no packet has. Its record can be written.
const noPacket PacketID = 0

// state is the state of the network and its events. Each embedded struct holds a part of it. They are embedded by value, so
// reading a field needs no extra pointer access.
type state struct {
	net     *model.Network
	rel     model.Relation
	virtual *model.VirtualNetworks // rel, if packets are messages of its classes, or nil
	o       Options

	timing
	links
	buffers
	ports
	wheels
	worklists
	counters
}

// timing holds the current clock, and the properties of the router model that follow from the
// options.
type timing struct {
	now       Clock // the next clock to simulate
	delay     delays
	hostsKnow Clock // a host learns of a free slot this many clocks earlier than a switch
	endless   bool  // whether channels to hosts never wait for credits
	whole     bool  // whether a packet moves only if the next buffer has room for all of it
	atomic    bool  // whether a VC takes a new packet only when its buffer is empty
	reserves  bool  // whole || atomic || Options.NotFull
	hostsKeep bool  // whether atomic or NotFull applies to ejection channels as well
}

// buffers holds the VCs and the packets in them.
type buffers struct {
	vcs    int // number of VCs of a channel
	vc     []vc
	came   []Clock // by VC: the clock in which its front packet came; only with FirstCome
	inOf   []int16 // by index of a VC among those into its switch: the number of its port
	packet []packet
	free   []PacketID // unused entries of packet
}

// ports holds the channels: each is an output port where it starts and an input port where it
// ends.
type ports struct {
	port   []port
	outs   []int32 // the output ports of all switches, sorted by switch and number
	portOf []int32 // by channel of the model: its port
	hostOf []int32 // by port: the host at its end, or -1
	until  []Clock // by output port: the first clock in which it is not busy
	chanOf []model.ChannelID
	words  int      // number of words of a mask
	masks  []uint64 // by output port: its mask of ready VCs, if a mask has several words
}

// wheels holds future events. An event at clock t is at index t modulo the length of its wheel.
type wheels struct {
	near     Clock            // length of all wheels except created, minus 1; the length is a power of two
	arrivals [][]int32        // VCs at which a flit arrives
	credits  [][]int32        // VCs of which one slot becomes free
	tails    [][]PacketID     // packets whose tail arrives at a host
	ends     [][]int32        // VCs whose front packet's tail has left; only with Paper
	asks     [][]int32        // heads that start to request an output VC
	created  [creations]int32 // the first host whose next packet is created in this clock, or -1
	backAt   *[]int32         // the entry of credits for flits that depart in this clock
	hopAt    *[]int32         // the entry of arrivals for flits that depart in this clock
}

// worklists holds the VCs, ports and hosts that can act in this clock.
type worklists struct {
	busy      portSet // output ports with ready VCs, and some others
	wins      []int32 // input ports that are granted an output port
	heads     []int32 // VCs to route in this clock
	headsNext []int32 // VCs to route in the next clock
	wait      []int32 // heads that request an output VC
	asked     []int32 // output VCs for which heads compete in this clock
	granted   []int32 // heads that have a grant
	released  []int32 // output VCs that become free; with routers 64 times the switch plus the place
	sending   []int32 // hosts that have a packet to send
	turns     portSet // switches with heads that may get an output VC, see routers.go
}

// counters holds totals since the start of the simulation.
type counters struct {
	hops      int64
	flitsIn   int64
	flitsOut  int64
	delivered int64
	dropped   int64
	inNetwork int64 // packets that have left their host and have not arrived
	lastMove  Clock // the last clock in which a flit moved
}

// creations is the length of the wheel of packets to be created, in clocks.
const creations = 1024

// delays holds the delays of the router model in clocks of the switch.
type delays struct {
	ask         Clock // from routing a head to its first request of an output VC
	hop, credit Clock // links.there and links.back of channels between switches, and inject links.there of those from hosts, if links.even
	inject      Clock
}

func delaysOf(o *Options) delays {
	if o.Timing == Paper {
		return delays{ask: 0, hop: 3, inject: 3, credit: 1}
	}
	d := BookSimDelays()
	if o.Delays != nil {
		d = *o.Delays
	}
	return delays{ask: Clock(d.Route + d.VCAlloc - 1), hop: Clock(d.SwitchAlloc + d.Traversal + d.Link), inject: 2,
		credit: Clock(d.SwitchAlloc + d.Link + d.Credit)}
}

// newWheels returns wheels without events.
func newWheels(near Clock) wheels {
	w := wheels{near: near, arrivals: make([][]int32, near+1), credits: make([][]int32, near+1), tails: make([][]PacketID, near+1),
		ends: make([][]int32, near+1), asks: make([][]int32, near+1)}
	for i := range w.created {
		w.created[i] = -1
	}
	return w
}
