package reroute

import (
	"context"
	"slices"
	"time"

	"github.com/turnproof/turnproof/verify/transition"
)

// This file finds the fewest destinations whose packets have to stop, with a proof that fewer are not enough.
//
// A group is destinations that cannot change in service in any order, even if all others stop. Each change stops one of each group. The
// search takes the fewest destinations that meet all groups which are known. If the others can change, these are the fewest; else
// it finds a group among the others. The number is a lower bound at any time. Groups are made small, and as many as possible without
// common destinations are found at once.
//
// Cost: a search for an order for each number of destinations that is tried, and the search for destinations that meet the groups, which
// is exponential in the worst case and is given up after mostBranches branches.

const (
	mostBranches = 1 << 19 // of a search for destinations that meet groups; the checker tries four times as many
	groupStates  = 2_000   // sets of a search for an order while a group is made smaller
	orderStates  = 20_000  // sets of a search for an order
)

// Stopped is steps in which destinations stop.
type Stopped struct {
	Steps []transition.Step
	// Count is the number of destinations that stop.
	Count int
	// Bound says that no fewer than Bound.Stops have to; nil if nothing is known.
	Bound *transition.Bound
}

// FewestStops returns steps as Stops does, with as few stopped destinations as it finds within a time, and a lower bound. The old and the
// new tables alone must have no cycle, else it returns nil. If c is an Exact change whose cycles need not be deadlocks, there is no bound. It
// fails only if ctx ends.
func FewestStops(ctx context.Context, c Change, limit time.Duration) (*Stopped, error) {
	steps, err := Stops(ctx, c)
	if err != nil || steps == nil {
		return nil, err
	}
	exact, ok := c.(Exact)
	x := &fewest{ctx: ctx, until: time.Now().Add(limit)}
	for _, d := range c.Destinations() {
		x.changed = append(x.changed, int32(d))
	}
	x.s = newDestinations(c, x.changed, false)
	best := &Stopped{Steps: steps}
	if steps[0].Kind == transition.Stop {
		best.Count = len(steps[0].Parts)
	}
	out := make([]bool, x.s.size())
	for i := range out {
		single := &stopping{s: x.s, out: out}
		if !single.alone(i) {
			x.add([]int{i}, [][]int{{}})
		}
	}
	x.more(nil) // groups of any destinations
	if least := x.run(best); least > 0 && !(ok && !exact.Exact(false)) {
		best.Bound = &transition.Bound{Stops: least, Groups: x.groups[:x.needed]}
	}
	return best, ctx.Err()
}

// fewest is a search for the fewest destinations to stop.
type fewest struct {
	ctx     context.Context
	s       *destinations
	changed []int32
	sets    [][]int // by group: its destinations as parts
	groups  []transition.Group
	needed  int // groups that prove the least number
	until   time.Time
}

// isLate reports whether the time is over.
func (x *fewest) isLate() bool { return x.ctx.Err() != nil || time.Now().After(x.until) }

// run improves best, and returns the least number of destinations that meet all groups.
func (x *fewest) run(best *Stopped) (least int) {
	for {
		chosen, ok := x.meet(least)
		for !ok && chosen == nil {
			if least == best.Count {
				return least // more are not needed
			}
			least, x.needed = least+1, len(x.groups)
			chosen, ok = x.meet(least)
		}
		if !ok { // the search was given up
			return least
		}
		if least >= best.Count || x.isLate() {
			return least
		}
		if steps := x.orderWithout(chosen); steps != nil {
			best.Steps, best.Count = steps, len(chosen)
			return least
		}
		if !x.more(chosen) {
			return least
		}
	}
}

// number returns parts as destinations.
func (x *fewest) number(parts []int) []int32 {
	list := make([]int32, len(parts))
	for i, p := range parts {
		list[i] = x.changed[p]
	}
	return list
}

// add adds a group, with the sets of its parts that have changed for the checker.
func (x *fewest) add(group []int, sets [][]int) {
	g := transition.Group{Parts: x.number(group)}
	for _, s := range sets {
		g.Sets = append(g.Sets, x.number(s))
	}
	x.sets, x.groups = append(x.sets, group), append(x.groups, g)
}

// rest returns the parts without some.
func (x *fewest) rest(without []int) (list []int) {
	for i := range x.changed {
		if !slices.Contains(without, i) {
			list = append(list, i)
		}
	}
	return list
}

// only returns the space of some parts, while all others are stopped.
func (x *fewest) only(parts []int) *destinations {
	s := &destinations{g: x.s.g.like(), kept: x.s.kept, isSafe: true}
	s.g.mustAdd(s.kept)
	for _, i := range parts {
		s.old, s.now, s.mix = append(s.old, x.s.old[i]), append(s.now, x.s.now[i]), append(s.mix, x.s.mix[i])
		s.g.mustAdd(x.s.old[i])
	}
	s.relaxed = s.g.like()
	return s
}

// orderWithout returns steps in which the given parts stop and all others change in service, or nil if it finds none.
func (x *fewest) orderWithout(stopped []int) (steps []transition.Step) {
	parts := x.rest(stopped)
	numbers := x.number(parts)
	steps = packOne(x.only(parts), numbers, nil)
	if steps == nil && len(parts) > 0 {
		r := x.search(parts, orderStates)
		if r.Answer != Found {
			return nil
		}
		steps = group(x.only(parts), numbers, r.order)
	}
	if len(stopped) == 0 {
		return steps
	}
	list := x.number(stopped)
	slices.Sort(list)
	return slices.Concat([]transition.Step{{Kind: transition.Stop, Parts: list}}, steps, []transition.Step{{Kind: transition.Resume, Parts: list}})
}

// searched is the end of a search for an order of some parts.
type searched struct {
	Result
	order []int   // if found
	sets  [][]int // if there is none
}

// search looks for an order of some parts while all others are stopped.
func (x *fewest) search(parts []int, states int) *searched {
	r := &searched{}
	for i := range parts {
		r.Changed = append(r.Changed, int32(i))
	}
	s := &search{ctx: x.ctx, space: x.only(parts), result: &r.Result, done: make([]bool, len(parts)), seen: map[string]bool{}, limit: states, until: x.until}
	s.run()
	r.order = s.order
	for _, set := range r.Sets {
		list := []int{}
		for _, i := range set {
			list = append(list, parts[i])
		}
		r.sets = append(r.sets, list)
	}
	return r
}

// more adds groups among the parts that are not stopped, one after the other without common parts. It reports whether it found one.
func (x *fewest) more(stopped []int) (found bool) {
	for parts := x.rest(stopped); len(parts) > 0 && !x.isLate(); {
		group, sets := x.groupOf(parts)
		if group == nil {
			return found
		}
		x.add(group, sets)
		found = true
		parts = slices.DeleteFunc(parts, func(i int) bool { return slices.Contains(group, i) })
	}
	return found
}

// groupOf returns a group of some parts and the sets that prove it, or nil if none is found.
func (x *fewest) groupOf(parts []int) (group []int, sets [][]int) {
	if list := x.only(parts).blocked(make([]bool, len(parts))); len(list) > 0 {
		for _, i := range list {
			group = append(group, parts[i])
		}
		return x.shrink(group, func(some []int) []int {
			var left []int
			for _, i := range x.only(some).blocked(make([]bool, len(some))) {
				left = append(left, some[i])
			}
			return left
		}), [][]int{{}}
	}
	r := x.search(parts, orderStates)
	if r.Answer != None {
		return nil, nil
	}
	group, sets = slices.Clone(parts), r.sets
	group = x.shrink(group, func(some []int) []int {
		r := x.search(some, groupStates)
		if r.Answer != None {
			return nil
		}
		sets = r.sets
		return some
	})
	return group, sets
}

// shrink removes parts of a group as long as what remains has a group, which smaller returns.
func (x *fewest) shrink(group []int, smaller func(some []int) []int) []int {
	for k := 0; k < len(group) && !x.isLate(); {
		some := slices.Delete(slices.Clone(group), k, k+1)
		left := []int(nil)
		if len(some) > 0 {
			left = smaller(some)
		}
		if len(left) == 0 {
			k++
			continue
		}
		group = left
		k = min(k, len(group))
	}
	return group
}

// meet returns at most k parts that meet all groups. If there are none it returns nil, false, and if it gives up an empty list and false.
func (x *fewest) meet(k int) ([]int, bool) {
	h := hitting{left: mostBranches}
	chosen, ok := h.meets(x.sets, k, nil)
	switch {
	case ok:
		return append([]int{}, chosen...), true
	case h.left < 0:
		return []int{}, false
	}
	return nil, false
}

// hitting searches parts that meet groups.
type hitting struct{ left int }

// meets returns at most k parts, none of them in without, that meet all groups. If left becomes negative, the search was given up.
func (h *hitting) meets(groups [][]int, k int, without []int) ([]int, bool) {
	if h.left--; h.left < 0 {
		return nil, false
	}
	if len(groups) == 0 {
		return nil, true
	}
	var small []int
	used, apart := map[int]bool{}, 0 // groups that have no part in common
	for _, g := range groups {
		g = slices.DeleteFunc(slices.Clone(g), func(i int) bool { return slices.Contains(without, i) })
		if small == nil || len(g) < len(small) {
			if small = g; len(g) == 0 {
				return nil, false
			}
		}
		if !slices.ContainsFunc(g, func(i int) bool { return used[i] }) {
			apart++
			for _, i := range g {
				used[i] = true
			}
		}
	}
	if apart > k {
		return nil, false
	}
	for i, p := range small {
		rest := slices.DeleteFunc(slices.Clone(groups), func(g []int) bool { return slices.Contains(g, p) })
		if chosen, ok := h.meets(rest, k-1, append(slices.Clone(without), small[:i]...)); ok || h.left < 0 {
			return append(chosen, p), ok
		}
	}
	return nil, false
}
