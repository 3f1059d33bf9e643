package parametric

import (
	"cmp"
	"slices"

	"github.com/turnproof/turnproof/verify/smt"
)

// This file defines which dependencies must increase the rank.

// requirement describes what a rank must satisfy.
type requirement struct {
	pairs  []pair              // pairs on which the rank must rise, sorted
	text   func(p pair) string // the formula under which the rank must rise on p
	ghost  bool                // the channel of p.from leads to the ghost, not to the current place
	known  []dependency        // exact dependencies of small networks
	fixed  tuples              // ranks that must not change
	script *smt.Script         // has the definitions that text uses
}

// dependencies requires that the rank rises on every dependency of escape e. If e is nil, it
// requires this for all dependencies.
func (s *system) dependencies(e *escape) requirement {
	byPair := map[pair][][2]class{}
	for key := range s.edges {
		p := pair{s.nodeOf(key[0]), s.nodeOf(key[1])}
		if key[0] != injected && e.isRanked(p.from) && len(s.escaping(e, key)) > 0 {
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
			parts = append(parts, and(s.onFormula(key[0]), s.moveFormula(s.escaping(e, key), key[1])))
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

// escaping returns the paths of a move whose output is in the escape.
func (s *system) escaping(e *escape, key [2]class) (list []int) {
	for _, i := range s.moves[key] {
		if e.leadsTo(&s.paths[i], key[1]) {
			list = append(list, i)
		}
	}
	return list
}
