package trial

import (
	"context"
	"errors"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/measure"
	"github.com/turnproof/turnproof/engine/traffic"
	"github.com/turnproof/turnproof/model"
)

// This file runs collectives in several rounds. A round begins when all packets of the previous
// round have arrived. The network keeps its state from round to round.
//
// Source: T. Yokota, K. Ohkawa, K. Ootsu and T. Baba, flow limiting against congestion, section
// 4.1.4.

// RoundsResult is the result of Rounds.
type RoundsResult struct {
	Durations []engine.Clock // by round: clocks from its beginning to the last arrival
	Deadlock  *engine.Deadlock
	FlitHops  int64
}

// Mean returns the mean duration, or 0 without rounds.
func (r *RoundsResult) Mean() float64 {
	sum := 0.0
	for _, d := range r.Durations {
		sum += float64(d) / float64(len(r.Durations))
	}
	return sum
}

// each is the number of clocks between two checks whether all packets have arrived.
const each = 16

// Rounds simulates s.Rounds rounds (default 1) with s.Packets packets of each host, and gap clocks
// between the end of a round and the beginning of the next. flow, if not nil, counts all packets.
// A deadlock ends the simulation; Durations then has the finished rounds only.
func Rounds(ctx context.Context, r model.Relation, s Settings, gap engine.Clock, flow *measure.Flow) (*RoundsResult, error) {
	if s.Packets < 1 {
		return nil, errors.New("trial: rounds of no packets")
	}
	if err := s.noMessages("rounds"); err != nil {
		return nil, err
	}
	s.fill()
	if err := s.check(); err != nil {
		return nil, err
	}
	dests, err := traffic.Destinations(r)
	if err != nil {
		return nil, err
	}
	source := &roundSource{}
	last := engine.Clock(0)
	sim, err := engine.New(r, source, s.Engine, func(d engine.Delivery) {
		last = d.Arrived
		if flow != nil {
			flow.Deliver(d)
		}
	})
	if err != nil {
		return nil, err
	}
	res := &RoundsResult{}
	for round := range max(s.Rounds, 1) {
		p, err := s.pattern(r.Network())
		if err != nil {
			return nil, err
		}
		if s.NoSelf {
			p = traffic.WithoutSelf(p)
		}
		if source.Collective, err = traffic.NewCollective(r.Network(), p, traffic.CollectiveOptions{Packets: s.Packets, Flits: s.Flits,
			Seed: s.Seed + uint64(round), Dests: dests}); err != nil {
			return nil, err
		}
		source.start = sim.Now()
		sim.Refill()
		all := sim.Delivered() + sim.Dropped() + source.Packets()
		for sim.Delivered()+sim.Dropped() < all && res.Deadlock == nil {
			if res.Deadlock, err = sim.Advance(ctx, each); err != nil {
				return nil, err
			}
		}
		if res.Deadlock == nil {
			res.Deadlock, err = sim.Look(ctx)
		}
		if res.FlitHops = sim.FlitHops(); err != nil || res.Deadlock != nil {
			return res, err
		}
		res.Durations = append(res.Durations, last+1-source.start)
		if err := sim.Run(ctx, max(last+1+gap-sim.Now(), 0)); err != nil {
			return nil, err
		}
	}
	return res, nil
}

// roundSource is the source of the current round.
type roundSource struct {
	*traffic.Collective
	start engine.Clock
}

// Next implements engine.Source. Before the first round it returns no packets.
func (s *roundSource) Next(h model.HostID) (engine.Packet, bool) {
	if s.Collective == nil {
		return engine.Packet{}, false
	}
	p, ok := s.Collective.Next(h)
	p.Created = s.start
	return p, ok
}
