package transitions

import (
	"context"
	"fmt"
	"math/bits"
	"time"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/synth/reroute"
	"github.com/turnproof/turnproof/verify/transition"
)

// This file decides by all sets how few destinations have to stop so that all others change in service.

// judgeStops judges steps in which destinations stop, where both tables alone have no cycle.
func (t *tally) judgeStops(ctx context.Context, w *world, c *transition.Change) error {
	last := 0
	for _, p := range w.parts(false) {
		last |= 1 << p
	}
	if last == 0 || !w.safe(false, false, 0, 0) || !w.safe(false, false, last, 0) {
		return nil
	}
	found, err := reroute.FewestStops(ctx, c, time.Minute)
	if err != nil {
		return err
	}
	var kinds []transition.Kind
	var sets []int
	stopped := 0
	for _, s := range found.Steps {
		kinds, sets = append(kinds, s.Kind), append(sets, setOf(s.Parts))
		if s.Kind == transition.Stop {
			t.stops++
			stopped += len(s.Parts)
		}
	}
	few := w.fewestStops(last)
	switch {
	case !w.stopsHold(kinds, sets):
		return fmt.Errorf("the steps %v with stopped destinations are not safe", found.Steps)
	case found.Count != stopped || few != stopped || few > 0 && (found.Bound == nil || found.Bound.Stops != few):
		return fmt.Errorf("%d destinations stop, bound %+v; all sets: %d", stopped, found.Bound, few)
	}
	about := transition.About{Switching: model.CutThrough}
	if _, err = c.StepsCertificate(transition.Destination, found.Steps, found.Bound, about); err != nil || few == 0 {
		return err
	}
	more := *found.Bound
	if more.Stops++; more.Stops <= bits.OnesCount(uint(last)) {
		if _, err := c.StepsCertificate(transition.Destination, found.Steps, &more, about); err == nil {
			return fmt.Errorf("the checker accepts that %d destinations have to stop; all sets: %d", more.Stops, few)
		}
	}
	return nil
}

// fewestStops returns the fewest destinations without whose packets all others of a set can change in service, one after the other.
func (w *world) fewestStops(last int) int {
	best := bits.OnesCount(uint(last))
	for stopped := range last + 1 {
		if n := bits.OnesCount(uint(stopped)); stopped&^last == 0 && n < best && w.orderWithout(stopped, last&^stopped) {
			best = n
		}
	}
	return best
}

// orderWithout reports whether the destinations of a set can change in service, one after the other, while others get no packets.
func (w *world) orderWithout(stopped, all int) bool {
	safe := func(done, more int) bool {
		var deps []map[dependency]bool
		for d, e := range w.values(false, done, more) {
			if stopped>>d&1 == 0 {
				deps = append(deps, w.walk(d, e).deps)
			}
		}
		return !w.cyclic(deps...)
	}
	reached, todo := map[int]bool{0: true}, []int{0}
	for ; len(todo) > 0; todo = todo[1:] {
		for p := range len(w.hosts) {
			next := todo[0] | 1<<p
			if all>>p&1 != 0 && !reached[next] && safe(todo[0], 1<<p) && safe(next, 0) {
				reached[next] = true
				todo = append(todo, next)
			}
		}
	}
	return reached[all]
}
