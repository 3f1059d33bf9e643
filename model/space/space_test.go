package space

import "testing"

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
