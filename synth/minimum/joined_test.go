package minimum

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/internal/modeltest"
)

// TestJoined checks that the incremental update gives the same rows and counts as a new computation,
// also after a move is undone.
func TestJoined(t *testing.T) {
	moves := 0
	rapid.Check(t, func(rt *rapid.T) {
		x := newInstance(modeltest.Network(rt, 9))
		x.both = rapid.Bool().Draw(rt, "both")
		if len(x.turns) == 0 {
			return
		}
		a := x.anneal(t.Context(), rapid.Uint64().Draw(rt, "seed"), 1, true, nil, nil)
		for range 100 {
			c := a.random.IntN(x.channels())
			old, before := a.key[c], [][]uint64{slices.Clone(a.reach.row), slices.Clone(a.reach.from)}
			apart := a.reach.apart
			a.key[c] = a.random.Float64()
			a.moved(int32(c), old)
			if a.random.IntN(3) == 0 {
				a.key[c] = old
				if a.reach.takeBack(); a.reach.apart != apart || !slices.Equal(a.reach.row, before[0]) || !slices.Equal(a.reach.from, before[1]) {
					rt.Fatal("what was taken back is not as it was")
				}
			}
			row, from, apart := slices.Clone(a.reach.row), slices.Clone(a.reach.from), a.reach.apart
			missed := slices.Clone(a.reach.missed)
			if a.join(); a.reach.apart != apart || !slices.Equal(row, a.reach.row) || !slices.Equal(from, a.reach.from) || !slices.Equal(missed, a.reach.missed) {
				rt.Fatalf("%d pairs apart, %d computed again", apart, a.reach.apart)
			}
			moves++
		}
	})
	if moves < 1000 {
		t.Errorf("%d moves only", moves)
	}
}

// BenchmarkAnneal is moves with all pairs of 64 switches counted.
func BenchmarkAnneal(b *testing.B) {
	x := newInstance(network(b, "random:switches=64,degree=4,seed=1"))
	for b.Loop() {
		a := x.anneal(b.Context(), 1, 100_000, true, nil, nil)
		b.ReportMetric(float64(a.least), "turns")
	}
}
