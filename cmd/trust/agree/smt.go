package agree

import (
	"context"
	"iter"
	"time"

	"github.com/turnproof/turnproof/verify/smt"
)

// This file asks Z3 for the same numbers as the SAT solver, and for numbers of states: that
// rise to some of the states that may follow, or home (connected), and to all (livelock-free).

// z3Every is how often Z3 is asked: making a context takes it longer than all other judges
// together.
const z3Every = 25

// z3Limit is how long it may think about a question: some of a hundred numbers take it minutes.
const z3Limit = 10 * time.Second

func askZ3(ctx context.Context, s *subject) (a answers, err error) {
	if !smt.Available() || s.seed%z3Every != 0 {
		return a, nil
	}
	w := s.w
	ask := func(k claim, n int, choices iter.Seq2[int32, []int32]) {
		if err != nil {
			return
		}
		var got smt.Answer
		switch got, err = smt.Rising(ctx, n, choices, smt.Limit{Time: z3Limit}); got.Result {
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
		ask(deadlockFree, len(w.vcs), func(yield func(int32, []int32) bool) {
			for _, x := range w.waits() {
				if !yield(int32(x.on), narrow(x.until)) {
					return
				}
			}
		})
	}
	some, all, strangers := w.choices()
	if !strangers {
		ask(connected, len(w.at)+1, some)
	}
	ask(livelockFree, len(w.at)+1, edges(all))
	return a, err
}

// choices gives what the numbers of states are to rise to, that of being delivered coming
// after all; strangers: rising to some does not say that all pairs are connected, since some
// have no class or may go to a wrong host.
func (w *walk) choices() (some iter.Seq2[int32, []int32], all [][]int, strangers bool) {
	all = make([][]int, len(w.at))
	home := make([][]int, len(w.at))
	for i, next := range w.next {
		for _, j := range next {
			switch {
			case j >= 0:
				home[i], all[i] = append(home[i], j), append(all[i], j)
			case j == delivered:
				home[i] = append(home[i], len(w.at))
			default:
				strangers = true
			}
		}
	}
	for _, starts := range w.first {
		strangers = strangers || len(starts) == 0
	}
	return func(yield func(int32, []int32) bool) {
		for i, list := range home {
			if !yield(int32(i), narrow(list)) {
				return
			}
		}
	}, all, strangers
}

// edges gives each edge as a choice by itself.
func edges(after [][]int) iter.Seq2[int32, []int32] {
	return func(yield func(int32, []int32) bool) {
		for v, list := range after {
			for _, w := range list {
				if !yield(int32(v), []int32{int32(w)}) {
					return
				}
			}
		}
	}
}

func narrow(list []int) []int32 {
	out := make([]int32, len(list))
	for i, v := range list {
		out[i] = int32(v)
	}
	return out
}
