package reroute

import (
	"context"
	"fmt"
	"io"

	"github.com/turnproof/turnproof/cmd/turnproof/confirm/changes"
	"github.com/turnproof/turnproof/engine/changeover"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/synth/reroute"
)

// This file lets the simulator try what was decided.

// simulation is what the simulator did with one of the answers.
type simulation struct {
	of string // mixture, or the name of steps as in the names of files
	*changeover.Result
}

// simulate lets the simulator try each answer. It fails if a network freezes that was proved not to.
func (r *result) simulate(ctx context.Context, runs int, seed uint64) error {
	if r.LanesDiffer() {
		return fmt.Errorf("--simulate: the SL-to-VL tables of %s and %s differ, and the simulator does not change them", r.Names[0], r.Names[1])
	}
	o := changeover.Options{Switching: r.Switching(), Facts: r.Rep[1].Facts(), Runs: runs, Seed: seed}
	res, err := changes.Mixture(ctx, r.Any, r.mixture, o)
	if err != nil {
		return err
	}
	r.simulations = append(r.simulations, simulation{"mixture", res})
	for _, x := range r.allSteps() {
		if len(x.steps) == 0 {
			continue
		}
		if res, err = changes.Steps(ctx, x.change, x.part, x.steps, o); err != nil {
			return fmt.Errorf("%s: %w", x.name, err)
		}
		r.simulations = append(r.simulations, simulation{x.name, res})
	}
	return nil
}

// allSteps returns all steps that were proved.
func (r *result) allSteps() (list []namedSteps) {
	if r.order.Answer == reroute.Found {
		list = append(list, namedSteps{"step", r.Any, r.part, r.order.Steps})
	}
	if r.ways != nil {
		list = append(list, r.ways.steps(r.Any)...)
	}
	return list
}

// printSimulations prints what the simulator did.
func (r *result) printSimulations(w io.Writer) {
	for _, s := range r.simulations {
		what := map[string]string{"mixture": "in any order", "step": "this order", "stop": "with stopped destinations", "via-1": "to the tables between",
			"via-2": "from the tables between", "lane": "on a lane of its own"}[s.of]
		if s.Deadlock == nil {
			fmt.Fprintf(w, "SIMULATED %s: %s of %s clocks together, none froze\n", what, wording.Count(s.Runs, "run", "s"), wording.Thousands(int64(s.Clocks)))
			continue
		}
		fmt.Fprintf(w, "SIMULATED %s: in run %d the network froze in clock %s, %s can never move (%s)\n", what, s.Runs,
			wording.Thousands(int64(s.Deadlock.Clock)), wording.Count(len(s.Deadlock.Packets), "packet", "s"), s.How)
	}
}

// simulationJSON is what the simulator did with one of the answers.
type simulationJSON struct {
	Of      string `json:"of"`
	Runs    int    `json:"runs"`
	Clocks  int64  `json:"clocks"`
	Frozen  bool   `json:"frozen"`
	How     string `json:"how"`
	Clock   *int64 `json:"clock"`   // of the last run in which the network froze, or null
	Packets int    `json:"packets"` // that can never move
}

func (r *result) simulationsJSON() []simulationJSON {
	out := []simulationJSON{}
	for _, s := range r.simulations {
		x := simulationJSON{Of: s.of, Runs: s.Runs, Clocks: int64(s.Clocks), Frozen: s.Deadlock != nil, How: s.How}
		if s.Deadlock != nil {
			at := int64(s.Deadlock.Clock)
			x.Clock, x.Packets = &at, len(s.Deadlock.Packets)
		}
		out = append(out, x)
	}
	return out
}
