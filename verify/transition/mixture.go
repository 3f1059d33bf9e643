package transition

import (
	"context"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
)

// This file decides the mixture of two tables, in which a packet may meet the old or the new entry of each switch.

// Mixture is what packets can do that meet any mixture of old and new entries.
type Mixture struct {
	Channels, Dependencies int            // VCs between switches that packets use, and dependencies between them
	Cycle                  []model.VCID   // of dependencies, most often a shortest one, or nil
	Packets                []*cdg.Packet  // by dependency of the cycle: a packet that has it
	Loops                  []model.DestID // to which a packet can come back to a VC
	Drops                  int            // switches and destinations at which a packet is dropped, or leaves to another host
	// Undecided says why the cycle of the dependencies is not known to be one of packets that can be in the network together, or is "".
	Undecided string
	part      Part
	drained   bool
}

// Safe reports whether no order of changes leads to a deadlock or a loop.
func (m *Mixture) Safe() bool { return m.Cycle == nil && len(m.Loops) == 0 && m.Undecided == "" }

// Drained reports whether packets never meet two states of the tables.
func (m *Mixture) Drained() bool { return m.drained }

// Of notes what the mixture is of, and returns m. MixtureOf does that itself.
func (m *Mixture) Of(part Part, drained bool) *Mixture {
	m.part, m.drained = part, drained
	return m
}

// Part returns what changes at once.
func (m *Mixture) Part() Part { return m.part }

// Mixture decides the mixture. It fails if ctx ends.
func (c *Change) Mixture(ctx context.Context) (*Mixture, error) {
	r := c.AnyMixture()
	g, err := cdg.Build(ctx, r)
	if err != nil {
		return nil, err
	}
	m := &Mixture{Channels: g.NumUsed(), Dependencies: g.NumDependencies(), part: Entry}
	if m.Cycle, err = g.ShortestCycle(ctx); err != nil {
		return nil, err
	}
	if m.Cycle != nil {
		if m.Packets, err = cdg.Witnesses(r, cdg.Dependencies(m.Cycle)); err != nil {
			return nil, err
		}
	}
	err = cdg.EachSpace(ctx, r, model.NoHost, func(d model.DestID, s *cdg.Space) error {
		if hasLoop(s) {
			m.Loops = append(m.Loops, d)
		}
		m.Drops += drops(c, s)
		return nil
	})
	if err == nil && !c.realizable(m.Packets) { // so some packet can loop
		m.Cycle, m.Packets = c.loop(m.Loops)
	}
	return m, err
}

// drops counts the switches at which a packet to the destination of s is dropped, or leaves to another host.
func drops(c *Change, s *cdg.Space) int {
	bad := map[model.SwitchID]bool{}
	for i, at := range s.States {
		in, _ := c.net.Channel(at.VC)
		u := c.net.Head(in)
		if u == model.NoSwitch {
			continue
		}
		for _, t := range []*model.Table{c.Old, c.New} {
			if len(t.Next(at, nil)) == 0 {
				bad[u] = true
			}
		}
		_, next := s.HopsOf(i)
		for _, to := range next {
			if to == cdg.WrongHost {
				bad[u] = true
			}
		}
	}
	return len(bad)
}

// hasLoop reports whether a packet can come back to a state: a search from each state, depth first, meets a state of its own path.
func hasLoop(s *cdg.Space) bool {
	const open, closed = 1, 2
	mark := make([]uint8, len(s.States))
	type frame struct {
		state int32
		hop   int
	}
	var path []frame
	for root := range s.States {
		if mark[root] != 0 {
			continue
		}
		mark[root], path = open, append(path[:0], frame{int32(root), 0})
		for len(path) > 0 {
			top := &path[len(path)-1]
			_, next := s.HopsOf(int(top.state))
			if top.hop == len(next) {
				mark[top.state], path = closed, path[:len(path)-1]
				continue
			}
			to := next[top.hop]
			top.hop++
			switch {
			case to < 0 || mark[to] == closed:
			case mark[to] == open:
				return true
			default:
				mark[to], path = open, append(path, frame{to, 0})
			}
		}
	}
	return false
}
