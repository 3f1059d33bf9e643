package changeover

import (
	"context"
	"math/rand/v2"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/replay"
	"github.com/turnproof/turnproof/model"
)

// This file lets the packets of a cycle take their places one after the other, while entries change between their moves.
//
// A packet looks up its entry when it arrives at a switch. It has to arrive before the entry changes if it takes the old one, else after
// it. Each VC holds one packet. A random order of moves and changes that keeps these rules is drawn until one ends with all packets at
// their places.

// tries is the number of random orders that are drawn for a run.
const tries = 2000

// moves is an order in which the packets of a cycle take their places.
type moves struct {
	list    []int32
	changes map[int]int // by part: the number of moves before it changes
	flits   int
}

// end returns the clock after the last move.
func (s *moves) end() engine.Clock { return engine.Clock(len(s.list)) * replay.Turn(s.flits) }

// plan returns an order of moves, or nil if no order is found.
func (m *mixture) plan(random *rand.Rand) *moves {
	t := newTables(m.Old, m.New, m.o.Keep)
	d := &draft{m: m, random: random, part: m.partOf(), t: t}
	d.uses()
	for range tries {
		if s := d.draw(); s != nil {
			return s
		}
	}
	return nil
}

// draft draws orders of moves.
type draft struct {
	m      *mixture
	t      *tables
	random *rand.Rand
	part   map[Entry]int
	needs  [][]need // by packet and state of its path
	olds   map[int]int
}

// need is the entry that a packet looks up when it arrives.
type need struct {
	part         int
	isNew, isOld bool
}

// uses finds what each packet needs at each state.
func (d *draft) uses() {
	d.olds = map[int]int{}
	for _, p := range d.m.Cycle {
		list := make([]need, len(p.lookups()))
		for j := range list {
			if i, isNew, ok := d.m.uses(d.t, d.part, &p, j); ok {
				list[j] = need{i, isNew, !isNew}
				if d.olds[i] += 0; !isNew {
					d.olds[i]++
				}
			}
		}
		d.needs = append(d.needs, list)
	}
}

// draw draws one order. It returns nil if the packets get stuck.
func (d *draft) draw() *moves {
	s := &moves{changes: map[int]int{}}
	next, taken, olds, left := make([]int, len(d.needs)), map[model.VCID]bool{}, map[int]int{}, 0
	var parts []int
	for i := range d.m.Parts {
		if k, ok := d.olds[i]; ok {
			olds[i], parts = k, append(parts, i)
		}
	}
	for _, list := range d.needs {
		left += len(list)
	}
	for left > 0 {
		var can, may []int // packets that can move, parts that may change
		for i, list := range d.needs {
			if j := next[i]; j < len(list) && !taken[d.m.Cycle[i].Path[j].VC] {
				if _, changed := s.changes[list[j].part]; !(list[j].isNew && !changed || list[j].isOld && changed) {
					can = append(can, i)
				}
			}
		}
		for _, i := range parts {
			if _, changed := s.changes[i]; !changed && olds[i] == 0 {
				may = append(may, i)
			}
		}
		if len(can)+len(may) == 0 {
			return nil
		}
		k := d.random.IntN(len(can) + len(may))
		if k >= len(can) {
			s.changes[may[k-len(can)]] = len(s.list)
			continue
		}
		i := can[k]
		j := next[i]
		if taken[d.m.Cycle[i].Path[j].VC] = true; j > 0 {
			delete(taken, d.m.Cycle[i].Path[j-1].VC)
		}
		if d.needs[i][j].isOld {
			olds[d.needs[i][j].part]--
		}
		next[i]++
		left--
		s.list = append(s.list, int32(i))
	}
	return s
}

// play simulates the moves. Parts that the packets do not need change after the last move.
func (s *moves) play(ctx context.Context, m *mixture, seed uint64) (*engine.Deadlock, error) {
	t := newTables(m.Old, m.New, m.o.Keep)
	t.either = true
	m.choose(t)
	e := m.o.engine(t.Network(), seed)
	e.MaxFlits = min(e.MaxFlits, e.BufferFlits)
	s.flits = e.MaxFlits
	turn := replay.Turn(e.MaxFlits)
	for i, part := range m.Parts {
		before, ok := s.changes[i]
		if !ok {
			before = len(s.list) + 1
		}
		for _, x := range part {
			t.set(x, max(engine.Clock(before)*turn-1, 0))
		}
	}
	var packets []replay.Scripted
	for _, p := range m.Cycle {
		packets = append(packets, replay.Scripted{Source: p.Source, Dest: p.Dest, Path: p.Path})
	}
	return replay.Script(ctx, t, packets, s.list, e)
}
