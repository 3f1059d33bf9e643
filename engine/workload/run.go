package workload

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model"
)

// This file runs a workload: it starts operations whose dependencies have ended, and advances the
// simulation to the next clock in which an operation can end.

// Settings are the settings of a run.
type Settings struct {
	Engine    engine.Options // MaxFlits and Seed are set by Run; Gate, Throttle and Messages must be nil
	FlitBytes int            // bytes of a message in a flit; defaults to 16
	Packet    int            // flits of a packet, the last of a message may be shorter; defaults to 8
	GHz       float64        // clocks in a nanosecond; defaults to 1
	Hosts     []model.HostID // by rank, see Mapping; if nil, rank r is at host r
	Clocks    engine.Clock   // ends the run; if 0, the end of the workload does
	Seed      uint64
	Check     bool // check the invariants of the simulator in every clock
	Simulate  bool // simulate clocks in which the network is empty, too
	// Report, if not nil, is called for every packet that arrives. Its ID is the OpID of the send.
	Report func(engine.Delivery)
	// Progress, if not nil, is called from time to time with the number of operations that have
	// ended, and of all.
	Progress func(done, of int)
}

// Defaults of Settings.
const (
	DefaultFlitBytes = 16
	DefaultPacket    = 8
	DefaultGHz       = 1.0
	mostGHz          = 1000
	mostFlits        = 1 << 14
	lastClock        = 1 << 60
)

func (s *Settings) fill() {
	if s.FlitBytes == 0 {
		s.FlitBytes = DefaultFlitBytes
	}
	if s.Packet == 0 {
		s.Packet = DefaultPacket
	}
	if s.GHz == 0 {
		s.GHz = DefaultGHz
	}
	s.Engine.Seed, s.Engine.MaxFlits = s.Seed, s.Packet
}

func (s *Settings) check(g *Graph, n *model.Network) error {
	switch {
	case s.FlitBytes < 1 || s.FlitBytes > 1<<20:
		return fmt.Errorf("workload: flits of %d bytes, allowed are 1 to %d", s.FlitBytes, 1<<20)
	case s.Packet < 1 || s.Packet > mostFlits:
		return fmt.Errorf("workload: packets of %d flits, allowed are 1 to %d", s.Packet, mostFlits)
	case !(s.GHz > 0 && s.GHz <= mostGHz):
		return fmt.Errorf("workload: %v clocks in a nanosecond, allowed are more than 0 and up to %d", s.GHz, mostGHz)
	case s.Engine.Gate != nil || s.Engine.Throttle != nil:
		return errors.New("workload: gates and throttling do not apply to workloads")
	case s.Engine.Messages != nil:
		return errors.New("workload: messages that cause others do not apply to workloads, whose operations depend on each other")
	case s.Hosts == nil && g.Ranks > n.NumHosts():
		return fmt.Errorf("workload: %d ranks on %d hosts", g.Ranks, n.NumHosts())
	case s.Hosts != nil && len(s.Hosts) != g.Ranks:
		return fmt.Errorf("workload: hosts of %d ranks, the workload has %d", len(s.Hosts), g.Ranks)
	}
	for r, h := range s.Hosts {
		if int(h) < 0 || int(h) >= n.NumHosts() {
			return fmt.Errorf("workload: rank %d at host %d, hosts are 0 to %d", r, h, n.NumHosts()-1)
		}
	}
	return nil
}

// opState is what has happened to an operation. Times are -1 before they are known.
type opState struct {
	start, end engine.Clock // of a send, end is the time at which it has left its host
	first      engine.Clock // of a send: the clock in which its first flit left the host
	arrived    engine.Clock // of a send: the time at which its last flit has arrived
	packets    int64        // of a send: packets that have not arrived
	cause      OpID         // the operation that let this one start, or NoOp
	partner    OpID         // the send of a receive, the receive of a send
	needs      int32        // dependencies that are open
}

// runner is a run.
type runner struct {
	g     *Graph
	s     Settings
	sim   *engine.Sim
	hosts []model.HostID // by rank
	ops   []opState
	ready []OpID // operations that may start now
	cpus  [][]processor
	match matcher
	sends senders
	times timers
	now   engine.Clock
	open  int   // operations that have not ended
	away  int   // messages that have started and not arrived
	err   error // ends the run
}

// Run simulates a workload on the network of r. It fails for settings that do not fit, for a pair
// of hosts without a route, and for a workload that waits for itself. The same settings give the
// same result. A deadlock of the network ends the run and is in the result.
func Run(ctx context.Context, r model.Relation, g *Graph, s Settings) (*Result, error) {
	s.fill()
	if err := s.check(g, r.Network()); err != nil {
		return nil, err
	}
	x, err := newRunner(r, g, s)
	if err != nil {
		return nil, err
	}
	deadlock, err := x.run(ctx)
	if err != nil {
		return nil, err
	}
	return x.result(deadlock), nil
}

func newRunner(r model.Relation, g *Graph, s Settings) (*runner, error) {
	x := &runner{g: g, s: s, hosts: s.Hosts, ops: make([]opState, len(g.Ops)), cpus: make([][]processor, g.Ranks), open: len(g.Ops)}
	if x.hosts == nil {
		for rank := range g.Ranks {
			x.hosts = append(x.hosts, model.HostID(rank))
		}
	}
	for i := range x.ops {
		x.ops[i] = opState{start: -1, end: -1, first: -1, arrived: -1, cause: NoOp, partner: NoOp, needs: g.needs[i]}
	}
	x.match = newMatcher(g)
	if err := x.newSenders(r); err != nil {
		return nil, err
	}
	var err error
	x.sim, err = engine.New(r, &x.sends, s.Engine, x.deliver)
	x.sends.sim = x.sim
	return x, err
}

// run runs until all operations have ended and all messages have arrived, or the clocks are over.
func (x *runner) run(ctx context.Context) (*engine.Deadlock, error) {
	for i := range x.ops {
		if x.ops[i].needs == 0 {
			x.ready = append(x.ready, OpID(i))
		}
	}
	for rounds := 0; ; {
		x.now = x.sim.Now()
		x.settle()
		switch {
		case x.err != nil:
			return nil, x.err
		case x.open == 0 && x.away == 0:
			return nil, nil
		case x.s.Clocks > 0 && x.now >= x.s.Clocks:
			return x.sim.Look(ctx)
		case x.away == 0 && len(x.times) == 0:
			return nil, x.stuck()
		}
		if d, err := x.advance(ctx); d != nil || err != nil {
			return d, err
		}
		if rounds++; x.s.Progress != nil && rounds%1024 == 0 {
			x.s.Progress(len(x.ops)-x.open, len(x.ops))
		}
	}
}

// settle lets operations end and start until nothing more happens at this time.
func (x *runner) settle() {
	for len(x.times) > 0 && x.times[0].at <= x.now {
		if op := x.times.pop().op; x.g.Ops[op].Kind == Send {
			x.leave(op)
			x.arrive(op)
		} else {
			x.finish(op)
		}
	}
	for _, op := range x.sends.takeLeft() {
		x.leave(op)
	}
	for _, op := range x.sends.takeArrived() {
		x.arrive(op)
	}
	for i := 0; i < len(x.ready); i++ {
		x.begin(x.ready[i])
	}
	x.ready = x.ready[:0]
}

// advance simulates until an event, a timer or the end of the clocks. It skips an empty network.
func (x *runner) advance(ctx context.Context) (*engine.Deadlock, error) {
	until := engine.Clock(math.MaxInt64)
	if len(x.times) > 0 {
		until = x.times[0].at
	}
	if x.s.Clocks > 0 {
		until = min(until, x.s.Clocks)
	}
	if x.away == 0 && !x.s.Check && !x.s.Simulate && x.sim.Skip(until) {
		return nil, ctx.Err()
	}
	for first := true; first || x.sim.Now() < until && !x.sends.events() && x.away > 0; first = false {
		if x.s.Check {
			if errs := x.sim.Check(); len(errs) > 0 {
				return nil, fmt.Errorf("internal error: %w", errs[0])
			}
		}
		if d, err := x.sim.Advance(ctx, 1); d != nil || err != nil {
			return d, err
		}
	}
	if k := x.sim.Dropped(); k > 0 {
		return nil, fmt.Errorf("workload: %d packets dropped by clock %d: the routing has no next hop for them", k, x.sim.Now())
	}
	return nil, nil
}

// clocks returns the clocks that a time in nanoseconds takes, rounded up.
func (s *Settings) clocks(ns int64) engine.Clock {
	c := float64(ns) * s.GHz
	if r := math.Round(c); math.Abs(c-r) < 1e-9*max(1, c) {
		return engine.Clock(r)
	}
	return engine.Clock(math.Ceil(c))
}
