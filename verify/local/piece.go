package local

import (
	"slices"

	"github.com/turnproof/turnproof/verify/cert/everysize"
)

// dependency is a step, and a number that does not increase by at least least.
type dependency struct {
	step    everysize.Step
	number  string
	least   int64
	shallow bool
}

// answers has what is known of a dependency.
type answers struct {
	points     []map[int]int64 // values that satisfied a question
	impossible [][2][]string   // the literals of both pieces in a question without a solution
}

// within reports whether pieces with these literals are parts of pieces between which the dependency is impossible.
func (a *answers) within(from, to []string) bool {
	return slices.ContainsFunc(a.impossible, func(known [2][]string) bool { return includes(from, known[0]) && includes(to, known[1]) })
}

// includes reports whether list has all of part.
func includes(list, part []string) bool {
	return !slices.ContainsFunc(part, func(x string) bool { return !slices.Contains(list, x) })
}

// piece is the channels of a VC that satisfy a condition.
type piece struct {
	vc       int
	literals []string // the conditions, or their negations
	when     string   // all of literals
	rank     []string
}

// edge is a possible dependency between pieces.
type edge struct {
	step     everysize.Step
	from, to int
}
