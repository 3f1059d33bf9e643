package replay

import (
	"context"
	"math/rand/v2"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model"
)

// This file is the order of the attempts: first all packets at once, each from a
// host at the switch out of which its VC leads, if the relation lets one do so; then
// along ways from any host, set out so that all come to their places together, then at
// random; then pairs of the witness under heavy load; then all hosts.

// Held is a packet of a refutation.
type Held struct {
	Source model.HostID
	Dest   model.DestID
	// Path are the states that it goes through, from its injection on.
	Path []model.State
	// Holds is how many of the last states of Path it holds the VCs of.
	Holds int
	// Commits says that the packet waits for one next hop at the end of its path, to the VC Chosen.
	Commits bool
	Chosen  model.VCID
}

// along returns the path of a packet that reaches the place of h on another path.
func (h *Held) along(path []model.State) way { return way{h.Dest, path, h.Commits, h.Chosen} }

// Options of Run.
type Options struct {
	Switching model.Switching
	// Waiting is as in engine.Options. Packets that are steered along a path have chosen its hops.
	Waiting model.Waiting
	Flits   int          // of a packet; 0: 16. A buffer holds one packet, under wormhole Buffer flits
	Buffer  int          // under wormhole; 0: 4
	Orders  int          // how many orders of injection are tried; 0: 200
	Clocks  engine.Clock // of the runs under load; 0: 20,000
	Loads   int          // how many runs under load; 0: 20
	Seed    uint64
	// Atomic is for Saturate; Run always gives a VC to one packet at a time.
	Atomic bool
	// Engine, if not nil, are options in place of those of the premises; packets have
	// MaxFlits then, and only load is tried.
	Engine *engine.Options
}

// The ways in which a deadlock was reached.
const (
	AtTails = "injected at the tails" // of the VCs, all at once
	InOrder = "injected in order"     // at other hosts, at chosen clocks
	ByPairs = "pairs under load"      // those of the witness
	ByLoad  = "random load"           // of all hosts
)

// Result of Run.
type Result struct {
	Reached  bool
	How      string // one of the ways, empty if not reached
	Tries    int    // simulations
	Deadlock *engine.Deadlock
	Network  *model.Network
}

// Run tries to reach a deadlock of relation r. held may be empty: then only load
// is tried.
func Run(ctx context.Context, r model.Relation, held []Held, o Options) (*Result, error) {
	o.defaults(held)
	t := &trial{r: r, o: o, random: rand.New(rand.NewPCG(o.Seed, 5)), res: &Result{Network: r.Network()}}
	attempts := []func(context.Context, []Held) error{t.atTails, t.inOrder, t.byPairs, t.byLoad}
	if o.Engine != nil {
		attempts = attempts[2:]
	}
	for _, attempt := range attempts {
		if err := attempt(ctx, held); err != nil || t.res.Reached {
			return t.res, err
		}
	}
	return t.res, nil
}

func (o *Options) defaults(held []Held) {
	most := 1
	for _, h := range held {
		most = max(most, h.Holds)
	}
	if o.Switching == "" {
		o.Switching = model.CutThrough
	}
	if o.Buffer == 0 {
		o.Buffer = 4
	}
	if o.Flits == 0 {
		o.Flits = max(16, most*o.Buffer)
	}
	if o.Engine != nil {
		o.Flits = o.Engine.MaxFlits
	}
	if o.Orders == 0 {
		o.Orders = 200
	}
	if o.Clocks == 0 {
		o.Clocks = 20_000
	}
	if o.Loads == 0 {
		o.Loads = 20
	}
}

// engineOptions are those of the premises of a refutation: a packet has a VC for
// itself.
func (o *Options) engineOptions() engine.Options {
	if o.Engine != nil {
		e := *o.Engine
		e.Seed, e.Waiting = o.Seed, o.Waiting
		return e
	}
	e := engine.Options{Timing: engine.Paper, Switching: o.Switching, MaxFlits: o.Flits, BufferFlits: o.Flits, Select: engine.SelectRandom, Seed: o.Seed, Waiting: o.Waiting}
	if o.Switching == model.Wormhole {
		e.BufferFlits, e.Atomic = o.Buffer, true
	}
	return e
}

// trial is a run of Run.
type trial struct {
	r      model.Relation
	o      Options
	random *rand.Rand
	res    *Result
}

// simulate runs one attempt and notes the deadlock that it ends in.
func (t *trial) simulate(ctx context.Context, r model.Relation, source engine.Source, clocks engine.Clock, how string) error {
	t.res.Tries++
	o := t.o.engineOptions()
	if x, ok := r.(*steered); ok {
		free := *x
		free.free = true
		o.Permitted = &free
		if o.Waiting = model.WaitAny; x.commits != nil {
			o.Waiting = model.WaitMixed
		}
	}
	s, err := engine.New(r, source, o, nil)
	if err != nil {
		return err
	}
	d, err := s.Watch(ctx, clocks)
	if err != nil || d == nil {
		return err
	}
	t.res.Reached, t.res.How, t.res.Deadlock = true, how, d
	return nil
}

// byPairs sends packets between the pairs of the witness as fast as they go.
func (t *trial) byPairs(ctx context.Context, held []Held) error {
	if len(held) == 0 {
		return nil
	}
	to := make([][]model.DestID, t.r.Sources())
	for _, h := range held {
		to[h.Source] = append(to[h.Source], h.Dest)
	}
	return t.load(ctx, ByPairs, func(h model.HostID) (model.DestID, bool) {
		if len(to[h]) == 0 {
			return 0, false
		}
		return to[h][t.random.IntN(len(to[h]))], true
	})
}

// byLoad lets all hosts send to all others.
func (t *trial) byLoad(ctx context.Context, _ []Held) error {
	return t.load(ctx, ByLoad, anyDestination(t.r, t.random))
}

// load runs simulations in which hosts send without a pause between some
// packets and with one between others.
func (t *trial) load(ctx context.Context, how string, dest func(model.HostID) (model.DestID, bool)) error {
	for try := range t.o.Loads {
		flits := t.o.Flits
		if try%2 == 1 && t.o.Engine == nil {
			flits = t.o.engineOptions().BufferFlits // short ones come where long ones are in each other's way
		}
		s := &eager{dest: dest, random: t.random, flits: flits, at: make([]engine.Clock, t.r.Sources())}
		if err := t.simulate(ctx, t.r, s, t.o.Clocks, how); err != nil || t.res.Reached {
			return err
		}
	}
	return nil
}

// eager is a source that sends much.
type eager struct {
	dest   func(model.HostID) (model.DestID, bool)
	random *rand.Rand
	flits  int
	at     []engine.Clock // by host: of its last packet
}

// Next implements engine.Source.
func (e *eager) Next(h model.HostID) (engine.Packet, bool) {
	d, ok := e.dest(h)
	if !ok {
		return engine.Packet{}, false
	}
	e.at[h] += engine.Clock(e.random.IntN(2 * e.flits))
	return engine.Packet{Created: e.at[h], Source: h, Dest: d, Flits: e.flits}, true
}
