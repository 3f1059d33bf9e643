package priorities

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/synth/sat"
)

// This file finds the fewest priorities, and the fewest rules for them.

// Options are the options of Find.
type Options struct {
	Most int           // largest number of priorities; 0: no limit
	Time time.Duration // limit of the search
}

// Rule says that the frames with priority From that make a turn get priority To.
type Rule struct {
	Turn
	From, To int
}

// Found is the result of Find.
type Found struct {
	Priorities int // that are enough, with Rules
	Bound      int // that are needed at least, for any rules
	Rules      []Rule
	RuleBound  int // rules that are needed at least with as many priorities; 0: not known
	Bounces    int // priorities that the rules of Tagger need, or 0 if the network has no levels
	x          *solution
	r          *Routes
}

// ErrMost says that no rules with the permitted number of priorities were found.
var ErrMost = errors.New("no rules with so few priorities found")

// Find finds the fewest priorities that free the routes of deadlock, and the fewest rules. Both are proved to be the fewest if equal to
// their bounds. The priorities come first; the search for the rules takes the rest of the time.
func Find(ctx context.Context, r *Routes, o Options) (*Found, error) {
	until := time.Now().Add(o.Time)
	f := &Found{Bound: 1, r: r}
	if b := r.bounces(); b != nil {
		if s, _ := r.judge(raised(b, len(r.Turns), mostPriorities)); s != nil {
			f.Bounces = s.k
		}
	}
	best, _ := r.judge(newRules(len(r.Turns), 1))
	if best == nil {
		f.Bound = 2
		best = r.greedy(ctx, until)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	for best != nil && f.Bound < best.k && r.fits(f.Bound) {
		s, result := r.newFormula(f.Bound).any(ctx, time.Now().Add(time.Until(until)/2))
		if result == sat.Unknown {
			break
		}
		if s != nil {
			best = s
			break
		}
		f.Bound++
	}
	if best == nil || o.Most > 0 && best.k > o.Most {
		return f, ErrMost
	}
	f.fewestRules(ctx, r, best, until)
	return f, ctx.Err()
}

// fewestRules searches for fewer rules with as many priorities.
func (f *Found) fewestRules(ctx context.Context, r *Routes, best *solution, until time.Time) {
	if best.k > 1 && r.fits(best.k) {
		s, bound := r.newFormula(best.k).fewest(ctx, until, best.count)
		if f.RuleBound = min(bound, best.count); s != nil && s.count < best.count {
			best = s
		}
	}
	f.x, f.Priorities = best, best.k
	for _, u := range best.changes() {
		f.Rules = append(f.Rules, Rule{r.Turns[u.turn], int(u.p), best.at(u.turn, int(u.p))})
	}
	slices.SortFunc(f.Rules, func(a, b Rule) int {
		return cmp.Or(cmp.Compare(a.Switch, b.Switch), cmp.Compare(a.In, b.In), cmp.Compare(a.Out, b.Out), cmp.Compare(a.From, b.From))
	})
}

// After returns the priority of frames after a turn.
func (f *Found) After(t Turn, p int) int {
	if i, ok := f.r.turn.find(t); ok && p < f.x.k {
		return f.x.at(i, p)
	}
	return p
}

// Uses reports whether frames with a priority make a turn.
func (f *Found) Uses(t Turn, p int) bool {
	i, ok := f.r.turn.find(t)
	return ok && f.x.used.has(use{i, int8(p)})
}

// Circle returns a circle of channels that wait for each other in one priority, or nil if there is none.
func (r *Routes) Circle() (list []model.ChannelID) {
	_, circles := r.judge(newRules(len(r.Turns), 1))
	if len(circles) == 0 {
		return nil
	}
	for _, u := range circles[0] {
		list = append(list, r.Turns[u.turn].In)
	}
	return list
}
