package reroute

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/transition"
)

// Answer says whether an order exists.
type Answer string

// The answers.
const (
	Found   Answer = "found"
	None    Answer = "none"
	Unknown Answer = "unknown"
)

// Change is what the search asks about a change: *transition.Change, and *relations.Change of package verify/transition/relations.
type Change interface {
	Network() *model.Network
	NumDestinations() int
	// Destinations and Switches return those whose entries differ, ascending.
	Destinations() []model.DestID
	Switches() []model.SwitchID
	Differs(d model.DestID, u model.SwitchID) bool
	// Walk returns a function that returns dependencies. The function is not safe for concurrent use.
	Walk() transition.Walk
}

// Options says which order to look for.
type Options struct {
	Part    transition.Part // Destination or Switch
	Drained bool
	// Safe says that the mixture of both tables is safe. Then one step in service changes all parts.
	Safe bool
	// States limits the sets that are visited, if not 0. Defaults to 1,000,000.
	States int
	// Time limits the search, if not 0.
	Time time.Duration
}

const defaultStates = 1_000_000

// Result is an order, a proof that there is none, or neither.
type Result struct {
	Answer  Answer
	Steps   []transition.Step // if found
	Reason  string            // in words, if none or unknown
	Sets    [][]int32         // if none: the sets of changed parts that were visited, for the checker
	Blocked []int32           // if none: parts that block each other from the beginning, ascending, or nil
	Bound   *transition.Bound // if found, in service: a number of steps without which no order exists, or nil
	Visited int               // safe sets that were visited
	Changed []int32           // the parts whose entries differ
}

// space is what the search asks about the state of a change.
type space interface {
	// size returns the number of parts.
	size() int
	// safe reports whether the dependencies of the current state have no cycle. It is asked at the beginning and at the end only.
	safe() bool
	// order returns parts that have not changed, the most promising one first.
	order(done []bool) []int
	// change changes part i and reports whether that is safe. If not, it has no effect.
	change(i int) bool
	// undo takes back the last change of part i.
	undo(i int)
	// join lets part i change together with the parts that have joined since the last close. If that is not safe, it has no effect.
	join(i int) bool
	// close ends the step of all parts that have joined.
	close()
	// blocked returns parts of those that have not changed which block each other, or nil.
	blocked(done []bool) []int
	// ends reports whether the dependencies of the last state have no cycle.
	ends() bool
}

// Exact is a change that says whether each cycle of dependencies is one of packets that block each other.
type Exact interface {
	Change
	Exact(drained bool) bool
}

// Find looks for an order of single parts. If c is an Exact change whose cycles need not be deadlocks, the answer is never None, and there is
// no bound. Find fails only if ctx ends.
func Find(ctx context.Context, c Change, o Options) (*Result, error) {
	r, err := find(ctx, c, o)
	if x, ok := c.(Exact); ok && !x.Exact(o.Drained) {
		if r.Bound = nil; r.Answer == None {
			r.Answer, r.Sets, r.Blocked = Unknown, nil, nil
			r.Reason = "no order keeps the dependencies free of cycles (a packet without a next hop counts as one), " +
				"and packets that choose, or pass a switch twice, may be free of deadlock all the same"
		}
	}
	return r, err
}

// find is Find for changes whose cycles are deadlocks.
func find(ctx context.Context, c Change, o Options) (*Result, error) {
	r := &Result{}
	if o.Part == transition.Switch {
		for _, u := range c.Switches() {
			r.Changed = append(r.Changed, int32(u))
		}
	} else {
		for _, d := range c.Destinations() {
			r.Changed = append(r.Changed, int32(d))
		}
	}
	s := newSpace(c, r.Changed, o)
	switch {
	case !s.safe():
		r.Answer, r.Reason = None, "the old tables alone have a cycle of dependencies"
		return r, nil
	case !s.ends():
		r.Answer, r.Reason = None, "the new tables alone have a cycle of dependencies"
		return r, nil
	}
	if whole, ok := oneStep(r, o); ok {
		r.Answer, r.Steps = Found, whole
		return r, nil
	}
	if !o.Drained {
		if r.Steps = pack(c, r.Changed, o.Part); r.Steps != nil {
			r.Answer = Found
			r.shorten(c, o.Part)
			return r, ctx.Err()
		}
	}
	x := &search{ctx: ctx, space: s, result: r, done: make([]bool, s.size()), seen: map[string]bool{}, limit: o.States}
	if x.limit == 0 {
		x.limit = defaultStates
	}
	if o.Time > 0 {
		x.until = time.Now().Add(o.Time)
	}
	x.run()
	if r.Answer == Found {
		if r.Steps = single(r.Changed, x.order); !o.Drained {
			r.Steps = group(newSpace(c, r.Changed, o), r.Changed, x.order)
			r.shorten(c, o.Part)
		}
	}
	return r, ctx.Err()
}

// newSpace returns the space of the parts of o.
func newSpace(c Change, changed []int32, o Options) space {
	if o.Part == transition.Switch {
		return newSwitches(c, changed, o.Drained)
	}
	return newDestinations(c, changed, o.Drained)
}

// single returns drained steps of one part each.
func single(changed []int32, order []int) (steps []transition.Step) {
	for _, i := range order {
		steps = append(steps, transition.Step{Kind: transition.Drained, Parts: []int32{changed[i]}})
	}
	return steps
}

// oneStep returns the only step, or no step, if all parts may change in any order.
func oneStep(r *Result, o Options) ([]transition.Step, bool) {
	switch {
	case len(r.Changed) == 0:
		return nil, true
	case o.Safe:
		return []transition.Step{{Kind: transition.InService, Parts: r.Changed}}, true
	}
	return nil, false
}

// search visits sets depth first.
type search struct {
	ctx    context.Context
	space  space
	result *Result
	done   []bool // by part: has changed
	order  []int
	seen   map[string]bool
	sets   [][]int32
	limit  int
	until  time.Time
	late   string
}

// run searches from the empty set.
func (x *search) run() {
	r := x.result
	if list := x.space.blocked(x.done); len(list) > 0 {
		r.Answer, r.Sets, r.Visited = None, [][]int32{{}}, 1
		for _, i := range list {
			r.Blocked = append(r.Blocked, r.Changed[i])
		}
		r.Reason = fmt.Sprintf("%d of the %d parts block each other: each of them has to wait for another one", len(list), len(r.Changed))
		if len(list) == 1 {
			r.Reason = fmt.Sprintf("one of the %d parts cannot change, whatever changed before: its old and new entries together have a cycle", len(r.Changed))
		}
		return
	}
	found := x.visit()
	r.Visited = len(x.seen)
	switch {
	case found:
		r.Answer = Found
	case x.late != "":
		r.Answer, r.Reason = Unknown, x.late
	default:
		r.Answer, r.Sets = None, x.sets
		r.Reason = fmt.Sprintf("all %d sets of changed parts that can be reached were visited", len(x.sets))
	}
}

// key returns the current set as a map key.
func (x *search) key() string {
	b := make([]byte, (len(x.done)+7)/8)
	for i, done := range x.done {
		if done {
			b[i/8] |= 1 << (i % 8)
		}
	}
	return string(b)
}

// visit visits the current set and all sets that can be reached from it. It reports whether the last one was reached.
func (x *search) visit() bool {
	if len(x.order) == len(x.done) {
		return true
	}
	if x.seen[x.key()] = true; x.isLate() {
		return false
	}
	set := []int32{}
	for i, done := range x.done {
		if done {
			set = append(set, x.result.Changed[i])
		}
	}
	x.sets = append(x.sets, set)
	// A set after the first dead end may be hopeless. Before it, the test costs more than it saves.
	if len(x.order) > 0 && len(x.seen) > len(x.order)+1 && len(x.space.blocked(x.done)) > 0 {
		return false
	}
	for _, i := range x.space.order(x.done) {
		x.done[i] = true
		if x.seen[x.key()] || !x.space.change(i) {
			x.done[i] = false
			continue
		}
		x.order = append(x.order, i)
		if x.visit() {
			return true
		}
		x.order = x.order[:len(x.order)-1]
		x.space.undo(i)
		if x.done[i] = false; x.late != "" {
			return false
		}
	}
	return false
}

// isLate reports whether a limit is reached, and notes which.
func (x *search) isLate() bool {
	switch {
	case x.late != "":
	case x.ctx.Err() != nil:
		x.late = "interrupted"
	case len(x.seen) > x.limit:
		x.late = fmt.Sprintf("the search visited %d sets and found no order", x.limit)
	case !x.until.IsZero() && time.Now().After(x.until):
		x.late = fmt.Sprintf("the search visited %d sets within its time and found no order", len(x.seen))
	}
	return x.late != ""
}

// remaining returns the parts that have not changed.
func remaining(done []bool) (list []int) {
	for i, d := range done {
		if !d {
			list = append(list, i)
		}
	}
	return slices.Clip(list)
}
