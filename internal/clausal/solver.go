package clausal

import (
	"context"
	"fmt"
	"iter"
	"slices"
)

// This file has the solver: conflict-driven clause learning (J. Marques-Silva and K. Sakallah, GRASP,
// IEEE Transactions on Computers 48(5), 1999) with two watched literals, activities of variables and
// restarts (M. Moskewicz and others, Chaff, DAC 2001).
//
// Promise: Sat comes with a model of all clauses. Unsat comes with a refutation.
// The same calls give the same results.

// Result is the result of Solve. The zero value is Unknown.
type Result uint8

const (
	// Unknown means that the context ended.
	Unknown Result = iota
	// Sat means that there is a model.
	Sat
	// Unsat means that there is no model.
	Unsat
)

// String returns unknown, sat or unsat.
func (r Result) String() string {
	switch r {
	case Unknown:
		return "unknown"
	case Sat:
		return "sat"
	case Unsat:
		return "unsat"
	}
	return fmt.Sprintf("Result(%d)", uint8(r))
}

// learned is the kind of learned clauses. The kinds of other clauses are not negative.
const learned = -1

// clause is a clause with its origin.
type clause struct {
	lits []int32 // the first two are watched
	kind int
	// from and roots are the origin of a learned clause: the clauses that propagate to a conflict, and the
	// variables with fixed values that they contain.
	from, roots []int32
	dropped     bool // it is no longer watched
}

// watch is a clause that watches a literal. If other is true, the clause is satisfied.
type watch struct{ clause, other int32 }

// none is the reason of a decision, and the number of no clause.
const none = -1

// Solver stores clauses and decides whether they have a model. Clauses may be added between calls of
// Solve. It is not safe for concurrent use.
type Solver struct {
	clauses  []clause
	watches  [][]watch // by index of a literal
	value    []int8    // by variable: 1 true, -1 false, 0 open
	level    []int32   // by variable
	reason   []int32   // by variable: the clause that made it true or false, or none
	phase    []int8    // by variable: its last value
	trail    []int32   // true literals, in order
	begins   []int     // by level after 0: where it begins on the trail
	head     int       // the first literal of the trail that is not propagated
	conflict int32     // a clause that is false at level 0, or none
	order    activities
	seen     []bool // work of analyze, by variable
	kept     int    // learned clauses that are watched
	work     int64  // literals that have been propagated
	asked    int64  // work at which the context was checked last
	most     int64  // limit of work, or 0
}

// New returns a solver without clauses, for variables 1 to n.
func New(n int) *Solver {
	s := &Solver{watches: make([][]watch, 2*n+2), value: make([]int8, n+1), level: make([]int32, n+1), reason: make([]int32, n+1),
		phase: make([]int8, n+1), seen: make([]bool, n+1), conflict: none}
	s.order.init(n)
	return s
}

// index returns the place of a literal in watches.
func index(l int32) int {
	if l < 0 {
		return int(-2*l) + 1
	}
	return int(2 * l)
}

func variable(l int32) int32 { return max(l, -l) }

// is returns 1 if l is true, -1 if it is false, and 0 if it is open.
func (s *Solver) is(l int32) int8 {
	if l < 0 {
		return -s.value[-l]
	}
	return s.value[l]
}

// True reports whether l is true in the model, or at level 0 after Settle.
func (s *Solver) True(l int32) bool { return s.is(l) > 0 }

// Add adds a clause of different variables. Its kind, at least 0, is that of its step in refutations;
// clauses of kind 0 are not in refutations. After Add, True no longer reads the model.
func (s *Solver) Add(kind int, lits ...int32) {
	s.backtrack(0)
	s.attach(clause{lits: slices.Clone(lits), kind: kind})
}

// Variable adds a variable, and returns it.
func (s *Solver) Variable() int32 {
	s.backtrack(0)
	v := int32(len(s.value))
	s.watches = append(s.watches, nil, nil)
	s.value, s.level, s.reason = append(s.value, 0), append(s.level, 0), append(s.reason, 0)
	s.phase, s.seen = append(s.phase, 0), append(s.seen, false)
	s.order.place, s.order.value = append(s.order.place, 0), append(s.order.value, 0)
	s.order.insert(v)
	return v
}

// Variables returns the number of variables.
func (s *Solver) Variables() int { return len(s.value) - 1 }

// Added yields the clauses that were added, each with its kind. The order of literals is not that of Add.
func (s *Solver) Added() iter.Seq2[int, []int32] {
	return func(yield func(int, []int32) bool) {
		for i := range s.clauses {
			if c := &s.clauses[i]; c.kind != learned && !yield(c.kind, c.lits) {
				return
			}
		}
	}
}

// attach stores a clause at level 0 and watches it.
func (s *Solver) attach(c clause) {
	at := int32(len(s.clauses))
	open := 0
	for i, l := range c.lits {
		if s.is(l) >= 0 && open < 2 {
			c.lits[open], c.lits[i] = c.lits[i], c.lits[open]
			open++
		}
	}
	s.clauses = append(s.clauses, c)
	if len(c.lits) > 1 {
		s.watch(at)
	}
	switch {
	case s.conflict != none:
	case open == 0:
		s.conflict = at
	case open == 1 && s.is(c.lits[0]) == 0:
		s.push(c.lits[0], at)
	}
}

// watch watches the first two literals of a clause.
func (s *Solver) watch(at int32) {
	lits := s.clauses[at].lits
	for i := range 2 {
		s.watches[index(lits[i])] = append(s.watches[index(lits[i])], watch{at, lits[1-i]})
	}
}

// push makes a literal true.
func (s *Solver) push(l, reason int32) {
	v := variable(l)
	s.value[v] = 1
	if l < 0 {
		s.value[v] = -1
	}
	s.level[v], s.reason[v] = int32(len(s.begins)), reason
	s.trail = append(s.trail, l)
}

// backtrack opens the variables of levels above a level.
func (s *Solver) backtrack(level int) {
	if len(s.begins) <= level {
		return
	}
	first := s.begins[level]
	for _, l := range s.trail[first:] {
		v := variable(l)
		s.phase[v], s.value[v] = s.value[v], 0
		s.order.insert(v)
	}
	s.trail, s.begins, s.head = s.trail[:first], s.begins[:level], first
}

// propagate makes literals true until no clause does. It returns a clause that is false, or none.
func (s *Solver) propagate() int32 {
	for s.head < len(s.trail) {
		gone := -s.trail[s.head]
		s.head++
		s.work++
		list := s.watches[index(gone)]
		keep := list[:0]
		for k, w := range list {
			if s.is(w.other) > 0 {
				keep = append(keep, w)
				continue
			}
			c := &s.clauses[w.clause]
			if c.dropped {
				continue
			}
			if s.move(c, w.clause, gone) {
				continue
			}
			keep = append(keep, watch{w.clause, c.lits[0]})
			if s.is(c.lits[0]) < 0 {
				keep = append(keep, list[k+1:]...)
				s.watches[index(gone)] = keep
				s.head = len(s.trail)
				return w.clause
			}
			if s.is(c.lits[0]) == 0 {
				s.push(c.lits[0], w.clause)
			}
		}
		s.watches[index(gone)] = keep
	}
	return none
}

// move makes a clause watch another literal in place of one that is false now. If there is none, it
// returns false, and the first literal is the only one that may be true.
func (s *Solver) move(c *clause, at, gone int32) bool {
	if c.lits[0] == gone {
		c.lits[0], c.lits[1] = c.lits[1], gone
	}
	if s.is(c.lits[0]) > 0 {
		return false
	}
	for i := 2; i < len(c.lits); i++ {
		if s.is(c.lits[i]) >= 0 {
			c.lits[1], c.lits[i] = c.lits[i], gone
			s.watches[index(c.lits[1])] = append(s.watches[index(c.lits[1])], watch{at, c.lits[0]})
			return true
		}
	}
	return false
}

// Settle propagates at level 0, so that True reads the values that all models share. It reports whether
// the clauses may have a model.
func (s *Solver) Settle() bool {
	s.backtrack(0)
	if s.conflict == none {
		s.conflict = s.propagate()
	}
	return s.conflict == none
}

// restartUnit is the number of conflicts after which the first restart happens.
const restartUnit = 64

// Limit limits the literals that all calls of Solve together propagate. If zero, there is no limit.
func (s *Solver) Limit(literals int64) { s.most = literals }

// Work returns the number of literals that have been propagated.
func (s *Solver) Work() int64 { return s.work }

// mustStop reports whether the context has ended or the limit is reached.
func (s *Solver) mustStop(ctx context.Context) bool {
	if s.most > 0 && s.work > s.most {
		return true
	}
	if s.work < s.asked+1<<14 {
		return false
	}
	s.asked = s.work
	return ctx.Err() != nil
}

// Solve searches for a model. It returns Unknown if ctx ends or the limit is reached.
func (s *Solver) Solve(ctx context.Context) Result {
	if !s.Settle() {
		return Unsat
	}
	most := max(4000, len(s.clauses)/4)
	for round := 1; ; round++ {
		for left := restartUnit * luby(round); left > 0; {
			if c := s.propagate(); c != none {
				if len(s.begins) == 0 {
					s.conflict = c
					return Unsat
				}
				s.learn(c)
				left--
				continue
			}
			if s.mustStop(ctx) {
				return Unknown
			}
			v := s.order.next(s.value)
			if v == 0 {
				return Sat
			}
			s.begins = append(s.begins, len(s.trail))
			if s.phase[v] > 0 {
				s.push(v, none)
			} else {
				s.push(-v, none)
			}
		}
		if s.backtrack(0); s.kept > most {
			s.drop()
			most += most / 8
		}
	}
}

// luby returns number i of the sequence 1, 1, 2, 1, 1, 2, 4, ... (M. Luby and others, Information
// Processing Letters 47, 1993).
func luby(i int) int {
	for k := 1; ; k++ {
		switch {
		case i == 1<<k-1:
			return 1 << (k - 1)
		case i < 1<<k-1:
			return luby(i - (1<<(k-1) - 1))
		}
	}
}
