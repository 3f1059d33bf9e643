package agree

import (
	"context"
	"fmt"

	"github.com/turnproof/turnproof/synth/sat"
)

// This file asks the embedded SAT solver, with formulas that follow the definitions:
//
//   - acyclic: each VC has a number that is less than the numbers of all VCs that may follow it;
//   - deadlock-free (vct, saf): for each wait, one of the VCs that it waits for has a greater number.
//     A second formula asks for the opposite: a set of VCs, each of which can hold a packet that waits
//     only for VCs of the set. Exactly one of the two must be satisfiable.
//   - deadlock-free (wormhole): no worms, of any length, wait only for VCs that they hold. If some
//     do, there is no answer, because they need not be able to reach their places together.
//
// Numbers are unary, with a literal for "at least k", so that unit propagation follows a cycle. Cost:
// edges × VCs clauses for the numbers, O(states × hops) for the others.

func askSAT(ctx context.Context, s *subject) (a answers, err error) {
	ctx = context.WithoutCancel(ctx) // the questions are short; to check for cancellation takes longer
	n := len(s.w.vcs)
	a[acyclic] = holds(risingSome(ctx, n, edges(s.w.dependencies())))
	waits := s.w.waits()
	if s.c.Switching == "wormhole" {
		a[deadlockFree] = worms(ctx, s.w)
		return a, ctx.Err()
	}
	free := risingSome(ctx, n, waits)
	if some := configuration(ctx, n, waits); some == free && ctx.Err() == nil {
		return a, fmt.Errorf("rising numbers: %v, a set of VCs that block each other: %v", free, some)
	}
	a[deadlockFree] = s.unlessUnreached(holds(free))
	return a, ctx.Err()
}

// numbers returns literals of a solver: number[v][k] is true if the number of v is greater than k.
func numbers(s sat.Solver, n int) [][]sat.Lit {
	number := make([][]sat.Lit, n)
	for v := range number {
		for k := range n - 1 {
			number[v] = append(number[v], s.Var())
			if k > 0 {
				s.Add(-number[v][k], number[v][k-1])
			}
		}
	}
	return number
}

// above adds that the number of v is below that of w if the literal unless is false.
func above(s sat.Solver, number [][]sat.Lit, v, w int, unless sat.Lit) {
	add := func(clause ...sat.Lit) { s.Add(append(clause, unless)...) }
	top := len(number) - 1
	if top == 0 {
		add()
		return
	}
	add(number[w][0])
	for k := range top - 1 {
		add(-number[v][k], number[w][k+1])
	}
	add(-number[v][top-1])
}

// risingSome reports whether n vertices have numbers such that for each wait, the number of one of the
// vertices that it waits for is greater than its own.
func risingSome(ctx context.Context, n int, waits []wait) bool {
	s := sat.New()
	number, known := numbers(s, n), map[[2]int]sat.Lit{}
	for _, x := range waits {
		var some []sat.Lit
		for _, o := range x.until {
			l, ok := known[[2]int{x.on, o}]
			if !ok {
				l = s.Var()
				known[[2]int{x.on, o}] = l
				above(s, number, x.on, o, -l)
			}
			some = append(some, l)
		}
		s.Add(some...)
	}
	return s.Solve(ctx, sat.Limit{}) == sat.Sat
}

// configuration reports whether a set of VCs is a deadlock configuration.
func configuration(ctx context.Context, n int, waits []wait) bool {
	s := sat.New()
	in, ways := make([]sat.Lit, n), make([][]sat.Lit, n)
	for v := range in {
		in[v] = s.Var()
	}
	for _, x := range waits {
		way := s.Var()
		ways[x.on] = append(ways[x.on], way)
		for _, o := range x.until {
			s.Add(-way, in[o])
		}
	}
	for v, list := range ways {
		s.Add(append(list, -in[v])...)
	}
	s.Add(in...)
	return s.Solve(ctx, sat.Limit{}) == sat.Sat
}

// wormFormula chooses at most one state for each VC: that of the packet that holds the VC. For each
// state it chooses the next state of the same packet, or that the head is there.
type wormFormula struct {
	sat.Solver
	w      *walk
	here   []sat.Lit   // by state; 0 on injection channels
	held   [][]sat.Lit // states on each VC
	follow [][]sat.Lit // by state and index in next: this state follows; 0 for hosts
}

// mostRounds is the largest number of models that are examined.
const mostRounds = 100

// worms returns proved if no worms block each other, else undecided. A chain of states that is a cycle has no head and
// is not a worm. The solver may find such chains; a clause excludes each of them, and after mostRounds
// models the result is undecided.
func worms(ctx context.Context, w *walk) verdict {
	f := &wormFormula{Solver: sat.New(), w: w, here: make([]sat.Lit, len(w.at)), held: make([][]sat.Lit, len(w.vcs)), follow: make([][]sat.Lit, len(w.at))}
	f.states()
	f.chains()
	for range mostRounds {
		if f.Solve(ctx, sat.Limit{}) != sat.Sat {
			return proved
		}
		rounds := f.rounds()
		if len(rounds) == 0 {
			return undecided
		}
		for _, clause := range rounds {
			f.Add(clause...)
		}
	}
	return undecided
}

func (f *wormFormula) states() {
	w := f.w
	var all []sat.Lit
	for i, on := range w.on {
		if on < 0 {
			continue
		}
		f.here[i] = f.Var()
		f.held[on] = append(f.held[on], f.here[i])
		all = append(all, f.here[i])
	}
	if len(all) == 0 {
		f.Add()
		return
	}
	f.Add(all...)
	for _, list := range f.held {
		sat.AtMostOne(f, list)
	}
}

// chains adds the clauses for each state: the head is there and waits for VCs that are held, or the
// packet is also on one of the next states.
func (f *wormFormula) chains() {
	w := f.w
	into := make([][]sat.Lit, len(w.at))
	for i, next := range w.next {
		if f.here[i] == 0 {
			continue
		}
		waits, ways := len(next) > 0, []sat.Lit{}
		f.follow[i] = make([]sat.Lit, len(next))
		for k, j := range next {
			if j < 0 {
				waits = false
				continue
			}
			l := f.Var()
			f.follow[i][k], ways, into[j] = l, append(ways, l), append(into[j], l)
			f.Add(-l, f.here[i])
			f.Add(-l, f.here[j])
		}
		if waits {
			head := f.Var()
			ways = append(ways, head)
			for _, j := range next {
				f.Add(append([]sat.Lit{-head}, f.held[w.on[j]]...)...)
			}
		}
		sat.AtMostOne(f, ways)
		f.Add(append(ways, -f.here[i])...)
	}
	for _, list := range into {
		sat.AtMostOne(f, list)
	}
}

// rounds returns a clause against each chain of the model that is a cycle.
func (f *wormFormula) rounds() (clauses [][]sat.Lit) {
	seen := make([]int, len(f.w.at)) // by state: 1 + the start of the walk that visited it
	for begin := range f.w.at {
		i := begin
		for ; i >= 0 && seen[i] == 0; i, _ = f.after(i) {
			seen[i] = 1 + begin
		}
		if i < 0 || seen[i] != 1+begin {
			continue
		}
		var clause []sat.Lit
		for j := i; len(clause) == 0 || j != i; {
			to, l := f.after(j)
			clause, j = append(clause, -l), to
		}
		clauses = append(clauses, clause)
	}
	return clauses
}

// after returns the state that follows in the model, or -1, and its literal.
func (f *wormFormula) after(i int) (int, sat.Lit) {
	for k, l := range f.follow[i] {
		if l != 0 && f.True(l) {
			return f.w.next[i][k], l
		}
	}
	return -1, 0
}
