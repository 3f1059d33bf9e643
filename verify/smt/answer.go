// This file holds what every build shares: answers, limits and the error of a
// build that has no Z3.

package smt

import (
	"errors"
	"fmt"
	"time"
)

// ErrUnavailable is returned by every question when this build cannot ask Z3.
var ErrUnavailable = errors.New("smt: built without Z3: install libz3-dev (Debian, Ubuntu), " +
	"z3-devel (Fedora) or run `brew install z3` (macOS), then run `make build`")

// Result is what Z3 found. The zero value is Unknown.
type Result uint8

const (
	// Unknown is no answer: a limit was reached or the question was stopped.
	Unknown Result = iota
	// Sat means that a solution exists.
	Sat
	// Unsat means that no solution exists.
	Unsat
)

// String returns unknown, sat or unsat.
func (r Result) String() string {
	switch r {
	case Unknown:
		return "unknown"
	case Sat:
		return "sat"
	case Unsat:
		return "unsat"
	}
	return fmt.Sprintf("Result(%d)", uint8(r))
}

// Answer is the answer to one question.
type Answer struct {
	Result  Result
	Numbers []int64 // with Sat: a number per vertex, the smallest is 0
	Reason  string  // with Unknown: why
}

// Limit bounds one question. Zero fields do not bound it. A question under
// Steps alone ends the same way on every machine that runs the same Z3.
type Limit struct {
	Steps uint32        // Z3's resource counter (rlimit)
	Time  time.Duration // counted once the edges are read; Z3 is told in whole milliseconds
}

// Walk is steps between places, and what is known of the moves that a place makes.
type Walk struct {
	Coordinates int
	Rows        [][][]int // by place: coefficients, one for each coordinate, and the least value of the form
	Steps       [][2]int
}
