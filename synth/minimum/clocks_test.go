package minimum

import (
	"reflect"
	"runtime"
	"testing"
	"time"
)

// TestSameResult checks that a search which ends within its time gives the same set and the same
// evidence in every run, whichever of the two searches the machine runs faster.
func TestSameResult(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, c := range []struct {
		spec string
		both bool
	}{{"fattree:k=4,levels=2", false}, {"ring:3", true}, {"torus:3x3", true}, {"random:switches=8,degree=3,seed=3",
		false}, {"random:switches=8,degree=3,seed=5", true}} {
		n := network(t, c.spec)
		var first *Result
		for run := range 12 {
			runtime.GOMAXPROCS(1 + run%2)
			improved := func(least, bound int) { time.Sleep(time.Duration((least*7+bound*5)*run%4) * time.Millisecond) }
			r, err := Find(t.Context(), n, Options{Time: time.Hour, Both: c.both, Improved: improved})
			if err != nil || r.Least != r.Bound {
				t.Fatalf("%s: %+v, %v", c.spec, r, err)
			}
			if r.Gossip == r.Bound {
				r.Packing = nil // shows nothing more, and may be cut off at any time
			}
			if first == nil {
				first = r
			}
			if !reflect.DeepEqual(r.Allowed, first.Allowed) || !reflect.DeepEqual(r.Packing, first.Packing) || !reflect.DeepEqual(r.Steps, first.Steps) {
				t.Errorf("%s, run %d: another result of the same search", c.spec, run)
			}
		}
	}
}

// TestOver: the search goes on while the search for a bound may still find a set with less work.
func TestOver(t *testing.T) {
	for _, c := range []struct {
		least, bound  int
		foundAt, work int64
		ended, want   bool
	}{
		{5, 4, 0, 100, true, false},
		{4, 4, 10, 0, false, true},
		{4, 4, 11, 0, false, false},
		{4, 4, 11, 1, false, true},
		{4, 4, 11, 0, true, true},
	} {
		h := &hunt{result: Result{Least: c.least, Bound: c.bound}, clocks: clocks{headStart: 10, foundAt: c.foundAt, work: c.work, ended: c.ended}}
		if h.over() != c.want {
			t.Errorf("%+v", c)
		}
	}
}

// TestDecided: of two equally small sets the one found after less work remains.
func TestDecided(t *testing.T) {
	for _, c := range []struct{ foundAt, work, want int64 }{{10, 0, 1}, {14, 4, 1}, {14, 3, 2}} {
		h := &hunt{best: []int32{1}, result: Result{Least: 4, Bound: 4}, clocks: clocks{headStart: 10, moves: 20, foundAt: c.foundAt}}
		if h.decided(t.Context(), []int32{2}, 4, c.work); int64(h.best[0]) != c.want {
			t.Errorf("%+v: set %d remains", c, h.best[0])
		}
	}
}
