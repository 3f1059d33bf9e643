package everysize

import "slices"

// This file lists facts about two terms only: the premise of the program for both, its witnesses, and the premise for each of
// the two with each witness. Levels from numLevels on are these lists, one for each ordered pair of the terms of a hop. Such a list
// is much shorter than that of a level below, which has all pairs.

// focus returns the two terms of a level. ok is false if the level has none.
func focus(level int, base []term) (pair [2]term, ok bool) {
	terms := distinct(base)
	k := level - numLevels
	if k < 0 || k >= len(terms)*len(terms) {
		return pair, false
	}
	return [2]term{terms[k/len(terms)], terms[k%len(terms)]}, true
}

// levels returns the number of levels of a question about these terms.
func (t *netTheorem) levels(base []term) int {
	if t.premise == nil || !t.pairwise {
		return numLevels
	}
	n := len(distinct(base))
	return numLevels + n*n
}

// distinct returns the terms, each once, in order.
func distinct(terms []term) (list []term) {
	for _, a := range terms {
		if !slices.Contains(list, a) {
			list = append(list, a)
		}
	}
	return list
}

// listFocused lists the facts about two terms.
func (t *netTheorem) listFocused(pair [2]term, f *Formula, base []term) []*Formula {
	u := &universe{vocabulary: t.vocabulary, used: map[int]bool{}, done: map[int]bool{}, holds: map[int]bool{}, fails: map[int]bool{}}
	u.terms = distinct(base)
	u.tell(f)
	u.parts = nil
	u.notice()
	hop := len(u.terms)
	tell := func(a, b term) {
		u.tell(t.replace(t.premise, map[term]term{atCur: a, atDst: b}))
	}
	tell(pair[0], pair[1])
	u.witnesses()
	near := slices.Concat(pair[:], u.terms[hop:])
	for _, w := range near[2:] {
		for _, a := range pair {
			u.add(t.replace(t.premise, map[term]term{atCur: a, atDst: w}))
			u.add(t.replace(t.premise, map[term]term{atCur: w, atDst: a}))
		}
	}
	u.notice()
	told := map[int]bool{}
	for range 2 {
		u.noneOf(near, told)
	}
	u.congruence()
	u.distances()
	return u.parts
}
