package local

import "errors"

// Limits of the search.
const (
	mostPredicates = 12
	mostLiterals   = 48         // predicates of programs that read tables
	mostCubes      = 400        // of all classes
	mostCost       = 40_000_000 // of the nodes of the search for one proof
	costOfNode     = 1000       // beside the square of the number of variables
	mostQuestions  = 3          // of greatest cost that a search may ask
)

// errOpen is the reason for which no evidence is found.
type errOpen struct{ reason string }

func (e *errOpen) Error() string { return e.reason }

// errLimit ends a search that has no result within its limit.
var errLimit = errors.New("local: no result within the limit of the search")
