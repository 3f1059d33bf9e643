package packets

import (
	"context"
	"errors"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model"
)

// This file is the simulation as a whole: its state and its clocks.
//
// A clock has four phases: events (move.go), hosts (hosts.go), allocation (allocate.go), departure
// (move.go). Clocks without events and requests are skipped. Cost: O(1) for each packet and switch
// if the permitted hops and the competing heads are bounded. No memory is allocated after all
// lists have their final size.

// flight is the number of clocks that a flit takes from a switch or host to the next.
const flight = 3

// packet is a packet in the network.
type packet struct {
	created  engine.Clock
	injected engine.Clock
	head     engine.Clock // clock in which the head is at the switch or host ahead
	id       int64
	source   model.HostID
	dest     model.DestID
	class    model.Class
	flits    int32
	next     int32 // next packet in its buffer, or next unused packet, or none
}

// Sim is a simulation. It is not safe for concurrent use.
type Sim struct {
	net    *model.Network
	routes *routes
	o      engine.Options
	source engine.Source
	report func(engine.Delivery)
	now    engine.Clock
	failed error

	port     []port
	more     []uint64 // request bits of ports of switches with more than 64 ports
	portOf   []int32  // by output channel of a switch
	host     []host
	packet   []packet
	unused   int32 // first unused entry of packet, or none
	calendar calendar

	due     []int32 // hosts to consider in this clock
	touched []int32 // idle channels to assign in this clock, or the next
	spare   []int32 // memory of the list of the previous clock
	winners []int32 // heads that were granted a channel
	heads   []int32 // heads that request a channel of their choice
	bids    []int32 // channels with requests

	linkClocks engine.Clock
	wholeFirst bool // whether a head requests only after its whole packet has arrived
	asksAll    bool // whether a head requests all channels that it could take
	byAge      bool // whether the oldest packet wins
	loads      *loads
	hops       int64 // flit hops; packets in transit count in full
	delivered  int64
	dropped    int64
	inNetwork  int64
}

// New prepares a simulation of r. report, if not nil, receives every packet that arrives. New
// fails for options under which packets do not determine the positions of flits, see the package
// comment.
func New(r model.Relation, source engine.Source, o engine.Options, report func(engine.Delivery)) (*Sim, error) {
	n := r.Network()
	o, err := settled(n, o)
	if err != nil {
		return nil, err
	}
	if model.CommitsIn(r, o.Waiting) != nil {
		return nil, errors.New("packets: packets that wait for one chosen hop are only simulated flit by flit")
	}
	s := &Sim{
		net: n, o: o, source: source, report: report, unused: none, calendar: newCalendar(), host: make([]host, r.Sources()),
		linkClocks: engine.Clock(o.LinkClocks), wholeFirst: o.Switching == model.StoreAndForward,
		asksAll: o.Select == engine.SelectAll, byAge: o.Arbiter == engine.OldestFirst,
	}
	s.lay(n)
	s.routes = newRoutes(r, len(s.port))
	if o.Loads {
		s.loads = newLoads(s)
	}
	for h := range s.host {
		s.due = append(s.due, int32(h))
	}
	return s, nil
}

// Now returns the next clock.
func (s *Sim) Now() engine.Clock { return s.now }

// Delivered returns the number of packets that have arrived.
func (s *Sim) Delivered() int64 { return s.delivered }

// InNetwork returns the number of packets that have left their host and have not arrived.
func (s *Sim) InNetwork() int64 { return s.inNetwork }

// Dropped returns the number of packets that had no permitted channel, at their source or later.
func (s *Sim) Dropped() int64 { return s.dropped }

// Run simulates clocks. It ends early if ctx is done, or with an error if a packet does not fit
// into a buffer.
func (s *Sim) Run(ctx context.Context, clocks engine.Clock) error {
	end := s.now + clocks
	if clocks > 0 && end < s.now {
		end = never
	}
	for steps := 0; ; steps++ {
		if s.failed != nil {
			return s.failed
		}
		if steps%1024 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		t := s.now
		if len(s.touched) == 0 && len(s.due) == 0 {
			t = s.calendar.next(t)
		}
		if t >= end {
			s.now = max(s.now, end)
			return nil
		}
		s.clock(t)
		s.now = t + 1
	}
}

// clock simulates clock t.
func (s *Sim) clock(t engine.Clock) {
	for k := s.calendar.open(t); k != 0; {
		var e event
		e, k = s.calendar.take(k)
		s.handle(t, e)
	}
	for _, h := range s.due {
		s.send(t, h)
	}
	s.due = s.due[:0]
	if len(s.touched) > 0 {
		s.allocate(t)
	}
}
