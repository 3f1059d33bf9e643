package minimum

import (
	"context"
	"slices"
	"time"

	"github.com/turnproof/turnproof/synth/sat"
)

// This file asks another solver the same question as decide.go, whether k turns are enough, to be
// compared with. It answers without a proof, so what it refutes is no bound that is certified.
//
// Variables and clauses: one for each decision; a counter of those that are true; cycles and cuts as
// models are found that break them.

// ask asks a solver for ranks of a set with at most most turns prohibited.
func (x *instance) ask(ctx context.Context, s sat.Solver, most int, joins bool) ([]int32, answer) {
	row, of := x.decisions()
	vars := make([]sat.Lit, len(of))
	for v := range vars {
		vars[v] = s.Var()
	}
	for j, more := range sat.MoreThan(s, vars, most) {
		if j == most {
			s.Add(-more)
		}
	}
	d := x.newDecider(len(of), &Packing{Denominator: denominator}, joins, func(int32) bool { return false })
	for {
		limit := sat.Limit{}
		if until, ok := ctx.Deadline(); ok {
			if limit.Time = time.Until(until); limit.Time <= 0 {
				return nil, undecided
			}
		}
		switch s.Solve(ctx, limit) {
		case sat.Unsat:
			return nil, refuted
		case sat.Unknown:
			return nil, undecided
		}
		// The propagators look at the model: they name what it breaks.
		d.back(0)
		broken := 0
		add := func(clause []literal) {
			broken++
			var lits []sat.Lit
			for _, l := range clause {
				if l&1 == 0 {
					lits = append(lits, vars[l>>1])
				} else {
					lits = append(lits, -vars[l>>1])
				}
			}
			s.Add(lits...)
		}
		prohibited := make([]bool, len(of))
		for v := range of {
			prohibited[v] = s.True(vars[v])
		}
		for _, cycle := range x.cyclesOf(row, prohibited) {
			add(cycle)
		}
		if broken > 0 {
			continue
		}
		for v := range of {
			l := literal(2 * v)
			if !prohibited[v] {
				l++
			}
			if d.value[l] == 0 {
				d.starts = append(d.starts, len(d.trail))
				d.assign(l, byDecision)
			}
			if !d.propagate() {
				add(slices.Clone(d.confl))
				break
			}
		}
		if broken == 0 {
			return d.ranks(), found
		}
	}
}

// cyclesOf returns cycles of turns that are allowed, as clauses, that share none.
func (x *instance) cyclesOf(row []int32, prohibited []bool) (clauses [][]literal) {
	gone := slices.Clone(prohibited)
	for {
		by, queue := make([]int32, x.channels()), []int32{}
		var cycle []literal
		for start := range int32(x.channels()) {
			for i := range by {
				by[i] = -1
			}
			queue = append(queue[:0], start)
			for i := 0; i < len(queue) && by[start] < 0; i++ {
				for _, t := range x.out[queue[i]] {
					if c := x.turns[t].out; !gone[row[t]] && by[c] < 0 {
						by[c] = t
						queue = append(queue, c)
					}
				}
			}
			if by[start] < 0 {
				continue
			}
			for c := start; ; {
				t := by[c]
				if l := 2 * row[t]; !slices.Contains(cycle, l) {
					cycle = append(cycle, l)
				}
				if c = x.turns[t].in; c == start {
					break
				}
			}
			break
		}
		if cycle == nil {
			return clauses
		}
		clauses = append(clauses, cycle)
		for _, l := range cycle {
			gone[l>>1] = true
		}
	}
}
