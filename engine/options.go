package engine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/bubble"
	"github.com/turnproof/turnproof/model/gate"
)

// Clock counts clocks from 0.
type Clock int64

// PacketID numbers the packets in the network. Numbers are reused.
type PacketID int32

// Packet is a packet to send.
type Packet struct {
	Created Clock
	Source  model.HostID
	Dest    model.DestID
	Flits   int
	ID      int64 // chosen by the caller; a caused message has that of its request
	Message int   // the class of its message, see Messages
	// Class is 1 + the routing class with which it is created. If 0, the engine draws one of those that the relation offers.
	Class model.Class
}

// Source creates packets. The engine asks for the next packet of a host when the previous one has
// left the host. Packets of a host must be in the order of their creation.
type Source interface {
	Next(h model.HostID) (p Packet, ok bool)
}

// Forker is a Source that can be copied. Advance then keeps a copy instead of every packet that the
// source creates.
type Forker interface {
	Source
	// Fork returns a source that creates the same packets as this one from now on, and does not
	// affect it. It returns nil if this source cannot be copied.
	Fork() Source
}

// Delivery is a packet that has arrived. Its head left the source in clock Injected. Its tail
// reached the host in clock Arrived.
type Delivery struct {
	Packet
	Injected, Arrived Clock
	// Began is the creation of the request that the packet belongs to. Without Options.Messages it
	// is 0.
	Began Clock
}

// Timing is a router model: the clocks that each step of a flit takes.
type Timing string

// Router models.
const (
	// BookSim is the input-queued router of BookSim 2 with its default delays (Jiang et al.,
	// ISPASS 2013): 5 clocks a switch.
	BookSim Timing = "booksim"
	// Paper is the switch of Jouraku, Koibuchi and Amano (IPSJ Trans. ACS 44(SIG 11), 2003,
	// section 5). In the clock of its arrival a head is routed, gets its output and departs. The
	// channel takes 3 clocks.
	Paper Timing = "paper"
)

// Timings returns all router models, the default first.
func Timings() []Timing {
	return []Timing{BookSim, Paper}
}

// Switchings returns all switching disciplines, the default of the router models first.
func Switchings() []model.Switching {
	return []model.Switching{model.Wormhole, model.CutThrough, model.StoreAndForward}
}

// Selection is a rule to choose among several free output VCs. Keys may follow, see SelectionKeys.
type Selection string

// Selection rules.
const (
	SelectAll    Selection = "all"          // requests all of them and accepts one that is granted, round robin
	SelectLowest Selection = "lowest"       // the lowest port, then the lowest VC
	SelectRandom Selection = "random"       // uniformly at random
	SelectTurn   Selection = "round-robin"  // the next one after the last output of this input VC
	SelectLoad   Selection = "least-loaded" // the most free slots, then the lowest
	SelectOrder  Selection = "ordered"      // the first in the relation's order of preference
	SelectDrawn  Selection = "drawn"        // all VCs of one port, drawn once, when the head is routed
	SelectAhead  Selection = "ahead"        // the least VCinfo, nearer buffers weighing more; then as least-loaded

	// The least estimate of congestion, see estimates.go.
	SelectFreeVCs     Selection = "free-vcs"
	SelectCrossbar    Selection = "crossbar"
	SelectWeighted    Selection = "weighted"
	SelectDyXY        Selection = "dyxy" // by what neighbours tell, see regional.go
	SelectRCA1D       Selection = "rca-1d"
	SelectRCAFanin    Selection = "rca-fanin"
	SelectRCAQuadrant Selection = "rca-quadrant"

	// The path is chosen at the source, see detours.go.
	SelectValiant    Selection = "valiant"
	SelectUGAL       Selection = "ugal"
	SelectUGALGlobal Selection = "ugal-g"
	SelectPAR        Selection = "par"
)

// Selections returns all selection rules, the default first.
func Selections() []Selection {
	return []Selection{SelectAll, SelectLowest, SelectRandom, SelectTurn, SelectLoad, SelectOrder, SelectDrawn, SelectAhead,
		SelectFreeVCs, SelectCrossbar, SelectWeighted, SelectDyXY, SelectRCA1D, SelectRCAFanin, SelectRCAQuadrant,
		SelectValiant, SelectUGAL, SelectUGALGlobal, SelectPAR}
}

// Arbiter is a rule to choose among packets that compete for an output.
type Arbiter string

// Arbitration rules.
const (
	RoundRobin  Arbiter = "round-robin"
	OldestFirst Arbiter = "age" // the packet created first, then the lowest source
	// FirstCome grants the packet whose head departed for this switch first, round robin among
	// those of the same clock.
	FirstCome Arbiter = "first-come"
)

// Arbiters returns all arbitration rules, the default first.
func Arbiters() []Arbiter {
	return []Arbiter{RoundRobin, OldestFirst, FirstCome}
}

// Pace reports whether the packet with an ID of the caller may request a VC in a clock. A head that may not
// asks again in each clock. A pace that refuses for finite times models switches that are slow; it permits
// nothing that the routing and the flow control do not.
type Pace func(id int64, to model.VCID, now Clock) bool

// Options are the options of a simulation. The zero value is BookSim 2's router.
type Options struct {
	Timing    Timing
	Switching model.Switching
	Select    Selection
	Arbiter   Arbiter
	// Waiting says which of several permitted hops a packet waits for. If "one", the hop is drawn
	// for each flow and switch, see waiting.go. If empty, the relation decides (model.CommitsIn).
	Waiting model.Waiting
	// BufferFlits is the number of flits in the buffer of a VC. Defaults to 8, or to MaxFlits if
	// that is larger and Switching needs room for whole packets.
	BufferFlits int
	// MaxFlits is the length of the longest packet. Defaults to 1. A longer packet ends the run
	// with an error if Switching needs room for whole packets.
	MaxFlits int
	// Atomic gives a VC to a packet only when its buffer is empty.
	Atomic bool
	// NotFull gives a VC to a packet only when its buffer has a free slot (vc_busy_when_full of BookSim
	// 2). If Atomic and NotFull are false, a packet can be given a full VC under wormhole switching, and
	// then waits for this VC only.
	NotFull bool
	// LinkClocks is the number of clocks for which a flit occupies a channel. Defaults to 1.
	LinkClocks int
	// EjectClocks is LinkClocks of the channels to hosts. Defaults to LinkClocks.
	EjectClocks int
	// Delays are the delays of the BookSim model. If nil, BookSim's defaults.
	Delays *Delays
	// InputsBySource says that arbiters number the inputs of a switch by the switch that they come from, hosts first, as routers of a flattened
	// butterfly of BookSim 2 do. If false, the numbers are those of the ports.
	InputsBySource bool
	// Channels are attributes of the channels, by model.ChannelID. If nil, those of the network. What
	// they leave open follows from BufferFlits, LinkClocks, EjectClocks and Delays.
	Channels []model.ChannelAttributes
	// Seed seeds random selection.
	Seed uint64
	// Workers is the number of processors that Run may use for a large network. Defaults to 1. Only
	// simulations with a Separate source use several. Results do not depend on it.
	Workers int
	// Gate is the gate rule, see package gate. If nil, there are no gates.
	Gate *gate.Rule
	// Flow is flow control of rings, see package bubble. If nil, there is none. The rule takes packets for MaxFlits flits
	// unless it says otherwise. With worm-bubble, Atomic is set.
	Flow *bubble.Rule
	// Pace, if not nil, delays heads. Frozen ignores it.
	Pace Pace
	// Throttle is entropy throttling. If nil, hosts are not throttled.
	Throttle *Throttle
	// Control says how the information for Gate and Throttle travels.
	Control ControlPath
	// Permitted, if not nil, is the relation by which Frozen decides which hops a packet may take.
	// It has the destinations and classes of the relation given to New, which permits a subset of
	// its hops. A packet that only the subset holds back is not frozen.
	Permitted model.Relation
	// Messages are the rules of messages that cause other messages. If nil, there are none.
	Messages *Messages
	// Loads counts the flits of each channel and turn, see Sim.ChannelFlits.
	Loads bool
	// Follow, if not nil, chooses packets whose journeys are recorded. Such a simulation runs the
	// general kernel, with the same results.
	Follow Follower

	keys selectionKeys // of Select; check moves them here
}

// Delays are the delays of BookSim 2's router in clocks. A head that arrives in clock t requests
// an output VC from t+Route on. VC allocation takes VCAlloc, switch allocation SwitchAlloc,
// crossing the switch Traversal, a channel between switches Link. A free slot is known upstream
// Credit clocks later than the channel takes. Flits and credits that cross to a switch of another
// clock take Sync more clocks of that switch. Without competition, a packet of L flits that passes
// H switches takes 2 + H*(Route+VCAlloc+SwitchAlloc+Traversal) + (H-1)*Link + 1 + L-1 clocks. An
// allocation of several clocks decides at its end, by what is free then. With Route 0 or 1, any
// Credit, and the other delays 1, every packet arrives in the same clock as in BookSim 2. With
// other delays some packets differ by a clock or more.
type Delays struct{ Route, VCAlloc, SwitchAlloc, Traversal, Link, Credit, Sync int }

// BookSimDelays returns the default delays of BookSim 2.
func BookSimDelays() Delays {
	return Delays{Route: 1, VCAlloc: 1, SwitchAlloc: 1, Traversal: 1, Link: 1}
}

// DelayKind is a delay with its name.
type DelayKind struct {
	Name, Summary string
	At            func(*Delays) *int
}

// DelayKinds returns the delays in the order in which a packet meets them.
func DelayKinds() []DelayKind {
	return []DelayKind{
		{"routing-delay", "route computation; 0: computed one switch ahead", func(d *Delays) *int { return &d.Route }},
		{"vc-alloc-delay", "VC allocation", func(d *Delays) *int { return &d.VCAlloc }},
		{"switch-alloc-delay", "switch allocation", func(d *Delays) *int { return &d.SwitchAlloc }},
		{"traversal-delay", "crossing the switch", func(d *Delays) *int { return &d.Traversal }},
		{"link-delay", "a channel between switches", func(d *Delays) *int { return &d.Link }},
		{"credit-delay", "the return of a credit, in addition to the channel's", func(d *Delays) *int { return &d.Credit }},
		{"sync-delay", "crossing to a switch of another clock, counted by that switch", func(d *Delays) *int { return &d.Sync }},
	}
}

const maxDelay = 1 << 10

// check fails for impossible delays.
func (d *Delays) check() error {
	least := Delays{Route: 0, VCAlloc: 1, SwitchAlloc: 1, Traversal: 0, Link: 1, Credit: 0, Sync: 0}
	for _, x := range []struct {
		name       string
		has, least int
	}{{"routing", d.Route, least.Route}, {"VC allocation", d.VCAlloc, least.VCAlloc}, {"switch allocation", d.SwitchAlloc, least.SwitchAlloc},
		{"traversal", d.Traversal, least.Traversal}, {"link", d.Link, least.Link}, {"credit", d.Credit, least.Credit}, {"sync", d.Sync, least.Sync}} {
		if x.has < x.least || x.has > maxDelay {
			return fmt.Errorf("engine: a %s delay of %d clocks, allowed are %d to %d", x.name, x.has, x.least, maxDelay)
		}
	}
	return nil
}

const (
	maxBuffer = 1 << 14
	maxClocks = 1 << 10
)

// check fills in the defaults and fails for impossible options.
func (o *Options) check() error {
	o.Timing = orFirst(o.Timing, Timings())
	o.Switching = orFirst(o.Switching, Switchings())
	o.Select = orFirst(o.Select, Selections())
	var err error
	if o.Select, o.keys, err = o.Select.parse(); err != nil {
		return err
	}
	if o.Waiting == model.WaitOne && o.Select.Commits() {
		return fmt.Errorf("engine: waiting one chooses the next hop of each flow, selection %s that of each packet; want one of them", o.Select)
	}
	o.Arbiter = orFirst(o.Arbiter, Arbiters())
	o.Control = orFirst(o.Control, ControlPaths())
	o.MaxFlits = max(o.MaxFlits, 1)
	o.BufferFlits = o.bufferFlits()
	if o.LinkClocks == 0 {
		o.LinkClocks = 1
	}
	if o.EjectClocks == 0 {
		o.EjectClocks = o.LinkClocks
	}
	if o.Delays != nil {
		if o.Timing == Paper {
			return fmt.Errorf("engine: delays are of the router model %s, not of %s", BookSim, Paper)
		}
		if err := o.Delays.check(); err != nil {
			return err
		}
	}
	if o.Flow != nil && o.Flow.Kind == bubble.Worm {
		o.Atomic = true
	}
	if o.Throttle != nil {
		if err := o.Throttle.check(); err != nil {
			return err
		}
	}
	return o.checkRanges()
}

// bufferFlits returns the size of buffers, or its default for the longest packets.
func (o *Options) bufferFlits() int {
	switch {
	case o.BufferFlits != 0:
		return o.BufferFlits
	case o.Flow != nil && o.Flow.Kind == bubble.Local:
		return max(8, 2*o.Flow.Assumed(o.MaxFlits), o.MaxFlits)
	case o.Switching != model.Wormhole:
		return max(8, o.MaxFlits)
	}
	return 8
}

// checkRanges fails for unknown words, and for sizes or clocks out of range.
func (o *Options) checkRanges() error {
	switch {
	case !slices.Contains(ControlPaths(), o.Control):
		return unknown("control path", o.Control, ControlPaths())
	case !slices.Contains(Timings(), o.Timing):
		return unknown("router model", o.Timing, Timings())
	case !slices.Contains(Switchings(), o.Switching):
		return unknown("switching", o.Switching, Switchings())
	case !slices.Contains(Arbiters(), o.Arbiter):
		return unknown("arbiter", o.Arbiter, Arbiters())
	case o.BufferFlits < 1 || o.BufferFlits > maxBuffer:
		return fmt.Errorf("engine: a buffer of %d flits, allowed are 1 to %d", o.BufferFlits, maxBuffer)
	case o.MaxFlits > maxBuffer:
		return fmt.Errorf("engine: packets of %d flits, allowed are 1 to %d", o.MaxFlits, maxBuffer)
	case o.Switching != model.Wormhole && o.BufferFlits < o.MaxFlits:
		return fmt.Errorf("engine: under %s a buffer holds whole packets: %d flits are less than a packet of %d", o.Switching, o.BufferFlits, o.MaxFlits)
	case o.LinkClocks < 1 || o.LinkClocks > maxClocks || o.EjectClocks < 1 || o.EjectClocks > maxClocks:
		return fmt.Errorf("engine: %d and %d clocks a flit, allowed are 1 to %d", o.LinkClocks, o.EjectClocks, maxClocks)
	}
	return nil
}

func orFirst[T ~string](word T, known []T) T {
	if word == "" {
		return known[0]
	}
	return word
}

func unknown[T ~string](what string, word T, known []T) error {
	list := make([]string, len(known))
	for i, k := range known {
		list[i] = string(k)
	}
	return fmt.Errorf("engine: no %s %q, known are %s", what, word, strings.Join(list, ", "))
}

// Limit is the error of a network or routing that exceeds a limit of the simulator.
type Limit struct{ What string }

// Error implements error.
func (l *Limit) Error() string { return "engine: " + l.What }
