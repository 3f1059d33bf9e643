package changeover

import (
	"math/rand/v2"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/replay"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/facts"
)

// Options are the options of simulations.
type Options struct {
	Switching model.Switching // defaults to cut-through
	Facts     *facts.Bound    // what is stated of packets and buffers, or nil: packets of 16 flits, buffers of one packet (wormhole: 4 flits)
	Waiting   model.Waiting   // for any next hop (default) or one (model.WaitOne)
	Keep      bool            // packets without a next hop keep their VC for ever, in place of being dropped
	Runs      int             // defaults to 20
	Clocks    engine.Clock    // of a run; defaults to 20,000
	Seed      uint64
}

// Result is what some runs showed.
type Result struct {
	Runs     int              // that were simulated
	Clocks   engine.Clock     // of all of them together
	How      string           // how the network froze: ByCycle, ByPairs or ByLoad
	Deadlock *engine.Deadlock // of the last run, or nil if no run froze
}

// Values of Result.How.
const (
	ByCycle = "the packets of the cycle, one after the other" // entries change between their moves
	ByPairs = "the pairs of the cycle under load"             // the cycle says which entries change early
	ByLoad  = "all hosts under load, entries change at random"
)

// defaults sets what is open.
func (o *Options) defaults() {
	if o.Switching == "" {
		o.Switching = model.CutThrough
	}
	if o.Waiting == "" {
		o.Waiting = model.WaitAny
	}
	if o.Runs == 0 {
		o.Runs = 20
	}
	if o.Clocks == 0 {
		o.Clocks = 20_000
	}
}

// engine returns the options of the simulator for a network.
func (o *Options) engine(n *model.Network, seed uint64) engine.Options {
	e := engine.Options{Timing: engine.Paper, Switching: o.Switching, Waiting: o.Waiting, MaxFlits: 16, BufferFlits: 16, Seed: seed}
	if o.Switching == model.Wormhole {
		e.BufferFlits, e.Atomic = 4, true
	}
	replay.Fit(o.Facts, n, &e)
	return e
}

// random returns the random numbers of a run.
func (o *Options) random(run int) *rand.Rand { return rand.New(rand.NewPCG(o.Seed, uint64(run))) }
