package sat_test

import (
	"math/bits"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/turnproof/turnproof/synth/sat"
)

// TestFewest holds the count of wishes that fail against all values, with more clauses and
// wishes from question to question.
func TestFewest(t *testing.T) {
	fail := map[int]int{}
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 2))
		n := 4 + rng.IntN(6)
		s := sat.New()
		variables(s, n)
		f, all := sat.NewFewest(s), question{n: n}
		var wishes []sat.Lit
		for _, v := range rng.Perm(n) {
			l := sat.Lit(v+1) * sat.Lit(2*rng.IntN(2)-1)
			f.Wish(l)
			if wishes = append(wishes, l); len(wishes) < n/2 {
				continue
			}
			for range 1 + rng.IntN(3) { // most of them say that two wishes do not go together
				c := []sat.Lit{-wishes[rng.IntN(len(wishes))], -wishes[rng.IntN(len(wishes))]}
				s.Add(c...)
				all.clauses = append(all.clauses, c)
			}
			more := random(rng, n, 1, 3)
			s.Add(more.clauses[0]...)
			all.clauses = append(all.clauses, more.clauses[0])
			want, possible := all.fewest(wishes)
			got := f.Solve(t.Context(), time.Now().Add(time.Minute), n+1)
			if (got == sat.Sat) != possible || got == sat.Unknown {
				t.Fatalf("seed %d: %v, all values say %v: %v", seed, got, possible, all)
			}
			if !possible {
				break
			}
			failed := 0
			for _, l := range wishes {
				if !s.True(l) {
					failed++
				}
			}
			if failed != want || f.Bound() != want {
				t.Fatalf("seed %d: %d of %v fail, bound %d, want %d: %v", seed, failed, wishes, f.Bound(), want, all)
			}
			fail[want]++
		}
	}
	if fail[1] < 50 || fail[2] < 50 || fail[4] < 50 {
		t.Errorf("the questions are too similar: %v", fail)
	}
}

// fewest tries all values: how many wishes fail at least, and whether there are such values.
func (q question) fewest(wishes []sat.Lit) (failed int, possible bool) {
	failed = len(wishes) + 1
	for values := range uint32(1) << q.n {
		ok, broken := true, uint32(0)
		for _, c := range q.clauses {
			ok = ok && holds(c, values)
		}
		for i, l := range wishes {
			if !holds([]sat.Lit{l}, values) {
				broken |= 1 << i
			}
		}
		if ok {
			failed, possible = min(failed, bits.OnesCount32(broken)), true
		}
	}
	return failed, possible
}
