package changeover

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model"
)

// This file lets parts change in any order.

// Packet is a packet of a cycle of dependencies: its path from its injection on. It holds the last VC but one, and waits for the last one.
// If it is stranded, it holds the last one, and finds no next hop there.
type Packet struct {
	Source   model.HostID
	Dest     model.DestID
	Path     []model.State
	Stranded bool
}

// lookups returns the states in which the packet looks up an entry.
func (p *Packet) lookups() []model.State {
	if p.Stranded {
		return p.Path
	}
	return p.Path[:len(p.Path)-1]
}

// Change is parts that change in any order.
type Change struct {
	Old, New model.Relation
	Parts    [][]Entry // all entries of a part change in one clock
	Cycle    []Packet  // of a refutation, or nil
	Drained  bool      // the parts that change do so before the run begins
}

// Mixture simulates changes of parts in any order, until the network freezes or o.Runs are over. If there are packets of a cycle, the
// first runs let these take their places, and then the pairs of the cycle send under load. It fails for sizes that do not fit the network,
// and if ctx ends.
func Mixture(ctx context.Context, c *Change, o Options) (*Result, error) {
	o.defaults()
	m := &mixture{Change: c, o: o}
	res := &Result{}
	for run := range o.Runs {
		res.Runs++
		d, clocks, err := m.run(ctx, run, res)
		if res.Clocks += clocks; err != nil {
			return nil, err
		}
		if d != nil {
			res.Deadlock = d
			return res, nil
		}
	}
	res.How = ByLoad
	return res, nil
}

// mixture is a call of Mixture.
type mixture struct {
	*Change
	o Options
}

// cycleRuns is the number of runs with the packets of the cycle only.
const cycleRuns = 3

// run simulates one run.
func (m *mixture) run(ctx context.Context, run int, res *Result) (*engine.Deadlock, engine.Clock, error) {
	random := m.o.random(run)
	if len(m.Cycle) > 0 && !m.Drained && run < cycleRuns {
		if s := m.plan(random); s != nil {
			res.How = ByCycle
			d, err := s.play(ctx, m, random.Uint64())
			return d, s.end(), err
		}
	}
	t := newTables(m.Old, m.New, m.o.Keep)
	t.either = !m.Drained
	e := m.o.engine(t.Network(), random.Uint64())
	source := newLoad(t, random, &e)
	if res.How = ByLoad; len(m.Cycle) > 0 && run%2 == 0 {
		res.How = ByPairs
		m.choose(t)
		source.to, source.gap = make([][]model.DestID, t.Sources()), e.MaxFlits
		for _, p := range m.Cycle {
			source.to[p.Source] = append(source.to[p.Source], p.Dest)
		}
	}
	m.schedule(t, random, res.How == ByPairs)
	s, err := engine.New(t, source, e, nil)
	if err != nil {
		return nil, 0, err
	}
	d, err := s.Watch(ctx, m.o.Clocks)
	return d, s.Now(), err
}

// schedule draws the clock in which each part changes. If byCycle is true, those that the cycle needs new change early, and those that
// it needs old change late.
func (m *mixture) schedule(t *tables, random *rand.Rand, byCycle bool) {
	from := engine.Clock(random.IntN(int(m.o.Clocks/8) + 1))
	long := 16 + int(m.o.Clocks/2)>>random.IntN(8)
	var old, now []int
	if byCycle {
		old, now = m.needs(t)
	}
	for i, part := range m.Parts {
		at := from + engine.Clock(random.IntN(long))
		if m.Drained && random.IntN(2) == 0 {
			at = never
		} else if m.Drained {
			at = 0
		}
		switch {
		case !byCycle || (old[i] > 0) == (now[i] > 0):
		case m.Drained && now[i] > 0:
			at = 0
		case m.Drained:
			at = never
		case now[i] > 0:
			at = engine.Clock(random.IntN(int(m.o.Clocks/16) + 1))
		default:
			at = m.o.Clocks - engine.Clock(random.IntN(int(m.o.Clocks/8)+1))
		}
		for _, e := range part {
			t.set(e, at)
		}
	}
}

// needs returns by part how many hops of the cycle's packets take an old entry of it, and how many a new one.
func (m *mixture) needs(t *tables) (old, now []int) {
	old, now = make([]int, len(m.Parts)), make([]int, len(m.Parts))
	part := m.partOf()
	for _, p := range m.Cycle {
		for j := range p.lookups() {
			if i, isNew, ok := m.uses(t, part, &p, j); ok && isNew {
				now[i]++
			} else if ok {
				old[i]++
			}
		}
	}
	return old, now
}

// partOf returns the part of each entry.
func (m *mixture) partOf() map[Entry]int {
	part := map[Entry]int{}
	for i, list := range m.Parts {
		for _, e := range list {
			part[e] = i
		}
	}
	return part
}

// uses returns the part whose entry takes packet p from state j of its path to the next, and whether only the new entry does. It returns
// false if the entry does not change, or both entries do.
func (m *mixture) uses(t *tables, part map[Entry]int, p *Packet, j int) (i int, isNew, ok bool) {
	in, _ := t.Network().Channel(p.Path[j].VC)
	if i, ok = part[Entry{p.Dest, t.Network().Head(in)}]; !ok {
		return 0, false, false
	}
	takes := func(r model.Relation) bool {
		hops := r.Next(p.Path[j], nil)
		if j == len(p.Path)-1 {
			return len(hops) == 0
		}
		return slices.ContainsFunc(hops, func(h model.Hop) bool { return h.VC == p.Path[j+1].VC })
	}
	byOld, byNew := takes(t.old), takes(t.now)
	return i, byNew, byOld != byNew
}

// choose lets packets in the states of the cycle's packets take the hops of these, if packets wait for one of several hops: the choice of a
// switch that hashes may be any.
func (m *mixture) choose(t *tables) {
	if m.o.Waiting != model.WaitOne {
		return
	}
	t.only = map[model.State][]model.Hop{}
	for _, p := range m.Cycle {
		for j, s := range p.Path[:len(p.Path)-1] {
			t.only[s] = append(t.only[s], model.Hop{VC: p.Path[j+1].VC, Class: p.Path[j+1].Class})
		}
	}
}
