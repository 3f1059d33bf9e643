package everysize

import "slices"

// This file lists facts about few pairs of terms. Levels from numLevels on are these lists, which are much shorter than those of a
// level below, which have all pairs.
//
//   - A level for each ordered pair of the terms of a hop: the premise of the program for both, its witnesses, and the premise for
//     each of the two with each witness.
//   - Then a level: the premise for each term with the destination, and its witnesses.
//   - Then a level with these facts, and the witnesses of conditions within conditions.
//   - Then a level with the facts of level 1, and for each term of the hop its child in the spanning tree towards the destination.

// levels returns the levels of a question about these terms, ascending.
func (t *netTheorem) levels(base []term) (list []int) {
	for level := range numLevels {
		list = append(list, level)
	}
	last := treeLevel(base)
	for level := numLevels; level < last && t.premise != nil && t.pairwise; level++ {
		list = append(list, level)
	}
	if t.spans {
		list = append(list, last)
	}
	return list
}

// listFocused lists the facts about pairs of terms.
func (t *netTheorem) listFocused(pairs [][2]term, towards, deep bool, f *Formula, base []term) []*Formula {
	u := &universe{vocabulary: t.vocabulary, used: map[int]bool{}, done: map[int]bool{}, holds: map[int]bool{}, fails: map[int]bool{}}
	u.terms = distinct(base)
	u.tell(f)
	u.parts = nil
	u.notice()
	hop := len(u.terms)
	var near []term
	for _, p := range pairs {
		u.tell(t.replace(t.premise, map[term]term{atCur: p[0], atDst: p[1]}))
		near = append(near, p[0], p[1])
	}
	u.witnesses()
	found := u.terms[hop:]
	for _, w := range found {
		if len(pairs) > 1 || towards {
			break
		}
		for _, a := range near {
			u.add(t.replace(t.premise, map[term]term{atCur: a, atDst: w}))
			u.add(t.replace(t.premise, map[term]term{atCur: w, atDst: a}))
		}
	}
	near = slices.Concat(near, found)
	if len(pairs) > 1 || towards {
		near = distinct(near)
	}
	u.notice()
	told := map[int]bool{}
	for range 2 {
		u.noneOf(near, told)
	}
	if deep {
		u.deeper(near)
	}
	u.congruence()
	u.distances()
	return u.parts
}

// deeper lists the witnesses of the conditions that the facts so far say to hold. Then it lists again which terms satisfy no condition that does
// not hold, the new witnesses among them.
func (u *universe) deeper(near []term) {
	before := len(u.terms)
	u.witnesses()
	near = distinct(slices.Concat(near, u.terms[before:]))
	told := map[int]bool{}
	for range 2 {
		u.noneOf(near, told)
	}
}

// facts returns facts about the terms of f and those of base, and the vocabulary with their variables.
func (t *netTheorem) facts(level int, f *Formula, base []term) ([]*Formula, *vocabulary) {
	local := *t
	local.vocabulary = t.vocabulary.clone()
	if pairs, towards, deep, ok := focus(level, base); ok {
		return local.listFocused(pairs, towards, deep, f, base), local.vocabulary
	}
	if level == treeLevel(base) {
		return local.listFacts(1, true, f, base), local.vocabulary
	}
	return local.listFacts(level, false, f, base), local.vocabulary
}
