package reroute

import (
	"context"
	"slices"

	"github.com/turnproof/turnproof/verify/transition"
)

// This file finds few destinations whose packets have to stop, so that all others can change in service.
//
// The stopped destinations get no packets while the others change, and then packets by new entries. Each destination whose own mixed
// entries have a cycle must stop. Beyond these, the search stops one destination after the other when no other one can change: the one
// without which most others can. In the end it lets those go on that were not needed.

// Stops returns steps in which few destinations are stopped, all others change in service, and the stopped ones get packets again. The
// old and the new tables alone must have no cycle. It fails only if ctx ends.
func Stops(ctx context.Context, c Change) ([]transition.Step, error) {
	var changed []int32
	for _, d := range c.Destinations() {
		changed = append(changed, int32(d))
	}
	x := &stopping{s: newDestinations(c, changed, false)}
	if !x.s.safe() || !x.s.ends() {
		return nil, nil
	}
	x.out = make([]bool, x.s.size())
	for i := range x.out {
		x.out[i] = !x.alone(i)
	}
	for !x.pack() {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		x.out[x.worst()] = true
	}
	for i := len(x.out) - 1; i >= 0; i-- { // those that were not needed
		if !x.out[i] || !x.alone(i) {
			continue
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if x.out[i] = false; !x.pack() {
			x.out[i] = true
		}
	}
	x.pack()
	return x.steps(changed), nil
}

// stopping is a search for destinations to stop.
type stopping struct {
	s    *destinations
	out  []bool  // by part: stopped
	plan [][]int // the steps of the last pack
	rest []int   // the parts that the last pack could not change
}

// alone reports whether part i can change while all others are stopped.
func (x *stopping) alone(i int) bool {
	g := x.s.relaxed
	g.mustAdd(x.s.kept)
	ok := g.add(x.s.mix[i])
	if ok {
		g.remove(x.s.mix[i])
	}
	g.remove(x.s.kept)
	return ok
}

// pack reports whether all parts that are not stopped can change, one step after the other.
func (x *stopping) pack() bool {
	g := x.s.relaxed
	x.plan, x.rest = nil, nil
	there := [][]int32{x.s.kept}
	for i, list := range x.s.old {
		if !x.out[i] {
			there, x.rest = append(there, list), append(x.rest, i)
		}
	}
	for _, list := range there {
		g.mustAdd(list)
	}
	var after []int
	for moved := true; moved && len(x.rest) > 0; {
		var step, stay []int
		for _, i := range x.rest {
			if g.add(x.s.mix[i]) {
				step = append(step, i)
			} else {
				stay = append(stay, i)
			}
		}
		for _, i := range step {
			g.mustAdd(x.s.now[i])
			g.remove(x.s.mix[i])
			g.remove(x.s.old[i])
		}
		if moved = len(step) > 0; moved {
			x.plan = append(x.plan, step)
		}
		after, x.rest = append(after, step...), stay
	}
	g.remove(x.s.kept)
	for _, i := range after {
		g.remove(x.s.now[i])
	}
	for _, i := range x.rest {
		g.remove(x.s.old[i])
	}
	return len(x.rest) == 0
}

// worst returns the part of the rest without which most others of the rest can change next.
func (x *stopping) worst() int {
	g := x.s.relaxed
	lists := [][]int32{x.s.kept}
	for i := range x.out {
		switch {
		case x.out[i]:
		case slices.Contains(x.rest, i):
			lists = append(lists, x.s.old[i])
		default:
			lists = append(lists, x.s.now[i])
		}
	}
	for _, list := range lists {
		g.mustAdd(list)
	}
	best, most := x.rest[0], -1
	for _, i := range x.rest {
		g.remove(x.s.old[i])
		free := 0
		for _, j := range x.rest {
			if i != j && g.add(x.s.mix[j]) {
				g.remove(x.s.mix[j])
				free++
			}
		}
		g.mustAdd(x.s.old[i])
		if free > most {
			best, most = i, free
		}
	}
	for _, list := range lists {
		g.remove(list)
	}
	return best
}

// steps returns the last plan as steps.
func (x *stopping) steps(changed []int32) (steps []transition.Step) {
	var stopped []int32
	for i, out := range x.out {
		if out {
			stopped = append(stopped, changed[i])
		}
	}
	if len(stopped) > 0 {
		steps = append(steps, transition.Step{Kind: transition.Stop, Parts: stopped})
	}
	for _, step := range x.plan {
		s := transition.Step{Kind: transition.InService}
		for _, i := range step {
			s.Parts = append(s.Parts, changed[i])
		}
		slices.Sort(s.Parts)
		steps = append(steps, s)
	}
	if len(stopped) > 0 {
		steps = append(steps, transition.Step{Kind: transition.Resume, Parts: stopped})
	}
	return steps
}
