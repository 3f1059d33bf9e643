package topo

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestUnevenDegrees checks degrees for which no random exchange helps: networks are still
// simple, connected and of the drawn degrees.
func TestUnevenDegrees(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 0))
		r := RandomNetwork{Switches: 4 + int(seed%20), Degree: 1}
		r.MaxDegree = r.Switches - 1
		degree, sum := r.drawDegrees(rng)
		if !r.isPossible(degree, sum) {
			continue
		}
		s := newSwitcher(degree, true, rng)
		s.havelHakimi(degree)
		connect(s.edges, r.Switches, rng)
		seen := map[uint64]bool{}
		for _, e := range s.edges {
			if e[0] == e[1] || seen[e.key()] {
				t.Fatalf("seed %d: link %v twice or a loop", seed, e)
			}
			seen[e.key()] = true
			degree[e[0]]--
			degree[e[1]]--
		}
		if len(newComponents(s.edges, r.Switches)) != 1 || slices.ContainsFunc(degree, func(k int32) bool { return k != 0 }) {
			t.Fatalf("seed %d: not connected, or ports left: %v", seed, degree)
		}
		if _, err := Random(RandomNetwork{Switches: r.Switches, Degree: 1, MaxDegree: r.MaxDegree, Seed: seed}, Options{}); err != nil {
			t.Error(err)
		}
	}
}

// TestLastPartner checks that a loop is removed if only one exchange can remove it.
func TestLastPartner(t *testing.T) {
	s := &switcher{rng: rand.New(rand.NewPCG(1, 0)), edges: []edge{{0, 0}}}
	for range 100_000 {
		s.edges = append(s.edges, edge{0, 1})
	}
	s.edges = append(s.edges, edge{1, 2})
	if !s.repair() || s.edges[0] != (edge{0, 1}) || s.edges[100_001] != (edge{0, 2}) {
		t.Errorf("%v ... %v", s.edges[0], s.edges[100_001])
	}
}

// TestPossibleDegrees compares the condition of Erdős and Gallai with the rule of Havel and
// Hakimi on all short lists of degrees.
func TestPossibleDegrees(t *testing.T) {
	const n = 6
	r := RandomNetwork{Switches: n, Degree: 1, MaxDegree: n - 1}
	for code := range 5 * 5 * 5 * 5 * 5 * 5 {
		degree, sum := make([]int32, n), 0
		for u := range degree {
			degree[u] = int32(1 + code%5)
			sum += int(degree[u])
			code /= 5
		}
		if sum%2 == 0 && sum >= 2*(n-1) && r.isPossible(degree, sum) != graphical(append([]int32(nil), degree...)) {
			t.Fatalf("degrees %v: possible is %v", degree, r.isPossible(degree, sum))
		}
	}
}

// graphical applies the rule of Havel and Hakimi: it reports whether a simple graph has these
// degrees.
func graphical(d []int32) bool {
	for len(d) > 0 {
		slices.SortFunc(d, func(a, b int32) int { return int(b - a) })
		k := int(d[0])
		d = d[1:]
		if k > len(d) {
			return false
		}
		for i := range k {
			if d[i]--; d[i] < 0 {
				return false
			}
		}
	}
	return true
}
