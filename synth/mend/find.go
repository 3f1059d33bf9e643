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

// Options of Find; the zero value is the default.
type Options struct {
	// Time bounds the search, 0: DefaultTime. Half of it goes to the nearest table, a
	// quarter, if that is not enough, to nearer ones by local search, the rest to the nearest again.
	// How good the result is may depend on it; that the result holds does not.
	Time time.Duration
	// Memory bounds the bytes that the search may take besides the table. Defaults to
	// DefaultMemory. When it is used up, the best table and bound found so far are returned.
	Memory int64
	// Multicast are multicast tables, which stay as they are. If nil, there are none.
	Multicast *model.Multicast
}

// DefaultMemory is what Find takes at most.
const DefaultMemory = 4 << 30

// DefaultTime is how long Find searches at most.
const DefaultTime = 30 * time.Second

// Change is an entry that is not what it was.
type Change struct {
	Switch model.SwitchID
	Dest   model.DestID
	Old    model.Port // NoPort: there was no entry
	New    model.Port
}

// NoPort stands for no entry.
const NoPort model.Port = -1

// Mended is a table and what became of its entries.
type Mended struct {
	Table   *model.Table
	Changes []Change // by destination, then by switch
	Bound   int      // no table that will do has fewer changes
}

// Optimal reports whether no other table has fewer changes, which an exhaustive search found.
func (m *Mended) Optimal() bool { return len(m.Changes) == m.Bound }

// Errors of Find.
var (
	// ErrNone says that every table has a credit loop or loses packets.
	ErrNone = errors.New("mend: no table serves all pairs of hosts without a credit loop")
	// ErrTime says that time was up before any table was found.
	ErrTime = errors.New("mend: no table found in time")
)

// Find returns a near table without cycles of dependencies that delivers all packets. If t is one,
// there are no changes. When ctx ends, it returns the best table found so far. Errors: ErrNone,
// ErrTime; that of ctx if there is no table yet.
// Cost: 16 switches and 64 hosts with a loop that two changes end, under a second; 64
// switches and 256 hosts, 16 changes, some ten seconds on one core. On large networks (growAbove)
// a table comes within seconds, and the bound is that of lowerBound as a rule.
func Find(ctx context.Context, t *model.Table, o Options) (*Mended, error) {
	if o.Time == 0 {
		o.Time = DefaultTime
	}
	if o.Memory == 0 {
		o.Memory = DefaultMemory
	}
	began, p := time.Now(), newProblem(t)
	if err := p.fix(ctx, o.Multicast); err != nil {
		return nil, err
	}
	l, err := p.soon(ctx, began.Add(o.Time), o.Memory)
	if err != nil {
		return nil, err
	}
	e, enough := newExact(p, o.Memory), len(t.Network().Heads())*t.Destinations() // more than there are entries
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
	return &Mended{Table: m, Changes: changes(t, m), Bound: e.bound()}, nil
}

// changes compares two tables entry by entry.
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

// problem is a table and what may be wrong with it.
type problem struct {
	given        *model.Table
	users        map[model.Turn][]model.DestID // by dependency: whose packets have it
	dependencies []model.Turn                  // the keys of users, ascending
	lost         []model.DestID                // those to whom some packets do not get

	multicast *model.Multicast
	fixed     map[model.Turn]bool // dependencies of multicast packets
}

// fix notes the dependencies of multicast packets, which no change of entries ends. It fails with
// ErrNone if they close a cycle.
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

// soon begins the local search; nil if it finds no table until time is up.
func (p *problem) soon(ctx context.Context, until time.Time, memory int64) (*local, error) {
	l, n := newLocal(ctx, until, memory, p), p.given.Network()
	ok := l.begin(nil)
	for u := model.SwitchID(0); !ok && int(u) < n.NumSwitches() && l.goesOn(); u++ {
		tree, err := hv.NewTree(n, u, hv.Options{})
		if err != nil { // not connected: some hosts may still be asked for
			break
		}
		ok = l.begin(tree)
	}
	if !ok {
		return nil, ctx.Err()
	}
	return l, nil
}
