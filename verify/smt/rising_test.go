//go:build z3 && cgo

package smt

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/turnproof/turnproof/internal/longtest"
)

// edge is a choice with one alternative.
type edge [2]int32

func all(list []edge) iter.Seq2[int32, int32] {
	return func(yield func(int32, int32) bool) {
		for _, e := range list {
			if !yield(e[0], e[1]) {
				return
			}
		}
	}
}

// hasCycle is a naive depth-first search that shares no code with the encoding.
func hasCycle(n int, list []edge) bool {
	next := make([][]int32, n)
	for _, e := range list {
		next[e[0]] = append(next[e[0]], e[1])
	}
	const fresh, open, done = 0, 1, 2
	mark := make([]byte, n)
	var visit func(v int32) bool
	visit = func(v int32) bool {
		mark[v] = open
		for _, w := range next[v] {
			if mark[w] == open || mark[w] == fresh && visit(w) {
				return true
			}
		}
		mark[v] = done
		return false
	}
	for v := range n {
		if mark[v] == fresh && visit(int32(v)) {
			return true
		}
	}
	return false
}

// randomGraph returns m edges that follow a random order of vertices. It reverses some of them, as many as turned
// says. One vertex in ten has no edge.
func randomGraph(r *rand.Rand, n, m, turned int) []edge {
	order := r.Perm(n)
	used := max(2, n*9/10)
	list := make([]edge, m)
	for i := range list {
		a, b := r.IntN(used), r.IntN(used-1)
		if b >= a {
			b++
		}
		list[i] = edge{int32(order[min(a, b)]), int32(order[max(a, b)])}
	}
	for range turned {
		e := &list[r.IntN(m)]
		e[0], e[1] = e[1], e[0]
	}
	return list
}

// ring returns the longest cycle or, if closed is false, the longest path.
func ring(n int, closed bool) []edge {
	list := make([]edge, n)
	for i := range list {
		list[i] = edge{int32(i), int32((i + 1) % n)}
	}
	if !closed {
		list = list[:n-1]
	}
	return list
}

func TestAcyclicAgreesWithSearch(t *testing.T) {
	var seen [3]int
	for seed := range longtest.Share[uint64](48, 2) {
		r := rand.New(rand.NewPCG(seed, 1))
		n := 2 + r.IntN(60)
		list := randomGraph(r, n, 1+r.IntN(2*n), r.IntN(3))
		if seed%12 == 0 {
			v := int32(r.IntN(n))
			list = append(list, edge{v, v})
		}
		want := Sat
		if hasCycle(n, list) {
			want = Unsat
		}
		a, err := Acyclic(t.Context(), n, all(list), Limit{})
		if err != nil || a.Result != want {
			t.Fatalf("seed %d, n=%d, %v: %v, %v; search says %v", seed, n, list, a.Result, err, want)
		}
		if want == Sat {
			risesFromZero(t, a.Numbers, n, list)
		} else if a.Numbers != nil {
			t.Errorf("seed %d: numbers %v with %v", seed, a.Numbers, a.Result)
		}
		seen[want]++
	}
	if least := longtest.Share(10, 2); seen[Sat] < least || seen[Unsat] < least {
		t.Errorf("%d sat and %d unsat graphs: the test sees only one side", seen[Sat], seen[Unsat])
	}
}

func risesFromZero(t *testing.T, numbers []int64, n int, list []edge) {
	t.Helper()
	if len(numbers) != n {
		t.Fatalf("%d numbers for %d vertices", len(numbers), n)
	}
	smallest := numbers[0]
	for _, x := range numbers {
		smallest = min(smallest, x)
	}
	if smallest != 0 {
		t.Errorf("smallest number is %d, want 0", smallest)
	}
	for _, e := range list {
		if numbers[e[0]] >= numbers[e[1]] {
			t.Fatalf("%v: %d to %d", e, numbers[e[0]], numbers[e[1]])
		}
	}
}

func TestAcyclicSmall(t *testing.T) {
	for _, c := range []struct {
		name string
		n    int
		list []edge
		want Result
	}{
		{"no vertices", 0, nil, Sat},
		{"no edges", 3, nil, Sat},
		{"one edge", 2, []edge{{1, 0}}, Sat},
		{"parallel edges", 2, []edge{{0, 1}, {0, 1}}, Sat},
		{"self-loop", 1, []edge{{0, 0}}, Unsat},
		{"two-cycle", 2, []edge{{0, 1}, {1, 0}}, Unsat},
		{"dally-seitz-1987, the four channels of a ring", 4, ring(4, true), Unsat},
		{"dally-seitz-1987, the ring cut", 4, ring(4, false), Sat},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, err := Acyclic(t.Context(), c.n, all(c.list), Limit{Time: time.Minute})
			if err != nil || a.Result != c.want || len(a.Numbers) != c.n && c.want == Sat {
				t.Errorf("%+v, %v: want %v", a, err, c.want)
			}
		})
	}
}

func TestAcyclicBadInput(t *testing.T) {
	for _, c := range []struct {
		n    int
		list []edge
		want string
	}{
		{-1, nil, "a graph of -1 vertices"},
		{0, []edge{{0, 0}}, "edge 0, from 0 to [0]"},
		{2, []edge{{0, 1}, {1, 2}}, "edge 1, from 1 to [2]: want vertices 0 to 1"},
		{2, []edge{{-1, 0}}, "edge 0, from -1 to [0]"},
	} {
		a, err := Acyclic(t.Context(), c.n, all(c.list), Limit{})
		if err == nil || !strings.Contains(err.Error(), c.want) || a.Result != Unknown {
			t.Errorf("n=%d %v: %+v, %v: want an error with %q", c.n, c.list, a, err, c.want)
		}
	}
}

func TestAcyclicStopsBeforeZ3(t *testing.T) {
	list := ring(100, true)
	a, err := Acyclic(t.Context(), 100, all(list), Limit{Time: time.Nanosecond})
	if err != nil || a.Result != Unknown || a.Reason != "time limit of 1ns reached" {
		t.Errorf("%+v, %v: want unknown for the time limit", a, err)
	}
	a, err = Acyclic(t.Context(), 100, all(list), Limit{Steps: 1})
	if err != nil || a.Result != Unknown || !strings.Contains(a.Reason, "limit of 1 steps") {
		t.Errorf("%+v, %v: want unknown for the step limit", a, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	a, err = Acyclic(ctx, 100, all(list), Limit{})
	if !errors.Is(err, context.Canceled) || a.Result != Unknown || a.Reason == "" {
		t.Errorf("%+v, %v: want unknown and canceled", a, err)
	}
}

func TestAcyclicSideBySide(t *testing.T) {
	var callers sync.WaitGroup
	for i := range 4 {
		callers.Go(func() {
			for round := range 4 {
				closed := (i+round)%2 == 0
				a, err := Acyclic(t.Context(), 50, all(ring(50, closed)), Limit{})
				if err != nil || (a.Result == Unsat) != closed {
					t.Errorf("closed %v: %v, %v", closed, a, err)
				}
			}
		})
	}
	callers.Wait()
}

func BenchmarkAcyclic(b *testing.B) {
	for _, m := range []int{100, 1000, 10000, 30000} {
		n := m / 3
		r := rand.New(rand.NewPCG(uint64(m), 2))
		graph := randomGraph(r, n, m, 0)
		cyclic := append(ring(10, true), graph...)
		for _, c := range []struct {
			name string
			list []edge
			want Result
		}{{"acyclic", graph, Sat}, {"cyclic", cyclic, Unsat}} {
			b.Run(fmt.Sprintf("%s/%d", c.name, m), func(b *testing.B) {
				for b.Loop() {
					if a, err := Acyclic(b.Context(), n, all(c.list), Limit{}); err != nil || a.Result != c.want {
						b.Fatal(a.Result, err)
					}
				}
			})
		}
	}
}

// TestChoices compares Rising with elimination: a vertex is safe once each of its choices has a safe
// alternative. Numbers exist if and only if all vertices become safe.
func TestChoices(t *testing.T) {
	sat := 0
	for seed := range longtest.Share[uint64](60, 2) {
		r := rand.New(rand.NewPCG(seed, 7))
		n := 2 + r.IntN(8)
		list := make([]choice, r.IntN(2*n))
		for i := range list {
			list[i].from = int32(r.IntN(n))
			for range r.IntN(4) {
				list[i].to = append(list[i].to, int32(r.IntN(n)))
			}
		}
		a, err := Rising(context.Background(), n, func(yield func(int32, []int32) bool) {
			for _, c := range list {
				if !yield(c.from, c.to) {
					return
				}
			}
		}, Limit{Time: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		want := Unsat
		if eliminated(n, list) {
			want = Sat
			sat++
		}
		if a.Result != want {
			t.Errorf("seed %d: %v, want %v for %v", seed, a.Result, want, list)
		}
	}
	if least, most := longtest.Share(10, 2), longtest.Share(50, 2); sat < least || sat > most {
		t.Errorf("%d cases have numbers, want %d to %d: the cases do not tell", sat, least, most)
	}
}

func eliminated(n int, list []choice) bool {
	safe := make([]bool, n)
	for again := true; again; {
		again = false
		for v := range int32(n) {
			ready := !safe[v]
			for _, c := range list {
				if c.from == v && !slices.ContainsFunc(c.to, func(w int32) bool { return safe[w] }) {
					ready = false
				}
			}
			if ready {
				safe[v], again = true, true
			}
		}
	}
	return !slices.Contains(safe, false)
}
