package replay

import (
	"context"
	"math/rand/v2"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/facts"
)

// This file tries the attempts in order: first all packets at once, each injected by a host at the
// switch where its VC starts, if the relation lets such a host use the VC; then on paths from any
// host, timed so that all packets reach their places together, then with random times; then the
// pairs of the witness under heavy load; then all hosts under heavy load.

// Held is a packet of a refutation.
type Held struct {
	Source model.HostID
	Dest   model.DestID
	// Path has the states of the packet from its injection on.
	Path []model.State
	// Holds is the number of states at the end of Path whose VCs the packet holds.
	Holds int
	// Commits is true if the packet waits for one next hop at the end of its path: VC Chosen.
	Commits bool
	Chosen  model.VCID
}

// along returns a packet with the destination of h that reaches the place of h on the given path.
func (h *Held) along(path []model.State) way { return way{h.Dest, path, h.Commits, h.Chosen} }

// Options are the options of Run and Saturate.
type Options struct {
	Switching model.Switching
	// Waiting is as in engine.Options. A packet that is steered along a path waits for the next
	// hop of the path.
	Waiting model.Waiting
	Flits   int          // flits of a packet; defaults to 16. A buffer holds one packet; with wormhole switching, Buffer flits
	Buffer  int          // flits of a buffer with wormhole switching; defaults to 4
	Facts   *facts.Bound // what is stated of packets and buffers, or nil; replaces Flits, Buffer and Atomic
	Orders  int          // number of orders of injection to try; defaults to 200
	Clocks  engine.Clock // length of a run under load; defaults to 20,000
	Loads   int          // number of runs under load; defaults to 20
	Seed    uint64
	// Atomic applies to Saturate only. Unless Facts state the reuse of VCs, Run gives a VC to one packet at a time.
	Atomic bool
	// Engine, if not nil, replaces the options that follow from the premises. Packets then have
	// MaxFlits flits, and only runs under load are tried.
	Engine *engine.Options
}

// Values of Result.How: the attempt that reached the deadlock.
const (
	AtTails = "injected at the tails" // all packets at once, at the switches where their VCs start
	InOrder = "injected in order"     // packets from other hosts, at chosen clocks
	ByPairs = "pairs under load"      // heavy load between the pairs of the witness
	ByLoad  = "random load"           // heavy load between all hosts
)

// Result is the result of Run.
type Result struct {
	Reached  bool
	How      string // AtTails, InOrder, ByPairs or ByLoad; empty if not reached
	Tries    int    // number of simulations
	Deadlock *engine.Deadlock
	Network  *model.Network
}

// Run tries to reach a deadlock of relation r with the packets of a witness. If held is empty,
// only runs under load are tried.
func Run(ctx context.Context, r model.Relation, held []Held, o Options) (*Result, error) {
	attempts := []func(*trial, context.Context, []Held) error{(*trial).atTails, (*trial).inOrder, (*trial).byPairs, (*trial).byLoad}
	if o.Engine != nil {
		attempts = attempts[2:]
	}
	mayBeShort := o.Engine == nil
	o.defaults(r.Network(), held)
	t := &trial{r: r, o: o, mayBeShort: mayBeShort, random: rand.New(rand.NewPCG(o.Seed, 5)), res: &Result{Network: r.Network()}}
	for _, attempt := range attempts {
		if err := attempt(t, ctx, held); err != nil || t.res.Reached {
			return t.res, err
		}
	}
	return t.res, nil
}

// defaults sets the options that are open, and Engine.
func (o *Options) defaults(n *model.Network, held []Held) {
	most := 1
	for _, h := range held {
		most = max(most, h.Holds)
	}
	if o.Switching == "" {
		o.Switching = model.CutThrough
	}
	if o.Buffer == 0 {
		o.Buffer = bufferFlits
	}
	if o.Flits == 0 {
		o.Flits = max(packetFlits, most*o.Buffer)
	}
	o.Engine = o.engineOptions()
	Fit(o.Facts, n, o.Engine)
	o.Flits = o.Engine.MaxFlits
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

// engineOptions returns simulator options of its own. If Engine is nil, they match the premises of a refutation: a VC holds
// flits of one packet at a time.
func (o *Options) engineOptions() *engine.Options {
	if o.Engine != nil {
		e := *o.Engine
		e.Seed, e.Waiting = o.Seed, o.Waiting
		return &e
	}
	e := &engine.Options{Timing: engine.Paper, Switching: o.Switching, MaxFlits: o.Flits, BufferFlits: o.Flits, Select: engine.SelectRandom,
		Seed: o.Seed, Waiting: o.Waiting}
	if o.Switching == model.Wormhole {
		e.BufferFlits, e.Atomic = o.Buffer, true
	}
	return e
}

// trial is the state of a call of Run.
type trial struct {
	r      model.Relation
	o      Options
	random *rand.Rand
	res    *Result
	// mayBeShort says that packets may be shorter than the longest one.
	mayBeShort bool
}

// simulate runs one attempt and stores its deadlock, if there is one.
func (t *trial) simulate(ctx context.Context, r model.Relation, source engine.Source, clocks engine.Clock, how string) error {
	t.res.Tries++
	o := *t.o.Engine
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

// byPairs sends packets between the pairs of the witness at full rate.
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

// byLoad lets all hosts send packets to all others.
func (t *trial) byLoad(ctx context.Context, _ []Held) error {
	return t.load(ctx, ByLoad, anyDestination(t.r, t.random))
}

// load runs simulations in which hosts send some packets back to back and pause between others.
func (t *trial) load(ctx context.Context, how string, dest func(model.HostID) (model.DestID, bool)) error {
	for try := range t.o.Loads {
		flits := t.o.Flits
		if try%2 == 1 && t.mayBeShort {
			flits = min(flits, t.o.Engine.BufferFlits) // short packets reach places where long ones block each other
		}
		s := &eager{dest: dest, random: t.random, flits: flits, at: make([]engine.Clock, t.r.Sources())}
		if err := t.simulate(ctx, t.r, s, t.o.Clocks, how); err != nil || t.res.Reached {
			return err
		}
	}
	return nil
}

// eager is a source that sends packets at a high rate.
type eager struct {
	dest   func(model.HostID) (model.DestID, bool)
	random *rand.Rand
	flits  int
	at     []engine.Clock // by host: creation of its last packet
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
