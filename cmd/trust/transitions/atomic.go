package transitions

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/transition"
)

// This file judges mixtures in which larger parts change at once, or packets never meet two states.

// mostEntries is the largest number of entries that differ of which all sets are visited.
const mostEntries = 7

// judgeAtomic compares the mixtures of all parts, drained and not.
func (t *tally) judgeAtomic(ctx context.Context, w *world, c *transition.Change) error {
	for _, part := range []transition.Part{transition.Entry, transition.Switch, transition.Destination} {
		for _, drained := range []bool{false, true} {
			if !drained && part != transition.Destination {
				continue // judged before
			}
			cyclic, loops, ok := w.atomic(part, drained)
			if !ok {
				continue
			}
			m, err := c.MixtureOf(ctx, part, drained)
			if err != nil {
				return err
			}
			if m.Undecided != "" || (m.Cycle != nil) != cyclic || strings.Trim(fmt.Sprint(m.Loops), "[]") != strings.Trim(fmt.Sprint(loops), "[]") {
				return fmt.Errorf("parts %s, drained %v: cycle %v, loops to %v (%s); all interleavings: %v, %v", part, drained, m.Cycle, m.Loops, m.Undecided,
					cyclic, loops)
			}
			if _, err := c.MixtureCertificate(m, transition.About{Switching: model.CutThrough}); err != nil {
				return fmt.Errorf("parts %s, drained %v: %w", part, drained, err)
			}
			if t.atomic++; drained && !cyclic {
				if err := t.forge(ctx, c, part); err != nil {
					return fmt.Errorf("parts %s: %w", part, err)
				}
			}
		}
	}
	return nil
}

// forge lets the checker judge the cycle of packets that meet two states of the tables as one of packets that do not. No set of changed
// parts has a cycle, so it must be rejected.
func (t *tally) forge(ctx context.Context, c *transition.Change, part transition.Part) error {
	m, err := c.MixtureOf(ctx, part, false)
	if err != nil || m.Cycle == nil {
		return err
	}
	made, err := c.MixtureCertificate(m, transition.About{Switching: model.CutThrough})
	if err != nil {
		return err
	}
	made.Subject.Transition.Drained = true
	if made.Claims = made.Claims[:1]; cert.Check(made) == nil {
		return errors.New("the checker accepts a cycle of packets that meet two states, though they meet one")
	}
	t.forged++
	return nil
}

// atomic decides a mixture by all interleavings, or by all sets if drained. ok is false if there are too many sets.
func (w *world) atomic(part transition.Part, drained bool) (cyclic bool, loops []int, ok bool) {
	looping := make([]bool, len(w.hosts))
	if !drained {
		var sets []map[dependency]bool
		for d := range w.hosts {
			x := w.walkAs(d, w.all(changes), true)
			sets, looping[d] = append(sets, x.deps), x.loops
		}
		cyclic = w.cyclic(sets...)
	} else {
		var each [][2]int // the entries that differ, and the part of each
		parts := map[int]int{}
		of := map[[2]int]int{}
		for d := range w.hosts {
			for u := range w.switches {
				if !w.differs(d, u) {
					continue
				}
				key := map[transition.Part]int{transition.Entry: d*10 + u, transition.Switch: u, transition.Destination: d}[part]
				if _, there := parts[key]; !there {
					parts[key] = len(parts)
				}
				each, of[[2]int{d, u}] = append(each, [2]int{d, u}), parts[key]
			}
		}
		if len(parts) > mostEntries {
			return false, nil, false
		}
		for set := range 1 << len(parts) {
			var deps []map[dependency]bool
			for d := range w.hosts {
				e := w.all(stays)
				for _, x := range each {
					if x[0] == d && set>>of[x]&1 != 0 {
						e[x[1]] = changed
					}
				}
				x := w.walk(d, e)
				deps, looping[d] = append(deps, x.deps), looping[d] || x.loops
			}
			cyclic = cyclic || w.cyclic(deps...)
		}
	}
	for d, l := range looping {
		if l {
			loops = append(loops, d)
		}
	}
	return cyclic, loops, true
}
