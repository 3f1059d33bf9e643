package engine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/gate"
)

// Clock counts clocks from 0.
type Clock int64

// PacketID numbers the packets that are in the network; numbers are used again.
type PacketID int32

// Packet is a packet that a host is to send.
type Packet struct {
	Created Clock
	Source  model.HostID
	Dest    model.DestID
	Flits   int
	ID      int64 // the caller's
}

// Source creates packets. It is asked for the next packet of a host when the one
// before has left the host; the packets of a host come in the order of their creation.
type Source interface {
	Next(h model.HostID) (p Packet, ok bool)
}

// Delivery is a packet that has arrived: its head left the source in clock
// Injected, its tail was at the host in clock Arrived.
type Delivery struct {
	Packet
	Injected, Arrived Clock
}

// Timing is a router model: how many clocks a flit takes, and when who decides.
type Timing string

// The router models.
const (
	// BookSim is the input-queued router of BookSim 2 with its default delays
	// (Jiang et al., ISPASS 2013): 5 clocks a switch.
	BookSim Timing = "booksim"
	// Paper is the switch of Jouraku, Koibuchi and Amano (IPSJ Trans. ACS
	// 44(SIG 11), 2003, section 5): a head is routed, gets its output and sets
	// out in the clock in which it arrives, and is 3 clocks on its way.
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

// Selection is which of several free output VCs a head asks for.
type Selection string

// The rules of selection.
const (
	SelectAll    Selection = "all"          // for all of them; it accepts one that is granted, round robin
	SelectLowest Selection = "lowest"       // of the lowest port, then VC
	SelectRandom Selection = "random"       // any, each alike
	SelectTurn   Selection = "round-robin"  // the next after the one that this input VC had last
	SelectLoad   Selection = "least-loaded" // that with most free slots, then the lowest
	SelectOrder  Selection = "ordered"      // the first in the relation's order of preference
	SelectDrawn  Selection = "drawn"        // for all VCs of one port, drawn once, when the head is routed
	SelectAhead  Selection = "ahead"        // that with least VCinfo, the nearer buffers counting more; then as least-loaded
)

// Selections returns all selection rules, the default first.
func Selections() []Selection {
	return []Selection{SelectAll, SelectLowest, SelectRandom, SelectTurn, SelectLoad, SelectOrder, SelectDrawn, SelectAhead}
}

// Arbiter is who wins among rivals for an output.
type Arbiter string

// The rules of arbitration.
const (
	RoundRobin  Arbiter = "round-robin"
	OldestFirst Arbiter = "age" // the packet that was created first, then that of the lowest source
	// FirstCome: the packet whose head set out to the switch first; round robin among
	// those of the same clock.
	FirstCome Arbiter = "first-come"
)

// Arbiters returns all arbitration rules, the default first.
func Arbiters() []Arbiter {
	return []Arbiter{RoundRobin, OldestFirst, FirstCome}
}

// Options of a simulation. The zero value is the default: BookSim 2's router.
type Options struct {
	Timing    Timing
	Switching model.Switching
	Select    Selection
	Arbiter   Arbiter
	// Waiting says which of several permitted hops a packet waits for. Under one the hop is drawn
	// for each flow and switch, see waiting.go. If empty, the relation decides (model.CommitsIn).
	Waiting model.Waiting
	// BufferFlits is how many flits fit into the buffer of a VC. 0: 8, or
	// MaxFlits if that is more and Switching asks for room for whole packets.
	BufferFlits int
	// MaxFlits is the length of the longest packet. 0: 1. A longer one ends the
	// run with an error if Switching asks for room for whole packets.
	MaxFlits int
	// Atomic: a VC is given to a packet only when its buffer is empty.
	Atomic bool
	// LinkClocks is how many clocks a channel is busy with a flit, 0: 1.
	LinkClocks int
	// EjectClocks is the same for the channels to the hosts. 0: LinkClocks.
	EjectClocks int
	// Delays are those of the BookSim model; nil: its defaults.
	Delays *Delays
	// Latencies are the clocks that a flit takes on a channel, by model.ChannelID, at
	// least 1. If nil, channels between switches take Delays.Link, those of hosts 1.
	// Credits take as long on their way back. For the BookSim model.
	Latencies []int
	// Seed is of random selection.
	Seed uint64
	// Gate are the gates, nil: none. See package gate.
	Gate *gate.Rule
	// Throttle is entropy throttling, nil: none.
	Throttle *Throttle
	// Control is how the information for them travels.
	Control ControlPath
	// Permitted, if not nil, is the relation by which Frozen judges what packets may do. It has
	// the destinations and classes of the relation of New, which permits a part of its hops: a
	// packet that is held back by that part only is not frozen.
	Permitted model.Relation
	// Loads asks for the flits of each channel and turn, see Sim.ChannelFlits.
	Loads bool
}

// Delays are clocks in BookSim 2's router. A head that arrives in clock t asks for
// an output VC from t+Route on, the answer takes VCAlloc, that of the switch
// SwitchAlloc, crossing it Traversal, a channel between switches Link; a slot is known
// upstream Credit clocks later than the channel takes. Without rivals a packet of L
// flits that passes H switches takes 2 + H*(Route+VCAlloc+SwitchAlloc+Traversal) +
// (H-1)*Link + 1 + L-1 clocks. An answer that takes long is given at the end of its
// time, by what is free then. With Route 0 or 1, any Credit and the rest at 1 packets
// arrive in the clocks of BookSim 2, one by one; with other delays some differ by a
// clock or more.
type Delays struct{ Route, VCAlloc, SwitchAlloc, Traversal, Link, Credit int }

// BookSimDelays returns the default delays of BookSim 2.
func BookSimDelays() Delays {
	return Delays{Route: 1, VCAlloc: 1, SwitchAlloc: 1, Traversal: 1, Link: 1}
}

const maxDelay = 1 << 10

// check refuses what no router has.
func (d *Delays) check() error {
	least := Delays{Route: 0, VCAlloc: 1, SwitchAlloc: 1, Traversal: 0, Link: 1, Credit: 0}
	for _, x := range []struct {
		name       string
		has, least int
	}{{"routing", d.Route, least.Route}, {"VC allocation", d.VCAlloc, least.VCAlloc}, {"switch allocation", d.SwitchAlloc, least.SwitchAlloc},
		{"traversal", d.Traversal, least.Traversal}, {"link", d.Link, least.Link}, {"credit", d.Credit, least.Credit}} {
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

// check fills in the defaults.
func (o *Options) check() error {
	o.Timing = orFirst(o.Timing, Timings())
	o.Switching = orFirst(o.Switching, Switchings())
	o.Select = orFirst(o.Select, Selections())
	o.Arbiter = orFirst(o.Arbiter, Arbiters())
	o.Control = orFirst(o.Control, ControlPaths())
	o.MaxFlits = max(o.MaxFlits, 1)
	if o.BufferFlits == 0 {
		o.BufferFlits = 8
		if o.Switching != model.Wormhole {
			o.BufferFlits = max(8, o.MaxFlits)
		}
	}
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
	if err := o.checkLatencies(); err != nil {
		return err
	}
	if o.Throttle != nil {
		if err := o.Throttle.check(); err != nil {
			return err
		}
	}
	switch {
	case !slices.Contains(ControlPaths(), o.Control):
		return unknown("control path", o.Control, ControlPaths())
	case !slices.Contains(Timings(), o.Timing):
		return unknown("router model", o.Timing, Timings())
	case !slices.Contains(Switchings(), o.Switching):
		return unknown("switching", o.Switching, Switchings())
	case !slices.Contains(Selections(), o.Select):
		return unknown("selection", o.Select, Selections())
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
