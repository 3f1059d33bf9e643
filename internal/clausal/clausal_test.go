package clausal_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/turnproof/turnproof/internal/clausal"
)

// holds reports whether the values, a bit for each variable, satisfy all clauses.
func holds(clauses [][]int32, values uint32) bool {
	for _, c := range clauses {
		if !slices.ContainsFunc(c, func(l int32) bool { return l > 0 && values>>(l-1)&1 == 1 || l < 0 && values>>(-l-1)&1 == 0 }) {
			return false
		}
	}
	return true
}

// conflicts reports whether naive unit propagation from some false literals ends in a false clause.
func conflicts(clauses [][]int32, lits []int32) bool {
	value := map[int32]bool{} // true literals
	for _, l := range lits {
		value[-l] = true
	}
	for more := true; more; {
		more = false
		for _, c := range clauses {
			var open []int32
			for _, l := range c {
				if value[l] {
					open = append(open, 0, 0)
				}
				if !value[-l] {
					open = append(open, l)
				}
			}
			switch len(open) {
			case 0:
				return true
			case 1:
				value[open[0]], more = true, true
			}
		}
	}
	return false
}

// TestSolve compares the solver with all values, clause after clause, and checks its refutations by
// naive unit propagation.
func TestSolve(t *testing.T) {
	sat, unsat, steps := 0, 0, 0
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 1))
		n := 3 + rng.IntN(10)
		s := clausal.New(n)
		var clauses, base [][]int32
		var given []clausal.Step
		for len(clauses) < 6*n {
			for range 1 + rng.IntN(n) {
				var c []int32
				for _, v := range rng.Perm(n)[:1+rng.IntN(3)] {
					c = append(c, int32(v+1)*int32(2*rng.IntN(2)-1))
				}
				if len(c) == 1 && rng.IntN(3) > 0 {
					continue
				}
				kind := rng.IntN(3)
				s.Add(kind, c...)
				if clauses = append(clauses, c); kind == 0 {
					base = append(base, c)
				} else {
					given = append(given, clausal.Step{Kind: kind, Lits: c})
				}
			}
			want := false
			for values := range uint32(1) << n {
				want = want || holds(clauses, values)
			}
			switch got := s.Solve(context.Background()); {
			case got == clausal.Sat && want:
				sat++
				var values uint32
				for v := range n {
					if s.True(int32(v + 1)) {
						values |= 1 << v
					}
				}
				if !holds(clauses, values) {
					t.Fatalf("seed %d: no model of %v", seed, clauses)
				}
				continue
			case got != clausal.Unsat || want:
				t.Fatalf("seed %d: %v, all values say %v: %v", seed, got, want, clauses)
			}
			unsat++
			steps += checkRefutation(t, base, given, s.Refutation())
			break
		}
	}
	if sat < 200 || unsat < 300 || steps < 400 {
		t.Errorf("%d satisfiable, %d not, %d steps", sat, unsat, steps)
	}
}

// checkRefutation checks each step, and returns the number of learned clauses.
func checkRefutation(t *testing.T, base [][]int32, given, steps []clausal.Step) (learned int) {
	t.Helper()
	for i, step := range steps {
		if step.Kind == clausal.Learned {
			learned++
			if !conflicts(base, step.Lits) {
				t.Fatalf("step %d, %v, does not follow", i, step.Lits)
			}
		} else if !slices.ContainsFunc(given, func(g clausal.Step) bool {
			return g.Kind == step.Kind && slices.Equal(slices.Sorted(slices.Values(g.Lits)), slices.Sorted(slices.Values(step.Lits)))
		}) {
			t.Fatalf("step %d, %v, was not added", i, step)
		}
		base = append(base, step.Lits)
	}
	if last := steps[len(steps)-1]; last.Kind != clausal.Learned || len(last.Lits) > 0 {
		t.Fatalf("the last step is %v", last)
	}
	return learned
}

// pigeons returns the clauses: n+1 pigeons sit in n holes, one each.
func pigeons(n int) (variables int, clauses [][]int32) {
	at := func(p, h int) int32 { return int32(p*n + h + 1) }
	for p := range n + 1 {
		var c []int32
		for h := range n {
			c = append(c, at(p, h))
			for q := range p {
				clauses = append(clauses, []int32{-at(p, h), -at(q, h)})
			}
		}
		clauses = append(clauses, c)
	}
	return (n + 1) * n, clauses
}

// TestPigeons refutes clauses that need many conflicts, so that learned clauses are dropped.
func TestPigeons(t *testing.T) {
	n, clauses := pigeons(6)
	s := clausal.New(n)
	for _, c := range clauses {
		s.Add(0, c...)
	}
	if got := s.Solve(context.Background()); got != clausal.Unsat {
		t.Fatal(got)
	}
	if learned := checkRefutation(t, clauses, nil, s.Refutation()); learned < 50 {
		t.Errorf("%d learned clauses", learned)
	}
}

// TestStops ends a search that has no time, and one that reaches its limit.
func TestStops(t *testing.T) {
	n, clauses := pigeons(12)
	s := clausal.New(n)
	for _, c := range clauses {
		s.Add(0, c...)
	}
	s.Limit(10_000)
	if got := s.Solve(context.Background()); got != clausal.Unknown || s.Work() < 10_000 || s.Work() > 20_000 {
		t.Errorf("%v after %d literals", got, s.Work())
	}
	s.Limit(0)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if got := s.Solve(ctx); got != clausal.Unknown {
		t.Errorf("%v", got)
	}
}

// TestVariable: a variable that is added between calls is as free as any other.
func TestVariable(t *testing.T) {
	s := clausal.New(1)
	s.Add(0, 1)
	if s.Solve(t.Context()) != clausal.Sat {
		t.Fatal("the first clause has a model")
	}
	v := s.Variable()
	s.Add(0, -1, -v)
	if s.Solve(t.Context()) != clausal.Sat || s.True(v) || s.Variables() != 2 {
		t.Fatalf("variable %d of %d", v, s.Variables())
	}
	s.Add(0, v)
	if s.Solve(t.Context()) != clausal.Unsat {
		t.Fatal("the clauses contradict each other")
	}
}
