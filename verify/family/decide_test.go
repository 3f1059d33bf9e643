package family

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model/space"
	"github.com/turnproof/turnproof/verify/cert"
)

func parse(t testing.TB, name string, o space.Options) (*space.Space, *Decider, *Connector) {
	t.Helper()
	s, err := space.Parse(name, o)
	if err != nil {
		t.Fatal(err)
	}
	c, err := NewConnector(s)
	if err != nil {
		t.Fatal(err)
	}
	return s, New(s), c
}

// TestEverySet decides all sets of small spaces and compares the counts. For the 2-D mesh, Glass and
// Ni 1992 have 12 of 16 choices without cycles. Searches of this test and TestAgainstGrids
// agree on the other counts.
func TestEverySet(t *testing.T) {
	for _, c := range []struct {
		name                     string
		tree                     space.Tree
		free, connected, minimal int
	}{
		{"mesh:1", "", 1, 1, 0}, {"mesh:2", "", 221, 50, 6}, {"updown", "", 3, 1, 1}, {"hv", "", 1121, 328, 20}, {"hv", space.AnyCoordinates, 1121, 0, 20}, {"hv", space.CanonicalTree, 1646, 656, 13},
		{"torus:1", "", 9, 9, 2}, {"torus:2,vcs=2,rule=reset", "", 79, 78, 6}, {"torus:2,vcs=2,rule=keep", "", 221, 208, 6}, {"torus:2,vcs=2,rule=stop", "", 221, 172, 6}, {"torus:2,vcs=2,rule=nf+1", "", 207, 200, 4},
	} {
		t.Run(c.name+" "+string(c.tree), func(t *testing.T) {
			if c.tree != "" || strings.HasPrefix(c.name, "torus:2") && !strings.HasSuffix(c.name, "nf+1") {
				longtest.Only(t, "H/V graphs and tori with the rule nf+1 are decided")
			}
			t.Parallel()
			s, d, con := parse(t, c.name, space.Options{Tree: c.tree})
			every, everySmall := 251, 7 // making certificates is slow
			if os.Getenv("TURNPROOF_LONG") != "" {
				every, everySmall = 5, 1
			}
			if len(s.Turns) <= 8 {
				every = everySmall
			}
			verdicts := make([]*Verdict, 1<<len(s.Turns))
			free, connected, minimal := 0, 0, 0
			for k := range verdicts {
				set := space.Set{uint64(k)}
				var err error
				if verdicts[k], err = d.Decide(set); err != nil {
					t.Fatal(err)
				}
				e := Evidence{Verdict: verdicts[k], Connected: con.Connected(set)}
				if verdicts[k].Acyclic {
					if free++; e.Connected {
						connected++
					}
				}
				if !e.Connected {
					e.Apart, e.From, e.To = con.Unreached(set)
				}
				if k%every != 0 {
					continue
				}
				if _, err := d.Certificate(set, e); err != nil {
					t.Fatalf("%v: %v", s.Names(set), err)
				}
			}
			for k, v := range verdicts {
				if v.Acyclic || !minimalIn(verdicts, k) {
					continue
				}
				minimal++
				refuted(t, s, d, space.Set{uint64(k)})
			}
			if got, want := fmt.Sprint(free, connected, minimal), fmt.Sprint(c.free, c.connected, c.minimal); got != want {
				t.Errorf("free, connected, minimal with a cycle: %s, want %s", got, want)
			}
		})
	}
}

func minimalIn(verdicts []*Verdict, k int) bool {
	for m := k; m != 0; m &= m - 1 {
		if !verdicts[k&^(m&-m)].Acyclic {
			return false
		}
	}
	return true
}

// refuted checks that a set that is not acyclic has a witness that the checker accepts, and
// that the routing by shortest paths deadlocks on it.
func refuted(t *testing.T, s *space.Space, d *Decider, set space.Set) {
	t.Helper()
	w, err := d.Refute(t.Context(), set)
	if err != nil || w == nil {
		t.Errorf("%v: no witness, %v", s.Names(set), err)
		return
	}
	if _, err := d.Certificate(set, Evidence{Witness: w}); err != nil {
		t.Errorf("%v: %v", s.Names(set), err)
	}
	if used, err := w.Used(t.Context(), set); err != nil || !used {
		t.Errorf("%v: shortest paths do not freeze on %d switches, %v", s.Names(set), w.Net.NumSwitches(), err)
	}
}

// TestRejected checks that the evidence for one set is rejected for another.
func TestRejected(t *testing.T) {
	for _, name := range []string{"mesh:2", "hv", "torus:2,vcs=2,rule=stop"} {
		s, d, con := parse(t, name, space.Options{})
		rejected := 0
		for k := range 1 << len(s.Turns) {
			set := space.Set{uint64(k)}
			v, err := d.Decide(set)
			if err != nil {
				t.Fatal(err)
			}
			if !v.Acyclic || k%7 != 0 {
				continue
			}
			c, err := d.Certificate(set, Evidence{Verdict: v, Connected: con.Connected(set)})
			if err != nil {
				t.Fatal(err)
			}
			for turn := range s.Turns {
				more := set.With(turn)
				w, err := d.Decide(more)
				if err != nil {
					t.Fatal(err)
				}
				c.Subject.Family.Allowed = s.Names(more)
				if err := cert.Check(c); err != nil {
					rejected++
				} else if !w.Acyclic {
					t.Errorf("%s: %v is accepted", name, s.Names(more))
				}
			}
		}
		if rejected == 0 {
			t.Errorf("%s: nothing was rejected", name)
		}
	}
}

// TestFast compares Fast with Decide.
func TestFast(t *testing.T) {
	for _, name := range []string{"mesh:2", "mesh:3", "mesh:5", "mesh:6", "torus:2", "hv", "torus:2,vcs=2,rule=nf+1"} {
		s, d, _ := parse(t, name, space.Options{UTurns: name == "mesh:3" || name == "mesh:5"})
		f := NewFast(d)
		random := rand.New(rand.NewPCG(1, 2))
		free := 0
		for range 400 {
			var set space.Set
			few := random.IntN(max(4, len(s.Turns)/3)) + 1
			for turn := range s.Turns {
				if random.IntN(few) == 0 {
					set = set.With(turn)
				}
			}
			v, err := d.Decide(set)
			if err != nil || v.Acyclic != f.Acyclic(set) {
				t.Fatalf("%s: %v: %v, %v", name, s.Names(set), v.Acyclic, err)
			}
			if v.Acyclic {
				free++
			}
		}
		if free == 0 || free == 400 {
			t.Errorf("%s: %d of 400 are free", name, free)
		}
	}
}

// TestLeastGrid checks that no side of a refuting grid can be reduced by one.
func TestLeastGrid(t *testing.T) {
	plane, _, _ := parse(t, "mesh:2", space.Options{})
	for _, name := range []string{"mesh:2", "mesh:3"} {
		s, d, _ := parse(t, name, space.Options{})
		larger := 0
		for k := range 1 << len(plane.Turns) {
			if name == "mesh:3" && k%7 > 0 {
				continue // each set takes longer, and the third side is always 2
			}
			set, err := s.ParseSet(strings.Join(plane.Names(space.Set{uint64(k)}), " "))
			if err != nil {
				t.Fatal(err)
			}
			if v, err := d.Decide(set); err != nil || v.Acyclic {
				continue
			}
			w, err := d.Refute(t.Context(), set)
			if err != nil || w == nil {
				t.Fatal(w, err)
			}
			sides := slices.Clone(w.Net.Grid().Sides)
			for i := range sides {
				if sides[i] == 2 {
					continue
				}
				larger++
				sides[i]--
				if smaller, err := d.tryGrid(t.Context(), set, sides); err != nil || smaller != nil {
					t.Errorf("%v: a cycle on %v, too, %v", s.Names(set), sides, err)
				}
				sides[i]++
			}
		}
		if larger == 0 {
			t.Errorf("%s: no side is larger than 2", name)
		}
	}
}
