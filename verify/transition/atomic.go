package transition

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
)

// This file decides mixtures in which parts larger than an entry change at once, or packets never meet two states of the tables.

const (
	mostSets   = 12  // parts of which all sets are tried
	randomSets = 300 // sets of more parts that are tried
)

// MixtureOf decides the mixture in which parts change at once, in any order. Unless drained, packets in the network meet entries of
// before and after: with parts of entries or switches in any mixture, with destinations old entries first and new ones then. If drained,
// all packets that are in the network together meet one set of changed parts. It fails if ctx ends.
func (c *Change) MixtureOf(ctx context.Context, part Part, drained bool) (*Mixture, error) {
	if !drained && part == Destination {
		return c.phases(ctx)
	}
	m, err := c.Mixture(ctx)
	if err != nil {
		return nil, err
	}
	if !drained {
		m.part = part
		c.ordered(m, part)
		return m, nil
	}
	m.part, m.drained = part, true
	if part == Destination {
		m.Loops = nil
		err = c.eachSpace(ctx, func(d model.DestID, loops bool) {
			if loops {
				m.Loops = append(m.Loops, d)
			}
		})
	}
	if err != nil || m.Cycle == nil {
		return m, err
	}
	m.Cycle, m.Packets = nil, nil
	return m, c.sets(ctx, m)
}

// eachSpace calls visit for each destination, and says whether packets loop by the old or by the new table alone.
func (c *Change) eachSpace(ctx context.Context, visit func(d model.DestID, loops bool)) error {
	loops := make([]bool, c.Old.Destinations())
	for _, t := range []*model.Table{c.Old, c.New} {
		err := cdg.EachSpace(ctx, t, model.NoHost, func(d model.DestID, s *cdg.Space) error {
			loops[d] = loops[d] || hasLoop(s)
			return nil
		})
		if err != nil {
			return err
		}
	}
	for d, l := range loops {
		visit(model.DestID(d), l)
	}
	return nil
}

// sets looks for a set of changed parts whose dependencies have a cycle.
func (c *Change) sets(ctx context.Context, m *Mixture) error {
	number := c.numbered(m.part)
	n := 0
	for _, k := range number {
		n = max(n, k+1)
	}
	r, w := rand.New(rand.NewPCG(1, 1)), c.NewWalker()
	tries := randomSets
	if n <= mostSets {
		tries = 1 << n
	}
	set := make([]bool, n)
	for k := range tries {
		if err := ctx.Err(); err != nil {
			return err
		}
		for i := range set {
			if set[i] = r.IntN(2) == 0; n <= mostSets {
				set[i] = k>>i&1 != 0
			}
		}
		meets := func(d model.DestID, u model.SwitchID) Entries {
			if i, ok := number[place{d, u}]; ok && set[i] {
				return NewEntry
			}
			return OldEntry
		}
		if !c.acyclic(w, meets) {
			return c.witness(ctx, m, meets)
		}
	}
	if n > mostSets {
		m.Undecided = fmt.Sprintf("%d sets of %d changed parts have no cycle, and not all were tried", tries, n)
	}
	return nil
}

// place is an entry.
type place struct {
	d model.DestID
	u model.SwitchID
}

// numbered returns the number of the part of each entry that differs.
func (c *Change) numbered(part Part) map[place]int {
	number, parts := map[place]int{}, map[place]int{}
	for d := range model.DestID(c.Old.Destinations()) {
		for u := range model.SwitchID(c.net.NumSwitches()) {
			if !c.Differs(d, u) {
				continue
			}
			key := place{d, u}
			switch part {
			case Switch:
				key.d = -1
			case Destination:
				key.u = -1
			}
			if _, ok := parts[key]; !ok {
				parts[key] = len(parts)
			}
			number[place{d, u}] = parts[key]
		}
	}
	return number
}

// acyclic reports whether the dependencies of packets that meet the entries of meets have no cycle.
func (c *Change) acyclic(w *Walker, meets func(model.DestID, model.SwitchID) Entries) bool {
	o := cdg.NewOrder(c.net, nil)
	for d := range model.DestID(c.Old.Destinations()) {
		for _, t := range w.Dependencies(d, func(u model.SwitchID) Entries { return meets(d, u) }) {
			if !o.Has(t) && !o.Add(t) {
				return false
			}
		}
	}
	return true
}

// witness sets the cycle of a state that has one.
func (c *Change) witness(ctx context.Context, m *Mixture, meets func(model.DestID, model.SwitchID) Entries) error {
	r := &Mixed{c, meets}
	g, err := cdg.Build(ctx, r)
	if err != nil {
		return err
	}
	if m.Cycle, err = g.ShortestCycle(ctx); err != nil {
		return err
	}
	m.Packets, err = cdg.Witnesses(r, cdg.Dependencies(m.Cycle))
	return err
}

// phased is the relation of packets that meet old entries first and new ones then. The classes from classes on are those of packets that
// have met a new entry.
type phased struct{ *Mixed }

// Classes implements model.Relation.
func (p phased) Classes() int { return 2 * p.classes }

// Inject implements model.Relation.
func (p phased) Inject(h model.HostID, d model.DestID, buf []model.Class) []model.Class {
	return p.inject(h, d, BothEntries, buf)
}

// Next implements model.Relation.
func (p phased) Next(s model.State, buf []model.Hop) []model.Hop {
	late := s.Class >= model.Class(p.classes)
	if late {
		s.Class -= model.Class(p.classes)
	} else {
		buf = p.Old.Next(s, buf)
	}
	for _, h := range p.New.Next(s, nil) {
		buf = append(buf, model.Hop{VC: h.VC, Class: h.Class + model.Class(p.classes)})
	}
	return buf
}

// phases decides the mixture in which destinations change at once, with packets in the network.
func (c *Change) phases(ctx context.Context) (*Mixture, error) {
	r := phased{c.AnyMixture()}
	g, err := cdg.Build(ctx, r)
	if err != nil {
		return nil, err
	}
	m := &Mixture{Channels: g.NumUsed(), Dependencies: g.NumDependencies(), part: Destination}
	if m.Cycle, err = g.ShortestCycle(ctx); err != nil {
		return nil, err
	}
	if m.Cycle != nil {
		if m.Packets, err = cdg.Witnesses(r, cdg.Dependencies(m.Cycle)); err != nil {
			return nil, err
		}
	}
	for _, p := range m.Packets {
		for i := range p.Path {
			p.Path[i].Class %= model.Class(c.classes)
		}
	}
	err = cdg.EachSpace(ctx, r, model.NoHost, func(d model.DestID, s *cdg.Space) error {
		if hasLoop(s) {
			m.Loops = append(m.Loops, d)
		}
		return nil
	})
	return m, err
}
