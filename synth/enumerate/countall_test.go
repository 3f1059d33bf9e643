package enumerate

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model/space"
	"github.com/turnproof/turnproof/synth/sat"
)

// TestCountTorus counts all 2^40 sets of two-dimensional tori with one VC, and holds the counts against a second
// count from the maximal sets, against families of 2^12 sets one by one, and against a random sample.
func TestCountTorus(t *testing.T) {
	if !longtest.On() {
		t.Skip("TURNPROOF_LONG=1 runs it")
	}
	e := enumerator(t, "torus:2", space.Options{})
	counts, err := e.Count(t.Context(), All)
	if err != nil || counts.Free.String() != "47128544721" || counts.Connected.String() != "11452088832" {
		t.Fatalf("%v, %v", counts, err)
	}
	b, err := e.Border(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	all := e.Space.All()

	// A set is free if its prohibited turns contain those of a maximal set.
	var prohibited []space.Set
	for _, set := range b.Maximal {
		prohibited = append(prohibited, all.Minus(set))
	}
	others, err := e.countLacking(t.Context(), prohibited, nil)
	if err != nil || others.Add(others, counts.Free).Cmp(new(big.Int).Lsh(big.NewInt(1), 40)) != 0 {
		t.Errorf("free and other sets together: %v, %v; want 2^40", others, err)
	}

	apart := e.apart(b.Conflicts)
	apart.find(t.Context())
	contains := func(set space.Set, list []space.Set) bool {
		for _, x := range list {
			if x.Within(set) {
				return true
			}
		}
		return false
	}
	random := rand.New(rand.NewPCG(1, 1))
	for range 8 {
		base, turns := b.Maximal[random.IntN(len(b.Maximal))], random.Perm(40)[:12]
		for k := range 1 << len(turns) {
			set := base
			for i, turn := range turns {
				if set = set.Without(turn); k>>i&1 == 1 {
					set = set.With(turn)
				}
			}
			free := e.Free(set)
			if free == contains(set, b.Conflicts) || (free && !e.Connected(set)) == contains(set, apart.least) {
				t.Fatalf("%v: free %v, connected %v", e.Space.Names(set), free, e.Connected(set))
			}
		}
	}

	const samples = 1 << 20
	free, connected := 0, 0
	for range samples {
		if set := (space.Set{random.Uint64() >> 24}); e.Free(set) {
			if free++; e.Connected(set) {
				connected++
			}
		}
	}
	for _, x := range []struct {
		hits int
		want *big.Int
	}{{free, counts.Free}, {connected, counts.Connected}} {
		share := float64(x.want.Int64()) / (1 << 40)
		if off := float64(x.hits)/samples - share; math.Abs(off) > 5*math.Sqrt(share/samples) {
			t.Errorf("%d of %d random sets, want a share of %f", x.hits, samples, share)
		}
	}
}

// TestFewestByPlanes joins the sets of two dimensions with the fewest prohibited turns to those of three. In two dimensions
// the result is that of the solver.
func TestFewestByPlanes(t *testing.T) {
	if !longtest.On() {
		t.Skip("TURNPROOF_LONG=1 runs it")
	}
	for _, c := range []struct {
		name        string
		sets, turns int
	}{{"torus:2", 172, 12}, {"torus:3", 5312, 30}} {
		e := enumerator(t, c.name, space.Options{})
		sets, k, err := e.fewestByPlanes(t.Context())
		if err != nil || k != c.turns || len(sets) != c.sets {
			t.Errorf("%s: %d sets of %d turns, %v; want %d of %d", c.name, len(sets), k, err, c.sets, c.turns)
		}
		for _, set := range sets[:min(len(sets), 200)] {
			if set.Len() != len(e.Space.Turns)-c.turns || !e.Free(set) || !e.Connected(set) || !e.Maximal(set) {
				t.Fatalf("%s: %v", c.name, e.Space.Names(set))
			}
		}
		if c.name != "torus:2" {
			continue
		}
		if want, _, err := e.Fewest(t.Context(), sat.New); err != nil || !slices.Equal(sets, want) {
			t.Errorf("%s: not the sets of the solver, %v", c.name, err)
		}
	}
}
