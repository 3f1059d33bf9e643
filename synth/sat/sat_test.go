package sat_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/turnproof/turnproof/synth/sat"
)

// question is a set of clauses over variables 1 to n, with assumptions.
type question struct {
	n       int
	clauses [][]sat.Lit
	assume  []sat.Lit
}

// holds reports whether the values, a bit for each variable, satisfy a clause.
func holds(clause []sat.Lit, values uint32) bool {
	for _, l := range clause {
		if l > 0 && values>>(l-1)&1 == 1 || l < 0 && values>>(-l-1)&1 == 0 {
			return true
		}
	}
	return false
}

// satisfiable tries all values.
func (q question) satisfiable() bool {
	for values := range uint32(1) << q.n {
		ok := true
		for _, c := range q.clauses {
			ok = ok && holds(c, values)
		}
		for _, l := range q.assume {
			ok = ok && holds([]sat.Lit{l}, values)
		}
		if ok {
			return true
		}
	}
	return false
}

func variables(s sat.Solver, n int) {
	for range n {
		s.Var()
	}
}

func random(rng *rand.Rand, n, clauses, width int) question {
	q := question{n: n}
	lit := func() sat.Lit { return sat.Lit((rng.IntN(n) + 1) * (2*rng.IntN(2) - 1)) }
	for range clauses {
		var c []sat.Lit
		for range rng.IntN(width) + 1 {
			c = append(c, lit())
		}
		q.clauses = append(q.clauses, c)
	}
	for range rng.IntN(4) {
		q.assume = append(q.assume, lit())
	}
	return q
}

// TestAgainstAllValues holds answers, models and cores against exhaustive
// search, with more clauses and other assumptions from question to question.
func TestAgainstAllValues(t *testing.T) {
	count := map[sat.Result]int{}
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 1))
		n := 3 + rng.IntN(8)
		s := sat.New()
		variables(s, n)
		all := question{n: n}
		for range 6 {
			more := random(rng, n, n, 3)
			for _, c := range more.clauses {
				s.Add(c...)
			}
			all.clauses, all.assume = append(all.clauses, more.clauses...), more.assume
			got := s.Solve(t.Context(), sat.Limit{Time: time.Minute}, all.assume...)
			count[got]++
			if want := all.satisfiable(); (got == sat.Sat) != want || got == sat.Unknown {
				t.Fatalf("seed %d: %v, all values say %v: %v", seed, got, want, all)
			}
			if got == sat.Sat {
				checkModel(t, s, all)
			} else {
				checkCore(t, s, all)
			}
		}
	}
	if count[sat.Sat] < 200 || count[sat.Unsat] < 200 {
		t.Errorf("%v: the questions are too similar", count)
	}
}

func checkModel(t *testing.T, s sat.Solver, q question) {
	values := uint32(0)
	for v := range q.n {
		if s.True(sat.Lit(v + 1)) {
			values |= 1 << v
		}
		if s.True(sat.Lit(v+1)) == s.True(sat.Lit(-v-1)) {
			t.Fatalf("variable %d is as true as its negation", v+1)
		}
	}
	for _, c := range q.clauses {
		if !holds(c, values) {
			t.Fatalf("the model %b does not satisfy %v", values, c)
		}
	}
	for _, l := range q.assume {
		if !s.True(l) {
			t.Fatalf("assumption %d does not hold", l)
		}
	}
}

func checkCore(t *testing.T, s sat.Solver, q question) {
	given := map[sat.Lit]bool{}
	for _, l := range q.assume {
		given[l] = true
	}
	for _, l := range s.Core() {
		if !given[l] {
			t.Fatalf("%d is in the core, but no assumption: %v", l, q)
		}
	}
	if q.assume = s.Core(); q.satisfiable() {
		t.Fatalf("the core %v can be satisfied: %v", q.assume, q)
	}
}

// pigeons puts k+1 pigeons into k holes, one at most in each.
func pigeons(s sat.Solver, k int) {
	in := make([][]sat.Lit, k)
	for range k + 1 {
		var some []sat.Lit
		for h := range in {
			x := s.Var()
			some, in[h] = append(some, x), append(in[h], x)
		}
		s.Add(some...)
	}
	for _, list := range in {
		sat.AtMostOne(s, list)
	}
}

func TestPigeonhole(t *testing.T) {
	for k := 1; k <= 7; k++ {
		s := sat.New()
		pigeons(s, k)
		if got := s.Solve(t.Context(), sat.Limit{}); got != sat.Unsat {
			t.Errorf("%d pigeons in %d holes: %v", k+1, k, got)
		}
	}
}

func TestAtMostOne(t *testing.T) {
	for _, n := range []int{1, 2, 6, 7, 11, 12, 30} {
		s := sat.New()
		variables(s, n)
		var list []sat.Lit
		for v := range n {
			list = append(list, sat.Lit(v+1))
		}
		sat.AtMostOne(s, list)
		if got := s.Solve(t.Context(), sat.Limit{}); got != sat.Sat {
			t.Fatalf("at most one of %d: %v", n, got)
		}
		for i, a := range list {
			if got := s.Solve(t.Context(), sat.Limit{}, a); got != sat.Sat {
				t.Fatalf("literal %d alone of %d: %v", a, n, got)
			}
			for _, b := range list[:i] {
				if got := s.Solve(t.Context(), sat.Limit{}, a, b); got != sat.Unsat {
					t.Fatalf("literals %d and %d of %d: %v", a, b, n, got)
				}
			}
		}
	}
}

// TestMoreThan: with k of n literals true those below k hold, and those from k on need not.
func TestMoreThan(t *testing.T) {
	for n := range 6 {
		for set := range 1 << n {
			s := sat.New()
			var list, assume []sat.Lit
			k := 0
			for i := range n {
				x := s.Var()
				if list = append(list, x); set>>i&1 == 1 {
					assume, k = append(assume, x), k+1
				} else {
					assume = append(assume, -x)
				}
			}
			for j, more := range sat.MoreThan(s, list, 3) {
				want := sat.Sat
				if j < k {
					want = sat.Unsat
				}
				if got := s.Solve(t.Context(), sat.Limit{}, append(assume, -more)...); got != want {
					t.Errorf("%d of %d: not more than %d is %v", k, n, j, got)
				}
			}
		}
	}
}

func TestStops(t *testing.T) {
	s := sat.New()
	pigeons(s, 12)
	began := time.Now()
	if got := s.Solve(t.Context(), sat.Limit{Time: 50 * time.Millisecond}); got != sat.Unknown {
		t.Fatalf("13 pigeons: %v in %v", got, time.Since(began))
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	if got := s.Solve(ctx, sat.Limit{}); got != sat.Unknown {
		t.Fatalf("13 pigeons, cancelled: %v", got)
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("stopped after %v", took)
	}
	// What was asked before is forgotten.
	x := s.Var()
	if got := s.Solve(t.Context(), sat.Limit{Time: 10 * time.Millisecond}, x, -x); got != sat.Unsat {
		t.Errorf("x and not x: %v", got)
	}
}

func TestEmptyClause(t *testing.T) {
	s := sat.New()
	x := s.Var()
	if got := s.Solve(t.Context(), sat.Limit{}, x); got != sat.Sat {
		t.Fatal(got)
	}
	s.Add()
	if got := s.Solve(t.Context(), sat.Limit{}, x); got != sat.Unsat || len(s.Core()) != 0 {
		t.Fatal(got, s.Core())
	}
}

func Example() {
	s := sat.New()
	x, y := s.Var(), s.Var()
	s.Add(x, y)
	s.Add(-x)
	fmt.Println(s.Solve(context.Background(), sat.Limit{}), s.True(y))
	fmt.Println(s.Solve(context.Background(), sat.Limit{}, -y), s.Core())
	// Output:
	// sat true
	// unsat [-2]
}

func BenchmarkPigeonhole(b *testing.B) {
	for b.Loop() {
		s := sat.New()
		pigeons(s, 7)
		s.Solve(b.Context(), sat.Limit{})
	}
}
