package streams

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"github.com/turnproof/turnproof/model/streams"
	"github.com/turnproof/turnproof/verify"
)

// This file searches all schedules.

// Options bound the search.
type Options struct {
	States int           // most settled states that are looked at; 0: DefaultStates
	Time   time.Duration // of the search; 0: no limit
	Memory int64         // bytes of the search, estimated; 0: no limit
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
	key    digest
	todo   []choice
	chosen Choice
}

// search is a depth-first search over settled states.
type search struct {
	m    *machine
	path []frame
	seen map[digest]bool // true while the state is on the path
	o    Options
	// bytes estimates the memory of the path.
	bytes int64
}

// digest stands for a state. Two states with the same digest would be taken for one; the checker compares by another digest.
type digest [16]byte

// Check decides whether the problem can hang. Its error is that of ctx, or of a problem that is not valid.
func Check(ctx context.Context, p *streams.Problem, o Options) (*Result, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	if o.States == 0 {
		o.States = DefaultStates
	}
	q := &search{m: newMachine(p), seen: map[digest]bool{}, o: o}
	limited := ctx
	if o.Time > 0 {
		var stop context.CancelFunc
		limited, stop = context.WithTimeout(ctx, o.Time)
		defer stop()
	}
	r, err := q.run(limited)
	if ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		r, err = &Result{Verdict: verify.Undecided, Reason: fmt.Sprintf("more than %v", o.Time)}, nil
	}
	if r != nil {
		r.States = len(q.seen)
	}
	return r, err
}

// The errors that end a search at a limit.
var (
	errMany = errors.New("too many states")
	errBig  = errors.New("too much memory")
)

func (q *search) run(ctx context.Context) (*Result, error) {
	hung, err := q.push(ctx, q.m.initial(), Choice{})
	for err == nil && !hung && len(q.path) > 0 {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		top := &q.path[len(q.path)-1]
		if len(top.todo) == 0 {
			q.seen[top.key] = false
			q.bytes -= q.m.size(top.s)
			q.path = q.path[:len(q.path)-1]
			continue
		}
		c := top.todo[0]
		top.todo = top.todo[1:]
		next := top.s.clone()
		again, _ := q.m.choiceAt(next, c.object, c.place)
		q.m.apply(next, again)
		hung, err = q.push(ctx, next, Choice{c.object, c.place})
	}
	switch {
	case errors.Is(err, errMany):
		return &Result{Verdict: verify.Undecided, Reason: fmt.Sprintf("more than %d states", q.o.States)}, nil
	case errors.Is(err, errBig):
		return &Result{Verdict: verify.Undecided, Reason: fmt.Sprintf("more than %d bytes", q.o.Memory)}, nil
	case err != nil && ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return &Result{Verdict: verify.Undecided, Reason: err.Error()}, nil
	case hung:
		return q.refuted(), nil
	}
	return &Result{Verdict: verify.Proved}, nil
}

// seenBytes is about what a known state costs.
const seenBytes = 64

// size estimates the bytes of a state on the path.
func (m *machine) size(s *state) int64 {
	n := 8*(2*len(s.at)+len(s.rounds)+len(s.value)) + 48*len(s.holder)
	for _, r := range m.routes {
		n += 16 * len(r.nodes) // about as many packets as routes
	}
	return int64(n + 128*len(m.routes))
}

// push settles a state and puts it on the path, unless it is known. It returns true if nothing can happen in it and a
// required agent has not ended.
func (q *search) push(ctx context.Context, s *state, chosen Choice) (hung bool, err error) {
	if err := q.m.settle(ctx, s); err != nil {
		return false, err
	}
	sum := sha256.Sum256([]byte(s.key()))
	key := digest(sum[:16])
	if onPath, known := q.seen[key]; known {
		if onPath {
			return false, errEndless
		}
		return false, nil
	}
	if len(q.seen) == q.o.States {
		return false, errMany
	}
	if q.bytes += q.m.size(s); q.o.Memory > 0 && q.bytes+int64(len(q.seen))*seenBytes > q.o.Memory {
		return false, errBig
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
