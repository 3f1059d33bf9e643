// Package simulated lets the simulator perform changes of routings under load, for experiments that judge them: what is refuted freezes, and
// what is proved does not.
package simulated

import (
	"context"
	"fmt"

	confirm "github.com/turnproof/turnproof/cmd/turnproof/confirm/changes"
	"github.com/turnproof/turnproof/engine/changeover"
	"github.com/turnproof/turnproof/synth/reroute"
	"github.com/turnproof/turnproof/verify/transition"
)

// Change is a change of tables, or of relations.
type Change interface {
	confirm.Change
	reroute.Change
	MixtureOf(ctx context.Context, part transition.Part, drained bool) (*transition.Mixture, error)
}

// Changes simulates mixtures in service, and the orders that exist. It returns how many changes it simulated, and how many refuted ones did not
// freeze. It fails if a proved one froze.
func Changes(ctx context.Context, c Change, seed uint64) (simulated, moving int, err error) {
	o := changeover.Options{Clocks: 2000, Seed: seed, Runs: 3}
	for _, part := range []transition.Part{transition.Entry, transition.Switch, transition.Destination} {
		m, err := c.MixtureOf(ctx, part, false)
		if err != nil {
			return simulated, moving, err
		}
		if m.Cycle != nil {
			o.Runs = 30
		}
		res, err := confirm.Mixture(ctx, c, m, o)
		if err != nil {
			return simulated, moving, fmt.Errorf("parts %s: %w", part, err)
		}
		if simulated++; m.Cycle != nil && res.Deadlock == nil {
			moving++
		}
	}
	o.Runs = 2
	for _, part := range []transition.Part{transition.Switch, transition.Destination} {
		for _, drained := range []bool{false, true} {
			r, err := reroute.Find(ctx, c, reroute.Options{Part: part, Drained: drained})
			if err != nil {
				return simulated, moving, err
			}
			if len(r.Steps) == 0 {
				continue
			}
			if _, err := confirm.Steps(ctx, c, part, r.Steps, o); err != nil {
				return simulated, moving, fmt.Errorf("%s, drained %v: %w", part, drained, err)
			}
			simulated++
		}
	}
	return simulated, moving, nil
}
