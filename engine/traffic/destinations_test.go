package traffic

import (
	"strconv"
	"testing"
)

// firstDestinations has for each pattern that draws nothing the first destination of hosts 0 to 15 of a
// 4x4 mesh, as hexadecimal digits. A program without our code computed them from the definitions of the
// patterns. Patterns that draw or read a file are in drawnPatterns, and have tests of their own.
var firstDestinations = map[string]string{
	"transpose":      "048c159d26ae37bf",
	"anti-transpose": "fb73ea62d951c840",
	"shuffle":        "02468ace13579bdf",
	"bit-rotation":   "08192a3b4c5d6e7f",
	"bit-complement": "fedcba9876543210",
	"bit-reversal":   "084c2a6e195d3b7f",
	"tornado":        "56749ab8defc1230",
	"shift":          "56789abcdef01234",
	"neighbour":      "56749ab8defc1230",
	"all-to-all":     "123456789abcdef0",
}

var drawnPatterns = map[string]bool{"uniform": true, "uniform-self": true, "hotspot": true, "random-pair": true, "permutation": true, "matrix": true}

// TestFirstDestinations checks each pattern against firstDestinations.
func TestFirstDestinations(t *testing.T) {
	n := network(t, "mesh:4x4")
	for _, k := range Kinds() {
		want, known := firstDestinations[k.Name]
		switch {
		case drawnPatterns[k.Name]:
			continue
		case !known:
			t.Errorf("pattern %s has no expected destinations; add them to firstDestinations in engine/traffic/destinations_test.go", k.Name)
			continue
		}
		spec := k.Name
		if spec == "shift" {
			spec += ":5"
		}
		got := ""
		for _, d := range dests(pattern(t, spec, n, 1), n) {
			got += strconv.FormatInt(int64(d), 16)
		}
		if got != want {
			t.Errorf("pattern %s: destinations %s, want %s", spec, got, want)
		}
	}
}
