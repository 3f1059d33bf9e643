package family

import (
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model/space"
	"github.com/turnproof/turnproof/verify/smt"
)

// TestClosedWalk compares Z3, which searches for a walk whose moves sum to zero, with the
// search for ranks.
func TestClosedWalk(t *testing.T) {
	if !smt.Available() {
		t.Skip("built without Z3")
	}
	for _, c := range []struct {
		name string
		o    space.Options
		each int
	}{{"mesh:2", space.Options{}, 23}, {"mesh:2", space.Options{UTurns: true}, 401}, {"hv", space.Options{}, 503}, {"hv", space.Options{Tree: space.AnyCoordinates}, 401}, {"updown", space.Options{}, 1}, {"torus:1", space.Options{}, 3}, {"torus:2,vcs=2,rule=nf+1", space.Options{}, 193}} {
		s, d, _ := parse(t, c.name, c.o)
		step := c.each
		if !longtest.On() && step > 1 {
			step = 3*step + 2
		}
		for k := 0; k < 1<<len(s.Turns); k += step {
			set := space.Set{uint64(k)}
			v, err := d.Decide(set)
			if err != nil {
				t.Fatal(err)
			}
			found, err := ClosedWalk(t.Context(), s, set, smt.Limit{})
			if want := map[bool]smt.Result{true: smt.Unsat, false: smt.Sat}[v.Acyclic]; err != nil || found != want {
				t.Errorf("%s: prohibits %v: free %v, Z3 says %v, %v", c.name, s.Names(s.All().Minus(set)), v.Acyclic, found, err)
			}
		}
	}
}

// BenchmarkDecide measures the search for ranks, the fast search without evidence, and Z3,
// over all sets of H/V graphs (Z3: one in 64).
func BenchmarkDecide(b *testing.B) {
	s, d, _ := parse(b, "hv", space.Options{})
	f := NewFast(d)
	sets := 1 << len(s.Turns)
	b.Run("ranks", func(b *testing.B) {
		for b.Loop() {
			for k := range sets {
				if _, err := d.Decide(space.Set{uint64(k)}); err != nil {
					b.Fatal(err)
				}
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*sets), "ns/set")
	})
	b.Run("fast", func(b *testing.B) {
		for b.Loop() {
			for k := range sets {
				f.Acyclic(space.Set{uint64(k)})
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*sets), "ns/set")
	})
	b.Run("z3", func(b *testing.B) {
		if !smt.Available() {
			b.Skip("built without Z3")
		}
		for b.Loop() {
			for k := 0; k < sets; k += 64 {
				if _, err := ClosedWalk(b.Context(), s, space.Set{uint64(k)}, smt.Limit{}); err != nil {
					b.Fatal(err)
				}
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*(sets/64)), "ns/set")
	})
}
