package mend

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
	"github.com/turnproof/turnproof/synth/sat"
)

// Options are the options of Find. The zero value is the default.
type Options struct {
	// Time limits the search. Defaults to DefaultTime. Half of it goes to the exact search. If
	// that is not enough, a quarter goes to local search, and the rest to the exact search again.
	// The number of changes may depend on Time, but the result is always valid.
	Time time.Duration
	// Memory limits the bytes that the search may use in addition to the table. Defaults to
	// DefaultMemory. When it is used up, Find returns the best table and bound found until then.
	Memory int64
	// Multicast holds multicast tables, which are not changed. If nil, there are none.
	Multicast *model.Multicast
	// Flows are the pairs of hosts that talk. If nil, all pairs talk. A valid table then serves these pairs: their packets alone close no
	// cycle of dependencies and arrive. Packets of other pairs may be lost.
	Flows []model.Flow
}

// DefaultMemory is the default of Options.Memory, in bytes.
const DefaultMemory = 4 << 30

// DefaultTime is the default of Options.Time.
const DefaultTime = 30 * time.Second

// Change is an entry that differs from the given table.
type Change struct {
	Switch model.SwitchID
	Dest   model.DestID
	Old    model.Port // NoPort if there was no entry
	New    model.Port
}

// NoPort means that there is no entry.
const NoPort model.Port = -1

// Mended is a new table, its changes and a lower bound.
type Mended struct {
	Table   *model.Table
	Changes []Change // ascending by destination, then by switch
	Bound   int      // no valid table has fewer changes
}

// Optimal reports whether it is proved that no valid table has fewer changes.
func (m *Mended) Optimal() bool { return len(m.Changes) == m.Bound }

// Errors of Find.
var (
	// ErrNone means that every table has a credit loop or loses packets.
	ErrNone = errors.New("mend: no table serves all pairs that talk without a credit loop")
	// ErrTime means that the time was over before any table was found.
	ErrTime = errors.New("mend: no table found in time")
)

// Find returns a table that has no cycle of dependencies, delivers all packets, and has few
// changes. If t is already valid, there are no changes. When ctx ends, Find returns the best table
// found until then, or the error of ctx if there is none. Other errors are ErrNone and ErrTime.
//
// Cost: 16 switches and 64 hosts with a loop that two changes break take less than a second. 64
// switches and 256 hosts with 16 changes take about ten seconds on one core. On large networks
// (growAbove) a table is found within seconds, and the bound is usually that of lowerBound.
func Find(ctx context.Context, t *model.Table, o Options) (*Mended, error) {
	if o.Time == 0 {
		o.Time = DefaultTime
	}
	if o.Memory == 0 {
		o.Memory = DefaultMemory
	}
	whole := t
	if o.Flows != nil {
		t = talking(t, o.Flows)
	}
	began, p := time.Now(), newProblem(t)
	if err := p.fix(ctx, o.Multicast); err != nil {
		return nil, err
	}
	l, err := p.soon(ctx, began.Add(o.Time), o.Memory)
	if err != nil {
		return nil, err
	}
	e, enough := newExact(p, o.Memory), len(t.Network().Heads())*t.Destinations() // enough is more than the number of entries
	if l != nil {
		e.wishes.Feasible, enough = true, l.total
	}
	m, answer, err := e.nearest(ctx, began.Add(o.Time/2), enough)
	if answer == sat.Unknown && err == nil && e.bound() < enough {
		if l != nil {
			l.until = began.Add(o.Time * 3 / 4)
			l.improve()
			enough = l.total
		}
		m, answer, err = e.nearest(ctx, began.Add(o.Time), enough)
	}
	switch {
	case err != nil && l == nil:
		return nil, err
	case answer == sat.Unsat:
		return nil, ErrNone
	case m == nil && l == nil:
		return nil, ErrTime
	case m == nil:
		m = l.table
	}
	list, mended := changes(t, m), whole.Clone()
	for _, x := range list {
		mended.SetPort(x.Switch, x.Dest, x.New)
	}
	return &Mended{Table: mended, Changes: list, Bound: e.bound()}, nil
}

// talking returns t without the packets of other pairs of hosts. Packets to and from management endpoints stay.
func talking(t *model.Table, flows []model.Flow) *model.Table {
	talks := model.WithFlows(t, flows)
	sets := make([]model.ClassSet, t.HostDestinations()*t.Network().NumHosts())
	for i := range sets {
		if h, d := model.HostID(i%t.Network().NumHosts()), model.DestID(i/t.Network().NumHosts()); model.Sends(talks, h, d) {
			sets[i] = t.ClassesOf(h, d)
		}
	}
	other := t.WithClasses(t.UsedClasses())
	other.SetClasses(sets, t.VCMap())
	return other
}

// changes returns the entries in which two tables differ.
func changes(old, now *model.Table) (list []Change) {
	port := func(t *model.Table, u model.SwitchID, d model.DestID) model.Port {
		if p, ok := t.Port(u, d); ok {
			return p
		}
		return NoPort
	}
	for d := range model.DestID(old.Destinations()) {
		for u := range model.SwitchID(old.Network().NumSwitches()) {
			if a, b := port(old, u, d), port(now, u, d); a != b {
				list = append(list, Change{u, d, a, b})
			}
		}
	}
	return list
}

// problem is a table with its dependencies and its lost destinations.
type problem struct {
	given        *model.Table
	users        map[model.Turn][]model.DestID // by dependency: the destinations whose packets cause it
	dependencies []model.Turn                  // the keys of users, ascending
	lost         []model.DestID                // destinations for which some packets are lost

	multicast *model.Multicast
	fixed     map[model.Turn]bool // dependencies of multicast packets
}

// fix records the dependencies of multicast packets, which no change of entries removes. It fails
// with ErrNone if they close a cycle.
func (p *problem) fix(ctx context.Context, m *model.Multicast) error {
	p.multicast, p.fixed = m, map[model.Turn]bool{}
	order := cdg.NewOrder(p.given.Network(), nil)
	closed := false
	err := cdg.EachCopy(ctx, p.given, m, func(at, next model.VCID, _ func() *cdg.Packet) {
		if turn := (model.Turn{In: at, Out: next}); next != model.NoVC && !p.fixed[turn] {
			p.fixed[turn] = true
			closed = closed || !order.Add(turn)
		}
	})
	if err == nil && closed {
		return ErrNone
	}
	return err
}

func newProblem(t *model.Table) *problem {
	p := &problem{given: t, users: map[model.Turn][]model.DestID{}}
	for d := range model.DestID(t.Destinations()) {
		dependencies(t, d, func(dep model.Turn) {
			if list := p.users[dep]; len(list) == 0 || list[len(list)-1] != d {
				p.users[dep] = append(list, d)
			}
		})
		if !delivered(t, d) {
			p.lost = append(p.lost, d)
		}
	}
	p.dependencies = slices.SortedFunc(maps.Keys(p.users), func(a, b model.Turn) int {
		return cmp.Or(cmp.Compare(a.In, b.In), cmp.Compare(a.Out, b.Out))
	})
	return p
}

// soon starts the local search. It returns nil if the search finds no table before until.
func (p *problem) soon(ctx context.Context, until time.Time, memory int64) (*local, error) {
	l, n := newLocal(ctx, until, memory, p), p.given.Network()
	ok := l.begin(nil)
	for u := model.SwitchID(0); !ok && int(u) < n.NumSwitches() && l.goesOn(); u++ {
		tree, err := hv.NewTree(n, u, hv.Options{})
		if err != nil { // not connected; the hosts may still all be in one part
			break
		}
		ok = l.begin(tree)
	}
	if !ok {
		return nil, ctx.Err()
	}
	return l, nil
}
