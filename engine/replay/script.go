package replay

import (
	"context"
	"fmt"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model"
)

// This file makes packets move in a given order, one move at a time.

// Scripted is a packet of a run. Path has its states, from its injection on.
type Scripted struct {
	Source model.HostID
	Dest   model.DestID
	Path   []model.State
}

// Turn returns the clocks that a move of a packet of the given length takes. Move k of Script begins in clock k*Turn.
func Turn(flits int) engine.Clock { return 8*engine.Clock(flits) + 64 }

// Script simulates a run from the empty network. Each number of moves is a packet, which takes the next step of its
// path; its first step is its creation. A move begins when the one before has ended; heads wait until it is
// their turn. After the last move all heads may move. Script returns the deadlock that the run
// ends in, or nil. All packets have o.MaxFlits flits.
func Script(ctx context.Context, r model.Relation, packets []Scripted, moves []int32, o engine.Options) (*engine.Deadlock, error) {
	turn := Turn(o.MaxFlits)
	s := &script{packets: packets, turn: turn, starts: map[model.HostID][]engine.Packet{}, times: make([][]engine.Clock, len(packets))}
	for k, i := range moves {
		p := &packets[i]
		if at := engine.Clock(k) * turn; s.times[i] == nil {
			s.starts[p.Source] = append(s.starts[p.Source], engine.Packet{Created: at, Source: p.Source, Dest: p.Dest, Flits: o.MaxFlits, ID: int64(i),
				Class: 1 + p.Path[0].Class})
		}
		s.times[i] = append(s.times[i], engine.Clock(k)*turn)
	}
	s.end = engine.Clock(len(moves)) * turn
	o.Pace = s.mayMove
	sim, err := engine.New(r, s, o, nil)
	if err != nil {
		return nil, err
	}
	d, err := sim.Watch(ctx, s.end+20*turn)
	if errs := sim.Check(); err == nil && len(errs) > 0 {
		err = fmt.Errorf("replay: %w", errs[0])
	}
	return d, err
}

// script is the source and the pace of a run.
type script struct {
	packets []Scripted
	turn    engine.Clock
	end     engine.Clock
	starts  map[model.HostID][]engine.Packet
	times   [][]engine.Clock // by packet and step: the clock from which it may take the step
}

// Next implements engine.Source.
func (s *script) Next(h model.HostID) (p engine.Packet, ok bool) {
	list := s.starts[h]
	if len(list) == 0 {
		return p, false
	}
	s.starts[h] = list[1:]
	return list[0], true
}

// mayMove implements engine.Pace.
func (s *script) mayMove(id int64, to model.VCID, now engine.Clock) bool {
	if now >= s.end {
		return true
	}
	for k, at := range s.times[id] {
		if now >= at && now < at+s.turn && k > 0 && s.packets[id].Path[k].VC == to {
			return true
		}
	}
	return false
}
