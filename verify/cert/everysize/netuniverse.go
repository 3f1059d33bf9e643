package everysize

import "slices"

// This file collects facts about the terms of one formula.

// numLevels is the number of levels about all terms; netfocus.go has further ones.
const numLevels = 3

// maxFacts bounds the facts of a question, maxApplications their variables. Further facts are left out.
const (
	maxFacts        = 4000
	maxApplications = 1500
)

// universe collects facts about terms.
type universe struct {
	*vocabulary
	terms []term
	parts []*Formula
	used  map[int]bool // variables of parts
	done  map[int]bool // conditions whose witnesses are listed
	holds map[int]bool // conditions that some part says to hold
	fails map[int]bool // conditions that some part says not to hold
}

// full reports whether further facts are left out.
func (u *universe) full() bool { return len(u.parts) >= maxFacts || len(u.apps) >= maxApplications }

func (u *universe) add(f *Formula) {
	if !f.isTrue() && !u.full() {
		u.parts = append(u.parts, f)
		variablesOf(f, u.used)
	}
}

// tell adds a formula whose quantified conditions are given a meaning.
func (u *universe) tell(f *Formula) {
	u.add(f)
	u.mark(f)
}

func (u *universe) mark(f *Formula) {
	if f.Op == AtLeast {
		for v, c := range f.Form[1:] {
			if c > 0 && u.someOf(v) >= 0 {
				u.holds[v] = true
			} else if c < 0 && u.someOf(v) >= 0 {
				u.fails[v] = true
			}
		}
	}
	for _, x := range f.Args {
		u.mark(x)
	}
}

// notice adds the terms of all variables.
func (u *universe) notice() {
	for _, v := range sorted(u.used) {
		for _, t := range u.apps[v].args {
			if !slices.Contains(u.terms, t) {
				u.terms = append(u.terms, t)
			}
		}
	}
}

// focus returns the pairs of a level, and whether it has the witnesses of conditions within conditions. ok is false if the level has no pairs.
func focus(level int, base []term) (pairs [][2]term, towards, deep, ok bool) {
	terms := distinct(base)
	all := len(terms) * len(terms)
	switch k := level - numLevels; {
	case k < 0 || k > all+1:
		return nil, false, false, false
	case k < all:
		return [][2]term{{terms[k/len(terms)], terms[k%len(terms)]}}, false, false, true
	}
	for _, a := range terms {
		if a != atDst {
			pairs = append(pairs, [2]term{a, atDst})
		}
	}
	return pairs, true, level == numLevels+all+1, true
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

// treeLevel returns the level with the children of the spanning tree towards the destination.
func treeLevel(base []term) int {
	n := len(distinct(base))
	return numLevels + n*n + 2
}
