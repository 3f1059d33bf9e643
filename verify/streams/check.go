package streams

import (
	"context"
	"errors"
	"fmt"

	"github.com/turnproof/turnproof/model/streams"
	"github.com/turnproof/turnproof/verify"
)

// This file searches all schedules.

// Options bound the search.
type Options struct {
	States int // most settled states that are looked at; 0: DefaultStates
}

// DefaultStates is the most states that a search looks at.
const DefaultStates = 1_000_000

// Result is what is known of a problem.
type Result struct {
	Verdict verify.Verdict
	Reason  string // of an undecided problem
	States  int    // settled states that were looked at
	// Schedule is the list of choices that leads to the state in which nothing can happen, if the problem is refuted.
	Schedule []Choice
	Stuck    []Wait // what the agents and packets of that state wait for
	Required []int  // the required agents that have not ended there
}

// Choice says who gets an object. Object is a resource, or the number of resources plus a counter. Place is the buffer that the
// packet comes from, or the number of resources plus the agent that sends the packet or acquires the counter.
type Choice struct{ Object, Place int }

// frame is a state on the path of the search, with the choices that are still to be tried.
type frame struct {
	s      *state
	key    string
	todo   []choice
	chosen Choice
}

// search is a depth-first search over settled states.
type search struct {
	m    *machine
	path []frame
	seen map[string]bool // true while the state is on the path
	most int
}

// Check decides whether the problem can hang. Its error is that of ctx, or of a problem that is not valid.
func Check(ctx context.Context, p *streams.Problem, o Options) (*Result, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	if o.States == 0 {
		o.States = DefaultStates
	}
	q := &search{m: newMachine(p), seen: map[string]bool{}, most: o.States}
	r, err := q.run(ctx)
	if r != nil {
		r.States = len(q.seen)
	}
	return r, err
}

// errMany ends a search at the limit of states.
var errMany = errors.New("too many states")

func (q *search) run(ctx context.Context) (*Result, error) {
	hung, err := q.push(q.m.initial(), Choice{})
	for err == nil && !hung && len(q.path) > 0 {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		top := &q.path[len(q.path)-1]
		if len(top.todo) == 0 {
			q.seen[top.key] = false
			q.path = q.path[:len(q.path)-1]
			continue
		}
		c := top.todo[0]
		top.todo = top.todo[1:]
		next := top.s.clone()
		again, _ := q.m.choiceAt(next, c.object, c.place)
		q.m.apply(next, again)
		hung, err = q.push(next, Choice{c.object, c.place})
	}
	switch {
	case errors.Is(err, errMany):
		return &Result{Verdict: verify.Undecided, Reason: fmt.Sprintf("more than %d states", q.most)}, nil
	case err != nil:
		return &Result{Verdict: verify.Undecided, Reason: err.Error()}, nil
	case hung:
		return q.refuted(), nil
	}
	return &Result{Verdict: verify.Proved}, nil
}

// push settles a state and puts it on the path, unless it is known. It returns true if nothing can happen in it and a
// required agent has not ended.
func (q *search) push(s *state, chosen Choice) (hung bool, err error) {
	if err := q.m.settle(s); err != nil {
		return false, err
	}
	key := s.key()
	if onPath, known := q.seen[key]; known {
		if onPath {
			return false, errEndless
		}
		return false, nil
	}
	if len(q.seen) == q.most {
		return false, errMany
	}
	q.seen[key] = true
	var list []choice
	wants := len(q.m.unfinished(s)) > 0
	if wants { // else no continuation hangs
		list = q.m.choices(s)
	}
	q.path = append(q.path, frame{s, key, q.m.enough(s, list), chosen})
	return len(list) == 0 && wants, nil
}

// unfinished returns the required agents that have not ended.
func (m *machine) unfinished(s *state) (list []int) {
	for a, at := range s.at {
		if m.p.Agents[a].Required && at < len(m.p.Agents[a].Program) {
			list = append(list, a)
		}
	}
	return list
}

func (q *search) refuted() *Result {
	r := &Result{Verdict: verify.Refuted}
	for _, f := range q.path[1:] {
		r.Schedule = append(r.Schedule, f.chosen)
	}
	last := q.path[len(q.path)-1].s
	r.Stuck, r.Required = q.m.waits(last), q.m.unfinished(last)
	return r
}
