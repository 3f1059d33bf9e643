package netprograms_test

import (
	"math/rand/v2"
	"testing"

	"github.com/turnproof/turnproof/model/netprograms"
	"github.com/turnproof/turnproof/model/program"
)

// TestRandom: random programs are programs.
func TestRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 46))
	for k := range 500 {
		text := netprograms.Random(r, netprograms.Options{VCs: 1 + k%2, Tree: k%4 > 1, Shape: netprograms.Shape(k % 12 / 4)})
		if _, err := program.Parse("random.star", text); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if k < 12 {
			t.Log(text)
		}
	}
}

// TestGraphs: the numbers of connected graphs are known (OEIS A001349).
func TestGraphs(t *testing.T) {
	for n, want := range []int{2: 1, 3: 2, 4: 6, 5: 21, 6: 112} {
		if n < 2 {
			continue
		}
		if got := len(netprograms.Graphs(n)); got != want {
			t.Errorf("%d connected graphs of %d switches; want %d", got, n, want)
		}
	}
}
