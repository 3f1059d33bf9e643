package priorities

import (
	"context"
	"time"

	"github.com/turnproof/turnproof/synth/sat"
)

// This file states as clauses that rules with k priorities leave no circle. Circles are excluded when they arise.
//
// Variables: a node has a priority; a turn takes a priority to another; frames with a priority make a turn. A model may give a node more
// priorities than frames have; excluded circles are of priorities that they have.
//
// Clauses:
//   - a turn takes each priority to one priority;
//   - the first node of a path has the priority to which its first turn takes 0;
//   - the next node has the priority to which the turn takes that of the node before;
//   - if a node has a priority, frames with it make each turn from it;
//   - for each circle that has arisen: frames do not make one of its turns with its priority, or the turn takes it elsewhere.
//
// Cost: O(nodes × k + steps × k²) clauses.

// mostClauses is the largest number of clauses.
const mostClauses = 4 << 20

type formula struct {
	r     *Routes
	k     int
	s     sat.Solver
	goes  [][]sat.Lit // by turn and p*k+q
	makes [][]sat.Lit // by turn and p
}

// fits reports whether the formula is not too large.
func (r *Routes) fits(k int) bool {
	size := len(r.Turns) * k * k * k
	for i := range r.flows {
		for _, list := range r.flows[i].next {
			size += len(list) * k * (k + 1)
		}
	}
	return size < mostClauses
}

func (r *Routes) newFormula(k int) *formula {
	f := &formula{r: r, k: k, s: sat.New(), goes: make([][]sat.Lit, len(r.Turns)), makes: make([][]sat.Lit, len(r.Turns))}
	for t := range r.Turns {
		f.goes[t], f.makes[t] = f.vars(k*k), f.vars(k)
		for p := range k {
			row := f.goes[t][p*k : p*k+k]
			f.s.Add(row...)
			sat.AtMostOne(f.s, row)
		}
	}
	for i := range r.flows {
		w := &r.flows[i]
		has := f.vars(len(w.channel) * k)
		for _, s := range w.starts {
			f.s.Add(f.makes[s.turn][0])
			f.step(s, 0, 0, has)
		}
		for node, list := range w.next {
			for _, s := range list {
				for p := range k {
					x := has[node*k+p]
					f.s.Add(-x, f.makes[s.turn][p])
					f.step(s, p, x, has)
				}
			}
		}
	}
	return f
}

func (f *formula) vars(n int) []sat.Lit {
	list := make([]sat.Lit, n)
	for i := range list {
		list[i] = f.s.Var()
	}
	return list
}

// step says where a turn takes frames of a node, whose literal is from; 0 stands for true.
func (f *formula) step(s step, p int, from sat.Lit, has []sat.Lit) {
	for q := range f.k {
		clause := []sat.Lit{-f.goes[s.turn][p*f.k+q], has[int(s.node)*f.k+q]}
		if from != 0 {
			clause = append(clause, -from)
		}
		f.s.Add(clause...)
	}
}

// read returns the rules of a model.
func (f *formula) read() *rules {
	x := newRules(len(f.r.Turns), f.k)
	for t := range f.goes {
		for p := range f.k {
			for q := range f.k {
				if p != q && f.s.True(f.goes[t][p*f.k+q]) {
					x.set(int32(t), p, q)
				}
			}
		}
	}
	return x
}

// exclude excludes circles of rules.
func (f *formula) exclude(x *rules, circles [][]use) {
	for _, c := range circles {
		var clause []sat.Lit
		for _, u := range c {
			p := int(u.p)
			clause = append(clause, -f.makes[u.turn][p], -f.goes[u.turn][p*f.k+x.at(u.turn, p)])
		}
		f.s.Add(clause...)
	}
}

// any searches for rules without circles. Unsat means that there are none with k priorities.
func (f *formula) any(ctx context.Context, until time.Time) (*solution, sat.Result) {
	for {
		left := time.Until(until)
		if left <= 0 || ctx.Err() != nil {
			return nil, sat.Unknown
		}
		if r := f.s.Solve(ctx, sat.Limit{Time: left}); r != sat.Sat {
			return nil, r
		}
		x := f.read()
		s, circles := f.r.judge(x)
		if s != nil {
			return s, sat.Sat
		}
		f.exclude(x, circles)
	}
}

// fewest searches for the fewest rules without circles. enough is the number of a known solution. bound is a lower bound.
func (f *formula) fewest(ctx context.Context, until time.Time, enough int) (best *solution, bound int) {
	few := sat.NewFewest(f.s)
	few.Feasible = true
	for t := range f.goes {
		for p := range f.k {
			few.Wish(f.goes[t][p*f.k+p])
		}
	}
	for {
		if few.Solve(ctx, until, enough) != sat.Sat {
			return nil, few.Bound()
		}
		x := f.read()
		s, circles := f.r.judge(x)
		if s != nil {
			return s, few.Bound()
		}
		f.exclude(x, circles)
	}
}
