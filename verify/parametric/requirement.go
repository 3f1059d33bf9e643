package parametric

import (
	"slices"

	"turnproof/verify/smt"
)

// This file says which dependencies a rank must raise.

// requirement is what a rank must do.
type requirement struct {
	pairs  []pair              // that must rise, ordered
	text   func(p pair) string // the formula under which p must
	ghost  bool                // the channel of p.from leads to the ghost, not to the place at hand
	known  []dependency        // exact dependencies of small networks
	fixed  tuples              // ranks that are given
	script *smt.Script         // that knows what text speaks of
}

// dependencies requires that every dependency between these nodes rises, all nodes if
// within is nil.
func (s *system) dependencies(within map[node]bool) requirement {
	byPair := map[pair][][2]class{}
	for key := range s.edges {
		p := pair{key[0].node(), key[1].node()}
		if key[0] != injected && (within == nil || within[p.from] && within[p.to]) {
			byPair[p] = append(byPair[p], key)
		}
	}
	r := requirement{pairs: sortedPairs(byPair), script: s.script}
	for p, keys := range byPair {
		slices.SortFunc(keys, func(a, b [2]class) int {
			if c := compareClasses(a[0], b[0]); c != 0 {
				return c
			}
			return compareClasses(a[1], b[1])
		})
		byPair[p] = keys
	}
	r.text = func(p pair) string {
		var parts []string
		for _, key := range byPair[p] {
			parts = append(parts, s.moving(key[0], key[1]))
		}
		return or(parts...)
	}
	for _, d := range s.facts.dependencies {
		if within == nil || within[d.from] && within[d.to] {
			r.known = append(r.known, d)
		}
	}
	return r
}
