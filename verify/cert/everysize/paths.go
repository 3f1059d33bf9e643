package everysize

import (
	"fmt"
	"slices"
)

// This file defines what a run of a program gives: its conditions and outputs, or an error.

// path is one run of a program.
type path struct {
	guard   *Formula // on place, destination and sizes
	dir     direction
	anyDir  bool // the program did not read the direction
	vc      int  // -1 if not read
	state   int  // -1 if not read
	outputs []output
	ejects  bool
	failed  error // the run ended with an error
	result  any   // of inject
}

// output is a hop to a channel.
type output struct {
	dir   direction
	vc    int
	state int
	kind  targetKind // of HyperX networks
	to    Form       // of toValue
}

// isSame reports whether two outputs are the same.
func (o output) isSame(p output) bool {
	return o.dir == p.dir && o.vc == p.vc && o.state == p.state && o.kind == p.kind && slices.Equal(o.to, p.to)
}

// The ways in which a run ends early.
type (
	runError struct{ error } // an error of the program
	stopped  struct{ error } // an error of the machine; ends all runs
	deadEnd  struct{}        // no packet makes these choices
)

func fail(format string, args ...any) { panic(runError{fmt.Errorf(format, args...)}) }
