package transitions

import (
	"context"
	"fmt"

	confirm "github.com/turnproof/turnproof/cmd/turnproof/confirm/changes"
	"github.com/turnproof/turnproof/engine/changeover"
	"github.com/turnproof/turnproof/synth/reroute"
	"github.com/turnproof/turnproof/verify/transition"
)

// This file lets the simulator change the tables under load: what is refuted freezes, and what is proved does not.

// simulate simulates a mixture, and the orders that exist.
func (t *tally) simulate(ctx context.Context, c *transition.Change) error {
	o := changeover.Options{Clocks: 2000, Seed: uint64(t.cases), Runs: 3}
	for _, part := range []transition.Part{transition.Entry, transition.Switch, transition.Destination} {
		m, err := c.MixtureOf(ctx, part, false)
		if err != nil {
			return err
		}
		if m.Cycle != nil {
			o.Runs = 30
		}
		res, err := confirm.Mixture(ctx, c, m, o)
		if err != nil {
			return fmt.Errorf("parts %s: %w", part, err)
		}
		if t.simulated++; m.Cycle != nil && res.Deadlock == nil {
			t.moving++
		}
	}
	o.Runs = 2
	for _, part := range []transition.Part{transition.Switch, transition.Destination} {
		for _, drained := range []bool{false, true} {
			r, err := reroute.Find(ctx, c, reroute.Options{Part: part, Drained: drained})
			if err != nil {
				return err
			}
			if len(r.Steps) == 0 {
				continue
			}
			if _, err := confirm.Steps(ctx, c, part, r.Steps, o); err != nil {
				return fmt.Errorf("%s, drained %v: %w", part, drained, err)
			}
			t.simulated++
		}
	}
	return nil
}
