package engine

// This file is the state of the plain kernel (plain.go) and of the parts of a divided simulation (parts.go).

// plainKernel is the kernel with what plain simulations need besides.
type plainKernel struct {
	kernel
	plain bool // whether the plain kernel runs
	routers
	parts *parts   // nil unless the simulation is divided
	part  *part    // nil unless s is a part of another simulation
	none  PacketID // a number that no packet has; its record can be written

	touched int32      // keeps the compiler from removing reads
	fronts  []int32    // VCs with a new front packet
	won     [64]uint64 // by head: the contested VCs that it wins
}

// router is the state of VC allocation at a switch.
type router struct {
	free  uint64 // by place: output VCs that no packet holds
	asks  uint64 // by vc.bit: input VCs whose head waits for an output VC
	first int32  // first VC into it
	outs  int32  // start of its output VCs in routers.out
}

// outVC is an output VC of a switch.
type outVC struct{ vc, port int32 }

// routers is the state of VC allocation at all switches; its slices are nil if the mechanism is off.
type routers struct {
	router []router
	out    []outVC // by switch and place
	grants []uint8 // by switch and place: 1 + the bit of the head that got the VC last
	grows  bool    // whether the relation has several classes
	draws  bool    // whether a head that has several ports draws one
}

// byRouter reports whether this file allocates VCs.
func (s *plainKernel) byRouter() bool { return s.router != nil }

// parts is a divided simulation.
type parts struct {
	list    []*plainKernel
	enters  []int32 // by port: the part of the switch that its channel enters, or of its host
	leaves  []int32 // by port: the part of the switch that its channel leaves, or of its host
	window  Clock
	workers int
	rate    int64 // flit hops a clock in the last call of run or runWhole
	parity  int   // of the number of windows so far
	until   Clock
	arrived []arrival
}

// part is what a part has besides its Sim.
type part struct {
	all     *parts
	number  int32
	from    int32 // its output ports are Sim.outs[from:to]
	to      int32
	hosts   int
	out     [2][]letters // by parity of the window and part
	firsts  []int32      // by index in Sim.wins: the first output port that chose the input port in this clock
	ranks   [][]rank     // by clock, as Sim.tails
	reports bool         // whether deliveries are reported
	arrived []arrival    // packets that arrived in this window
}

// arrival is a packet that has arrived.
type arrival struct {
	Delivery
	rank rank
}

// rank orders the packets that arrive in one clock as an undivided simulation reports them: by the
// clock in which the tail left its switch, then by the first output port that chose its input port.
type rank struct {
	left  Clock
	first int32
}

// letters are what one part sends to another in a window.
type letters struct {
	flits   []letter
	credits []letter
}

// letter is a flit that arrives at VC v in clock at, or a credit for v. If the flit is the first of a
// packet, id is its number, otherwise noPacket.
type letter struct {
	v  int32
	id PacketID
	at Clock
}
