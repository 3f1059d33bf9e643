package relations

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/transition"
)

// This file decides mixtures.

const (
	mostSets   = 12  // parts of which all sets are tried
	randomSets = 300 // sets of more parts that are tried
)

// view is which entries packets meet.
type view struct {
	meets func(d model.DestID, u model.SwitchID) transition.Entries
	late  bool // a packet that has met a new entry meets new ones from then on
}

// anyEntries is the view of packets that meet the old or the new entry of each switch.
func anyEntries(late bool) view {
	return view{func(model.DestID, model.SwitchID) transition.Entries { return transition.BothEntries }, late}
}

// MixtureOf decides the mixture in which parts change at once, in any order, as the method of transition.Change does. It fails if ctx ends.
func (c *Change) MixtureOf(ctx context.Context, part transition.Part, drained bool) (*transition.Mixture, error) {
	m := (&transition.Mixture{}).Of(part, drained)
	v := anyEntries(part == transition.Destination && !drained)
	g := c.graphOf(v)
	m.Drops = c.places()
	m.Channels, m.Dependencies = g.count()
	if g.acyclic() {
		return m, ctx.Err()
	}
	if !drained {
		c.refute(m, v)
		return m, ctx.Err()
	}
	return m, c.sets(ctx, m)
}

// places counts the switches and destinations at which a packet can have no next hop.
func (c *Change) places() (k int) {
	for d := range c.NumDestinations() {
		bad := map[model.SwitchID]bool{}
		for i := c.first[d]; i < c.first[d+1]; i++ {
			for side := range c.hops {
				if list, _ := c.hops[side].of(i); len(list) == 0 {
					bad[c.at(i)] = true
				}
			}
		}
		k += len(bad)
	}
	return k
}

// sets looks for a set of changed parts whose dependencies have a cycle.
func (c *Change) sets(ctx context.Context, m *transition.Mixture) error {
	number, n := c.numbered(m.Part())
	r := rand.New(rand.NewPCG(1, 1))
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
		v := view{meets: func(d model.DestID, u model.SwitchID) transition.Entries {
			if i := number[int(d)*c.net.NumSwitches()+int(u)]; i >= 0 && set[i] {
				return transition.NewEntry
			}
			return transition.OldEntry
		}}
		if !c.graphOf(v).acyclic() {
			c.refute(m, v)
			return nil
		}
	}
	if n > mostSets {
		m.Undecided = fmt.Sprintf("%d sets of %d changed parts have no cycle, and not all were tried", tries, n)
	}
	return nil
}

// numbered returns the number of the part of each entry that differs, by destination and switch, or -1, and how many parts there are.
func (c *Change) numbered(part transition.Part) (number []int, parts int) {
	n, known := c.net.NumSwitches(), map[int]int{}
	for i, differs := range c.differs {
		key := i
		switch part {
		case transition.Switch:
			key = i % n
		case transition.Destination:
			key = i / n
		}
		if number = append(number, -1); !differs {
			continue
		}
		if _, ok := known[key]; !ok {
			known[key] = len(known)
		}
		number[i] = known[key]
	}
	return number, len(known)
}

// refute sets a cycle of packets that block each other, or says why none is known.
func (c *Change) refute(m *transition.Mixture, v view) {
	waits := c.waitsOf(v)
	cycle := waits.shortest()
	if cycle == nil {
		m.Undecided = "the dependencies have a cycle, and packets that can choose may be free of deadlock all the same"
		return
	}
	take := func(cycle []model.VCID, packets []*packet) bool {
		if cycle == nil || !m.Drained() && !c.inOrder(packets, m.Part()) {
			return false
		}
		m.Cycle = cycle
		for _, p := range packets {
			m.Packets = append(m.Packets, p.Packet)
		}
		return true
	}
	if take(cycle, c.packetsOf(cycle, v, false)) || take(cycle, c.packetsOf(cycle, v, true)) || !c.byInput && take(c.circle(v)) {
		return
	}
	m.Undecided = "the dependencies have a cycle, and no order of changes is known in which its packets meet their entries"
}
