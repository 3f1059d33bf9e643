package trial

import (
	"context"

	"github.com/turnproof/turnproof/engine"
)

// This file shows a running simulation to watchers.

// Watcher sees a simulation while it runs, and cannot change its result.
type Watcher interface {
	// Next returns the clock before which to call Look.
	Next() engine.Clock
	// Look sees the state between two clocks. It is also called at the
	// end of the run.
	Look(s *engine.Sim)
	// Deliver receives each packet that arrives, in any order within a clock.
	Deliver(d engine.Delivery)
}

// advance simulates clocks and shows them to the watchers. Results do not depend on how Advance
// divides the clocks. Finite traffic without a limit on the clocks ends once all packets have
// arrived, so the watchers see no empty network after that.
func (s *Settings) advance(ctx context.Context, sim simulator, clocks engine.Clock, all int64, res *Result) (err error) {
	if len(s.Watchers) == 0 {
		res.Deadlock, err = sim.Advance(ctx, clocks)
		return err
	}
	over := func() bool { return s.Clocks == 0 && s.ended(sim) >= all }
	for end := sim.Now() + clocks; sim.Now() < end && res.Deadlock == nil && !over(); {
		next := end
		for _, w := range s.Watchers {
			next = min(next, max(w.Next(), sim.Now()+1))
		}
		if res.Deadlock, err = sim.Advance(ctx, next-sim.Now()); err != nil {
			return err
		}
		for _, w := range s.Watchers {
			if w.Next() <= sim.Now() {
				w.Look(sim.(*engine.Sim))
			}
		}
	}
	return nil
}
