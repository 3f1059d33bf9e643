package space

import (
	"strings"
	"testing"
)

func TestSizes(t *testing.T) {
	for name, want := range map[string][3]int{ // turns, places, symmetries
		"mesh:2": {8, 4, 8}, "mesh:3": {24, 6, 48}, "mesh:6": {120, 12, 46080}, "torus:2": {40, 36, 8}, "torus:2,vcs=2": {8, 60, 8},
		"torus:2,vcs=2,rule=nf+1": {8, 60, 4}, "torus:3": {108, 162, 48}, "hv": {12, 4, 2}, "updown": {2, 2, 1},
	} {
		s, err := Parse(name, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := [3]int{len(s.Turns), len(s.Places), len(s.Symmetries)}; got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

// TestTurns checks that names and indices of class turns match, that symmetries permute class
// turns, and that Reversal is its own inverse.
func TestTurns(t *testing.T) {
	for _, name := range []string{"mesh:1", "mesh:3", "torus:1", "torus:2", "torus:2,vcs=2,rule=nf+1", "hv", "updown"} {
		for _, uTurns := range []bool{false, true} {
			if uTurns && (name == "hv" || name == "updown") {
				continue // refused
			}
			s, err := Parse(name, Options{UTurns: uTurns})
			if err != nil {
				t.Fatal(err)
			}
			all := s.All()
			if again, err := s.ParseSet(strings.Join(s.Names(all), " ")); err != nil || again != all || all.Len() != len(s.Turns) {
				t.Errorf("%s: %v, %v", name, s.Names(again), err)
			}
			for _, g := range s.Symmetries {
				if all.Map(s.Image(g)) != all {
					t.Errorf("%s: symmetry %v is no permutation of the turns", name, g)
				}
			}
			r := s.Reversal()
			for turn := range s.Turns {
				if r[r[turn]] != turn {
					t.Errorf("%s: %s turned round twice is %s", name, s.Turns[turn].Name, s.Turns[r[r[turn]]].Name)
				}
			}
		}
	}
	s, err := Parse("hv", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.ParseSet("LD>LU, LU<RD"); err == nil || !strings.Contains(err.Error(), `no class turn "LU<RD" (did you mean LU>RD?)`) {
		t.Error(err)
	}
}

// FuzzGiven checks that directions from a file are refused with a message or make a valid
// space.
func FuzzGiven(f *testing.F) {
	f.Add("coordinates: [x, y]\ndirections:\n  - {name: E, reverse: W, moves: [x = 1, y = 0]}\n  - {name: W, reverse: E, moves: [x = -1, y = 0]}\n")
	f.Add("coordinates: [x]\ndirections: [{name: a, reverse: b, moves: [2x + 3 >= 5 - x]}, {name: b, reverse: a, moves: [x<0]}]")
	f.Add("coordinates: [x]\ndirections: {name: a}\n")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseGiven([]byte(text), Options{})
		if err != nil {
			return
		}
		if len(s.Turns) > MaxTurns || len(s.Places) != len(s.Directions) {
			t.Errorf("%d turns, %d places, %d directions", len(s.Turns), len(s.Places), len(s.Directions))
		}
		for _, p := range s.Places {
			for _, c := range p.Move {
				if len(c.Head) != len(s.Coords) || len(c.Tail) != len(s.Coords) {
					t.Errorf("%s: %+v", p.Name, c)
				}
			}
		}
	})
}
