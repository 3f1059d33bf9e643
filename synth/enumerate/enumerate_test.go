package enumerate

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model/space"
	"github.com/turnproof/turnproof/synth/sat"
)

func enumerator(t testing.TB, name string, o space.Options) *Enumerator {
	t.Helper()
	s, err := space.Parse(name, o)
	if err != nil {
		t.Fatal(err)
	}
	e, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// everySet is the oracle: all sets one by one.
func everySet(e *Enumerator) (free, maximal, conflicts []space.Set, connected int) {
	s := e.Space
	is := make([]bool, 1<<len(s.Turns))
	for k := range is {
		is[k] = e.Free(space.Set{uint64(k)})
	}
	for k := range is {
		set, largest, smallest := space.Set{uint64(k)}, is[k], !is[k]
		for t := range s.Turns {
			if bit := 1 << t; k&bit == 0 {
				largest = largest && !is[k|bit]
			} else {
				smallest = smallest && is[k&^bit]
			}
		}
		if is[k] {
			if free = append(free, set); e.Connected(set) {
				connected++
			}
		}
		if largest {
			maximal = append(maximal, set)
		}
		if smallest {
			conflicts = append(conflicts, set)
		}
	}
	return free, maximal, conflicts, connected
}

// TestCounts compares the counts, the classes by Burnside's lemma, and the border with an enumeration of all sets.
func TestCounts(t *testing.T) {
	for _, c := range []struct {
		name string
		o    space.Options
	}{
		{"mesh:1", space.Options{}}, {"mesh:1", space.Options{UTurns: true}}, {"mesh:2", space.Options{}}, {"mesh:2",
			space.Options{UTurns: true}}, {"hv", space.Options{}}, {"updown", space.Options{}},
		{"hv", space.Options{Tree: space.AnyCoordinates}}, {"hv", space.Options{Tree: space.CanonicalTree}}, {"torus:1",
			space.Options{}}, {"torus:2,vcs=2", space.Options{}}, {"torus:2,vcs=2,rule=nf+1", space.Options{}},
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			e := enumerator(t, c.name, c.o)
			free, maximal, conflicts, connected := everySet(e)
			tally, err := e.Count(t.Context(), All)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := fmt.Sprint(tally.Free, tally.Connected), fmt.Sprint(len(free), connected); got != want {
				t.Errorf("free, connected: %s, want %s", got, want)
			}
			_, k, r := e.Group(free)
			if got, want := fmt.Sprint(tally.Classes, tally.Reversal), fmt.Sprint(int64(k), int64(r)); got != want {
				t.Errorf("classes: %s, want %s", got, want)
			}
			b, err := e.Border(t.Context(), 0)
			if err != nil || !b.Complete {
				t.Fatal(err)
			}
			sortSets(maximal)
			sortSets(conflicts)
			if !slices.Equal(b.Maximal, maximal) || !slices.Equal(b.Conflicts, conflicts) {
				t.Errorf("%d maximal sets, %d conflicts; want %d, %d", len(b.Maximal), len(b.Conflicts), len(maximal), len(conflicts))
			}
		})
	}
}

// TestChoices checks the sets that prohibit one turn of each cycle. 12 of 16 sets and their 3
// classes are published by Glass and Ni, ISCA 1992; 176 of 4,096 is published for three
// dimensions.
func TestChoices(t *testing.T) {
	for _, c := range []struct {
		name            string
		sets, free      int64
		classes, turned int64
	}{{"mesh:2", 16, 12, 3, 2}, {"mesh:3", 4096, 176, 9, 5}, {"mesh:4", 1 << 24, 3472, 27, 14}, {"hv", 333, 109, 56, 54}} {
		e := enumerator(t, c.name, space.Options{})
		sets, list, err := e.Choose(5000)
		if err != nil || sets.Int64() != c.sets {
			t.Fatalf("%s: %v sets, %v", c.name, sets, err)
		}
		var free []space.Set
		for _, set := range list {
			if e.Free(set) {
				free = append(free, set)
			}
		}
		if list == nil {
			err := e.Each(t.Context(), func(set space.Set) bool {
				free = append(free, set)
				return true
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if c.name != "hv" {
			tally, err := e.Count(t.Context(), OnePerCycle)
			if err != nil || tally.Free.Int64() != int64(len(free)) {
				t.Errorf("%s: counted %v, listed %d, %v", c.name, tally.Free, len(free), err)
			}
			if err == nil && (tally.Classes.Int64() != c.classes || tally.Reversal.Int64() != c.turned) {
				t.Errorf("%s: by Burnside's lemma %v classes, %v with reversal", c.name, tally.Classes, tally.Reversal)
			}
		}
		if _, k, r := e.Group(free); int64(len(free)) != c.free || int64(k) != c.classes || int64(r) != c.turned {
			t.Errorf("%s: %d free in %d classes, %d with reversal", c.name, len(free), k, r)
		}
	}
}

// TestByOrders checks that the shapes of ranks give the same maximal sets as the border.
func TestByOrders(t *testing.T) {
	for _, c := range []struct {
		name    string
		uTurns  bool
		maximal int
	}{{"mesh:1", true, 2}, {"mesh:2", false, 12}, {"mesh:2", true, 20}, {"mesh:3", false, 188}} {
		e := enumerator(t, c.name, space.Options{UTurns: c.uTurns})
		list, err := e.ByOrders(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		b, err := e.Border(t.Context(), 0)
		if err != nil {
			t.Fatal(err)
		}
		if len(list) != c.maximal || !slices.Equal(list, b.Maximal) {
			t.Errorf("%s: %d by orders, %d by the border, %d expected", c.name, len(list), len(b.Maximal), c.maximal)
		}
	}
}

// TestPolicy checks the policy of the 2-D turn model paper. Four of the maximal connected sets of
// H/V graphs follow it, and these are the sets of the paper. On canonical trees, where no path
// makes the turn RD>LU, the sets also allow this turn.
func TestPolicy(t *testing.T) {
	for tree, want := range map[space.Tree][2]int{space.AnyTree: {4, 2}, space.CanonicalTree: {4, 2}} {
		e := enumerator(t, "hv", space.Options{Tree: tree})
		b, err := e.Border(t.Context(), 0)
		if err != nil {
			t.Fatal(err)
		}
		got := [2]int{}
		for _, set := range b.Maximal {
			switch {
			case !e.Connected(set):
			case e.Space.PolicyKept(set):
				got[0]++
			default:
				got[1]++
			}
		}
		if got != want {
			t.Errorf("%s: %v, want %v", tree, got, want)
		}
	}
}

// TestBasicCycles checks the conflicts of H/V graphs. There are 20, and L1 to L7 are among them.
// If P1 of the 2-D turn model paper is prohibited, L4 to L7 are left, as in figure 8.
func TestBasicCycles(t *testing.T) {
	e := enumerator(t, "hv", space.Options{})
	b, err := e.Border(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	p1, err := e.Space.ParseSet("LD>LU RU>LU RD>LU")
	if err != nil {
		t.Fatal(err)
	}
	var left []space.Set
	for _, set := range b.Conflicts {
		if set.Minus(p1) == set {
			left = append(left, set)
		}
	}
	var want []space.Set
	for i, cycle := range e.Space.Basic {
		var set space.Set
		for _, turn := range cycle {
			set = set.With(turn)
		}
		if !slices.Contains(b.Conflicts, set) {
			t.Errorf("L%d is no smallest cycle", i+1)
		}
		if i >= 3 {
			want = append(want, set)
		}
	}
	sortSets(want)
	if len(b.Conflicts) != 20 || !slices.Equal(left, want) {
		t.Errorf("%d conflicts, %d without a turn of P1", len(b.Conflicts), len(left))
	}
}

// TestLimits checks that a search that reaches a limit says so, and that a canceled search fails.
func TestLimits(t *testing.T) {
	e := enumerator(t, "torus:2", space.Options{})
	b, err := e.Border(t.Context(), 50)
	if err != nil || b.Complete || len(b.Maximal) < 50 {
		t.Errorf("%+v, %v", b, err)
	}
	for _, set := range b.Maximal {
		if !e.Maximal(set) || !e.Free(set) {
			t.Errorf("%v is not maximal", e.Space.Names(set))
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.Count(ctx, All); err == nil {
		t.Error("counted though it was called off")
	}
	if _, err := enumerator(t, "torus:3", space.Options{}).Count(t.Context(), All); err == nil || !strings.Contains(err.Error(), "--choices fewest") {
		t.Errorf("2^108 sets: %v", err)
	}
	if _, err := enumerator(t, "mesh:5", space.Options{}).Count(ctx, OnePerCycle); err == nil {
		t.Error("counted though it was called off")
	}
}

// TestFewest holds the sets that prohibit fewest turns against all maximal ones.
func TestFewest(t *testing.T) {
	for _, name := range []string{"mesh:2", "mesh:3", "torus:1", "torus:1,vcs=2", "torus:2,vcs=2,rule=nf+1", "torus:2,vcs=2,rule=keep",
		"torus:2,vcs=2,rule=reset", "hv", "updown"} {
		e := enumerator(t, name, space.Options{})
		b, err := e.Border(t.Context(), 0)
		if err != nil || !b.Complete {
			t.Fatal(err)
		}
		var want []space.Set
		fewest := len(e.Space.Turns) + 1
		for _, set := range b.Maximal {
			if k := len(e.Space.Turns) - len(set.List()); e.Connected(set) && k <= fewest {
				if k < fewest {
					want = nil
				}
				want, fewest = append(want, set), k
			}
		}
		got, k, err := e.Fewest(t.Context(), sat.New)
		if err != nil || k != fewest || !slices.Equal(got, want) {
			t.Errorf("%s: %d sets of %d turns, %v; want %d of %d", name, len(got), k, err, len(want), fewest)
		}
	}
}

// TestFewestOnTorus checks that sets of tori of two dimensions with one VC prohibit at least
// twelve of the 40 class turns.
func TestFewestOnTorus(t *testing.T) {
	e := enumerator(t, "torus:2", space.Options{})
	sets, k, err := e.Fewest(t.Context(), sat.New)
	if err != nil || k != 12 || len(sets) != 172 {
		t.Fatalf("%d sets of %d turns, %v", len(sets), k, err)
	}
	for _, set := range sets {
		if !e.Free(set) || !e.Connected(set) || !e.Maximal(set) {
			t.Fatalf("%v", e.Space.Names(set))
		}
	}
}
