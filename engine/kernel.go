package engine

import "github.com/turnproof/turnproof/model"

// kernel moves flits: it is the state with the hosts, the answers of the routing, the allocators and the mechanisms.
type kernel struct {
	state
	failed error // the error that ends Run

	relations
	hostSide
	sleeping
	bidding
	scratch
	hooks

	byPlace   bool                      // whether the VCs that heads request are in vc.mask by place, see routers.go
	elsewhere func(v int32, x *vc) bool // sends a credit for v to another part (exchange.go), or returns false; nil if undivided
}

// relations holds the routing relation, which decides where packets may go.
type relations struct {
	routes  *routes
	allowed *routes // the answers of Options.Permitted, or nil
}

// hostSide holds the hosts, and what they send and receive.
type hostSide struct {
	source Source
	report func(Delivery) // called for each packet that arrives, if not nil
	hosts  []host
	routed []uint64 // a bit for each source and destination that are known to have a route; copies of s share it
}

// sleeping holds the heads that wait until an output VC becomes free.
type sleeping struct {
	asleep    []int32 // by start of a switch's ports in outs: the first head that sleeps for several of these ports, or -1
	sleepNext []int32 // by VC: the next head in the same list of sleeping heads
	sleepers  int     // number of heads that sleep for several ports
}

// bidding holds the bids of a clock. All are -1 between two clocks.
type bidding struct {
	bids  []int32 // by output VC: the head that it would grant, or -1
	picks []int32 // by input VC: the output VC that its head would accept, or -1
}

// scratch holds memory that functions reuse between clocks.
type scratch struct {
	classes []model.Class
	weights []uint32
	choice  []int32
}

// host is a source and its next packet.
type host struct {
	next   Packet // valid if has is true
	own    Clock  // creation time by the source's own clock
	has    bool
	listed bool   // whether it is in sending
	timed  bool   // whether it is in Sim.created
	after  int32  // the next host in the same list of Sim.created, or -1
	base   int32  // the first VC of its injection channel
	last   int16  // index of the VC used last
	vc     int32  // the VC in use, or -1
	left   int32  // flits of the current packet that are not sent yet
	draws  uint64 // number of classes drawn so far
}
