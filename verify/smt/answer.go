// This file holds what every build shares: answers, limits and the error of a build
// without Z3.

package smt

import (
	"errors"
	"fmt"
	"time"
)

// ErrUnavailable is the error of every question if this build has no Z3.
var ErrUnavailable = errors.New("cannot ask Z3: this build has no Z3; install libz3-dev (Debian, Ubuntu), " +
	"z3-devel (Fedora) or run `brew install z3` (macOS), then run `make build`")

// Result is unknown, sat or unsat. The zero value is Unknown.
type Result uint8

const (
	// Unknown means that a limit was reached or the question was stopped.
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
	Numbers []int64 // if Sat: a number for each vertex; the smallest is 0
	Reason  string  // if Unknown: the reason
}

// Limit bounds one question. A zero field sets no bound. With Steps alone a question has the
// same answer on every machine that runs the same Z3.
type Limit struct {
	Steps uint32        // Z3's resource counter (rlimit)
	Time  time.Duration // starts when the edges have been read; Z3 gets whole milliseconds
}

// Walk is a graph of steps between places, and linear conditions on the move of each place.
type Walk struct {
	Coordinates int
	Rows        [][][]int // by place and row: a coefficient for each coordinate, then the least value
	Steps       [][2]int
}
