//go:build z3 && cgo

package smt

import (
	"context"
	"errors"
	"iter"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// pigeonhole yields clauses that put n+1 pigeons into n holes, no two into one. Z3 needs longer
// for them than any limit below. Variable p*n+h says that pigeon p is in hole h.
func pigeonhole(n int) iter.Seq[[]int32] {
	in := func(pigeon, hole int) int32 { return int32(pigeon*n + hole + 1) }
	return func(yield func([]int32) bool) {
		for p := range n + 1 {
			var some []int32
			for h := range n {
				some = append(some, in(p, h))
			}
			if !yield(some) {
				return
			}
			for q := range p {
				for h := range n {
					if !yield([]int32{-in(p, h), -in(q, h)}) {
						return
					}
				}
			}
		}
	}
}

// ask asks a question that Z3 does not finish.
func ask(t *testing.T, ctx context.Context, limit Limit) (result Result, reason string, err error) {
	t.Helper()
	start := time.Now()
	err = guard(func() (err error) {
		s := open(ctx, limit, general)
		defer s.close()
		x := s.booleans(16 * 15)
		defer x.drop()
		for c := range pigeonhole(15) {
			x.some(c)
		}
		result, reason, err = s.check()
		return err
	})
	if spent := time.Since(start); spent > 10*time.Second {
		t.Errorf("%+v: returned after %v", limit, spent)
	}
	return result, reason, err
}

func TestLimitsAreUnknown(t *testing.T) {
	for _, c := range []struct {
		limit Limit
		want  string
	}{
		{Limit{Steps: 20000}, "limit of 20000 steps"},
		{Limit{Time: 300 * time.Millisecond}, "time limit of 300ms reached"},
		{Limit{Steps: 20000, Time: time.Hour}, "limit of 20000 steps"},
	} {
		result, reason, err := ask(t, t.Context(), c.limit)
		if err != nil || result != Unknown || !strings.Contains(reason, c.want) {
			t.Errorf("%+v: %v, %q, %v: want unknown, %q", c.limit, result, reason, err, c.want)
		}
	}
}

func TestContextInterrupts(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(300*time.Millisecond, cancel)
	if result, reason, err := ask(t, ctx, Limit{Time: time.Hour}); result != Unknown || !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v, %q, %v", result, reason, err)
	}
	ctx, cancel = context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if result, reason, err := ask(t, ctx, Limit{}); result != Unknown || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("past the caller's deadline: %v, %q, %v", result, reason, err)
	}
}

func TestGuardTurnsPanicsIntoErrors(t *testing.T) {
	err := guard(func() error {
		s := open(t.Context(), Limit{}, general)
		defer s.close()
		s.solver.Model() // before any check
		return nil
	})
	if err == nil || !strings.HasPrefix(err.Error(), "Z3 failed: ") {
		t.Errorf("error %v, want one of Z3's", err)
	}
	defer func() {
		if recover() == nil {
			t.Error("a panic of ours was swallowed")
		}
	}()
	_ = guard(func() error { panic(errors.New("ours")) })
}

func TestVersion(t *testing.T) {
	if !Available() || !strings.Contains(Version(), ".") {
		t.Errorf("Available %v, Version %q", Available(), Version())
	}
}

// TestBrokenOffAtAnyMoment checks that an interrupted question returns a complete answer or the
// error of the context. Z3 may say sat and then lose the model.
func TestBrokenOffAtAnyMoment(t *testing.T) {
	step := 10 // percent of the time of a complete answer
	if os.Getenv("TURNPROOF_LONG") != "" {
		step = 1
	}
	const n = 16
	var choices []choice
	var clauses [][]int32
	for v := range int32(n) {
		for w := v + 1; w < n; w++ {
			choices = append(choices, choice{v, []int32{w, (v + w) % n}})
			clauses = append(clauses, []int32{v + 1, w + 1, -(v+w)%n - 1})
		}
	}
	script, err := NewScript()
	if err != nil {
		t.Fatal(err)
	}
	if err := script.Tell("(declare-const x Int)(declare-const y Int)(assert (and (> x 100) (> y 100) (= (* x y) 11663)))"); err != nil {
		t.Fatal(err)
	}
	for name, question := range map[string]func(context.Context) (Result, bool, error){
		"rising": func(ctx context.Context) (Result, bool, error) {
			a, err := Rising(ctx, n, func(yield func(int32, []int32) bool) {
				for _, c := range choices {
					if !yield(c.from, c.to) {
						return
					}
				}
			}, Limit{})
			return a.Result, a.Numbers != nil, err
		},
		"satisfy": func(ctx context.Context) (Result, bool, error) {
			result, values, err := Satisfy(ctx, n, slices.Values(clauses), Limit{})
			return result, values != nil, err
		},
		"script": func(ctx context.Context) (Result, bool, error) {
			result, values, _, err := script.Ask(ctx, "(assert (< x y))", []string{"x", "y"}, Limit{})
			return result, values != nil, err
		},
	} {
		start := time.Now()
		if result, whole, err := question(t.Context()); result != Sat || !whole || err != nil {
			t.Fatalf("%s: %v, whole %v, %v", name, result, whole, err)
		}
		spent := time.Since(start)
		for k := 0; k < 200; k += step {
			ctx, cancel := context.WithTimeout(t.Context(), spent*time.Duration(k)/100)
			result, whole, err := question(ctx)
			cancel()
			if result == Sat && (!whole || err != nil) || result != Sat && (result != Unknown || !errors.Is(err, context.DeadlineExceeded)) {
				t.Errorf("%s: %v, whole %v, %v", name, result, whole, err)
			}
		}
	}
}
