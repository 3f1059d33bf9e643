package enumerate

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model/space"
	"github.com/turnproof/turnproof/synth/sat"
)

// given makes a space of the conditions on the moves of directions, those of a cable one after the
// other.
func given(t *testing.T, moves ...string) *space.Space {
	t.Helper()
	coordinates := "x, y"
	if strings.Contains(strings.Join(moves, ""), "z") {
		coordinates = "x, y, z"
	}
	text := "coordinates: [" + coordinates + "]\ndirections:\n"
	for i, m := range moves {
		text += fmt.Sprintf("  - {name: d%d, reverse: d%d, moves: [%s]}\n", i, i^1, m)
	}
	s, err := space.ParseGiven([]byte(text), space.Options{})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return s
}

// TestGivenSymmetries checks the symmetry groups of well-known lattices, for several ways to write
// their moves.
func TestGivenSymmetries(t *testing.T) {
	for _, c := range []struct {
		name  string
		moves []string
		want  int
	}{
		{"square", []string{"x = 1, y = 0", "x = -1, y = 0", "x = 0, y = 1", "x = 0, y = -1"}, 8},
		{"square, sheared", []string{"x = 1, y = 1", "x = -1, y = -1", "x = 1, y = 2", "x = -1, y = -2"}, 8},
		{"hexagonal", []string{"x = 1, y = 0", "x = -1, y = 0", "x = 0, y = 1", "x = 0, y = -1", "x = -1, y = 1", "x = 1, y = -1"}, 12},
		{"two speeds", []string{"x = 1, y = 0", "x = -1, y = 0", "x = 2, y = 0", "x = -2, y = 0"}, 2},
		{"cube", []string{"x = 1, y = 0, z = 0", "x = -1, y = 0, z = 0", "x = 0, y = 1, z = 0", "x = 0, y = -1, z = 0", "x = 0, y = 0, z = 1",
			"x = 0, y = 0, z = -1"}, 48},
		{"half planes", []string{"x >= 1", "x <= -1", "y >= 1", "y <= -1"}, 8},
		{"half planes of two kinds", []string{"x >= 1", "x <= -1", "y >= 2", "y <= -2"}, 4},
		{"the same twice", []string{"x >= 1", "x <= -1", "x >= 1", "x <= -1"}, 4},
	} {
		if got := len(given(t, c.moves...).Symmetries); got != c.want {
			t.Errorf("%s: %d symmetries, want %d", c.name, got, c.want)
		}
	}
}

// TestGivenAsMesh: directions of a mesh in a file give the counts of the mesh.
func TestGivenAsMesh(t *testing.T) {
	file := enumeratorOf(t, given(t, "x = 1, y = 0", "x = -1, y = 0", "x = 0, y = 1", "x = 0, y = -1"))
	s, err := space.Parse("mesh:2", space.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var counts []string
	for _, e := range []*Enumerator{file, enumeratorOf(t, s)} {
		tally, err := e.Count(context.Background(), All)
		if err != nil {
			t.Fatal(err)
		}
		counts = append(counts, fmt.Sprint(tally.Free, tally.Classes, tally.Reversal))
	}
	if counts[0] != "221 36 27" || counts[1] != counts[0] {
		t.Errorf("%v, want 221 36 27 twice", counts)
	}
}

func enumeratorOf(t *testing.T, s *space.Space) *Enumerator {
	t.Helper()
	e, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestGivenSymmetriesKeepVerdicts: no symmetry of random directions changes the verdict of a set.
func TestGivenSymmetriesKeepVerdicts(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 9))
	sums := map[[2]int]string{{-1, -1}: "0 - x - y", {-1, 0}: "0 - x", {-1, 1}: "y - x", {0, -1}: "0 - y", {0, 1}: "y", {1, -1}: "x - y", {1,
		0}: "x", {1, 1}: "x + y"}
	shared := 0
	for range longtest.Share(150, 3) {
		var moves []string
		for range 2 + random.IntN(2) {
			a, b, least := random.IntN(3)-1, random.IntN(3)-1, 1+random.IntN(2)
			switch {
			case random.IntN(2) == 0 && (a != 0 || b != 0):
				moves = append(moves, fmt.Sprintf("%s >= %d", sums[[2]int{a, b}], least), fmt.Sprintf("%s <= -%d", sums[[2]int{a, b}], least))
			default:
				moves = append(moves, fmt.Sprintf("x = %d, y = %d", a, b), fmt.Sprintf("x = %d, y = %d", -a, -b))
			}
		}
		s := given(t, moves...)
		if len(s.Symmetries) == 1 {
			continue
		}
		e, err := New(s)
		if err != nil {
			continue // directions share moves
		}
		shared++
		for range 15 {
			var set space.Set
			for i := range s.Turns {
				if random.IntN(2) == 0 {
					set = set.With(i)
				}
			}
			free := e.Free(set)
			for _, g := range s.Symmetries {
				if e.Free(set.Map(s.Image(g))) != free {
					t.Fatalf("%v: %v is free: %v, its image under %v is not", moves, s.Names(set), free, g)
				}
			}
		}
	}
	if shared < longtest.Share(20, 3) {
		t.Errorf("only %d spaces with symmetries", shared)
	}
}

// TestFewestWantsConnected checks that fewest is refused for spaces in which connected is not
// decided.
func TestFewestWantsConnected(t *testing.T) {
	e := enumeratorOf(t, given(t, "x = 1, y = 0", "x = -1, y = 0", "x = 0, y = 1", "x = 0, y = -1"))
	sets, _, err := e.Fewest(t.Context(), sat.New)
	if err == nil || sets != nil || !strings.Contains(err.Error(), "connected is not decided") {
		t.Errorf("%d sets, %v", len(sets), err)
	}
}
