package agree

import (
	"context"
	"iter"
	"time"

	"github.com/turnproof/turnproof/verify/smt"
)

// This file asks Z3 for the same numbers as the SAT solver, and for numbers of states that rise to
// one of the next states or to the destination (connected), and to all next states (livelock-free).

// Z3 judges one case in z3Every. A context of Z3 takes longer than all other
// judges together.
const z3Every = 25

// z3Limit limits the time for a question. Some questions with a hundred numbers take minutes.
const z3Limit = 10 * time.Second

func askZ3(ctx context.Context, s *subject) (a answers, err error) {
	if !smt.Available() || s.seed%z3Every != 0 {
		return a, nil
	}
	w := s.w
	ask := func(k claim, n int, choices []wait) {
		if err != nil {
			return
		}
		var got smt.Answer
		switch got, err = smt.Rising(ctx, n, sequence(choices), smt.Limit{Time: z3Limit}); got.Result {
		case smt.Sat:
			a[k] = proved
		case smt.Unsat:
			a[k] = refuted
		case smt.Unknown:
			a[k] = undecided
		}
	}
	ask(acyclic, len(w.vcs), edges(w.dependencies()))
	if s.c.Switching != "wormhole" {
		ask(deadlockFree, len(w.vcs), w.waits())
		a[deadlockFree] = s.unlessUnreached(a[deadlockFree])
	}
	home, all, strangers := w.choices()
	if !strangers {
		ask(connected, len(w.at)+1, home)
	}
	ask(livelockFree, len(w.at)+1, edges(all))
	return a, err
}

// choices returns the states to whose numbers the number of each state must rise: to one of home, and
// to each of all. The state after the last is that of delivered packets. If strangers is true, home
// does not show that all pairs are connected: some have no class or may go to a wrong host.
func (w *walk) choices() (home []wait, all [][]int, strangers bool) {
	all, home = make([][]int, len(w.at)), make([]wait, len(w.at))
	for i, next := range w.next {
		home[i].on = i
		for _, j := range next {
			switch {
			case j >= 0:
				home[i].until, all[i] = append(home[i].until, j), append(all[i], j)
			case j == delivered:
				home[i].until = append(home[i].until, len(w.at))
			default:
				strangers = true
			}
		}
	}
	for _, starts := range w.first {
		strangers = strangers || len(starts) == 0
	}
	return home, all, strangers
}

// edges returns each edge as a choice with one alternative.
func edges(after [][]int) (list []wait) {
	for v, to := range after {
		for _, w := range to {
			list = append(list, wait{v, []int{w}})
		}
	}
	return list
}

// sequence yields choices for Z3.
func sequence(choices []wait) iter.Seq2[int32, []int32] {
	return func(yield func(int32, []int32) bool) {
		for _, x := range choices {
			list := make([]int32, len(x.until))
			for i, v := range x.until {
				list[i] = int32(v)
			}
			if !yield(int32(x.on), list) {
				return
			}
		}
	}
}
