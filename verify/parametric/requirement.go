package parametric

import (
	"cmp"
	"slices"

	"github.com/turnproof/turnproof/verify/smt"
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

// dependencies requires that every dependency of an escape rises, without one that all
// do.
func (s *system) dependencies(e *escape) requirement {
	byPair := map[pair][][2]class{}
	for key := range s.edges {
		p := pair{key[0].node(), key[1].node()}
		if key[0] != injected && e.ranks(p.from) && len(s.escaping(e, key)) > 0 {
			byPair[p] = append(byPair[p], key)
		}
	}
	r := requirement{pairs: sortedPairs(byPair), script: s.script}
	for _, keys := range byPair {
		slices.SortFunc(keys, func(a, b [2]class) int {
			return cmp.Or(compareClasses(a[0], b[0]), compareClasses(a[1], b[1]))
		})
	}
	r.text = func(p pair) string {
		var parts []string
		for _, key := range byPair[p] {
			parts = append(parts, and(s.on(key[0]), s.onward(s.escaping(e, key), key[1])))
		}
		return or(parts...)
	}
	for _, d := range s.facts.dependencies {
		if e.has(d) {
			r.known = append(r.known, d)
		}
	}
	return r
}

// escaping are the paths of a move whose output is one of the escape.
func (s *system) escaping(e *escape, key [2]class) (list []int) {
	for _, i := range s.moves[key] {
		if e.leads(&s.paths[i], key[1]) {
			list = append(list, i)
		}
	}
	return list
}
