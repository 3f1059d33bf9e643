package program

import (
	"errors"
	"fmt"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// This file defines a parsed program, and the errors with positions in its text.

// maxSteps is the maximum number of steps of one call or of the top level. The longest
// published program in examples/routing-programs needs about 3,000 steps, in ten dimensions.
const maxSteps = 100_000

// Program is a parsed routing program. It is safe for concurrent use.
type Program struct {
	Name   string // name of the file, as in errors
	Text   string
	Family Family
	VCs    int  // number of virtual channels of every channel; defaults to 1
	States int  // number of header states of a packet; they are 0 to States-1
	Ranked bool // the program defines rank

	ReadsState bool // route has a fourth parameter
	Draws      bool // the program defines inject; otherwise packets start in state 0
	Carries    bool // route has a fifth parameter: the switch that a header state carries
	Passes     bool // the program uses EJECT: route is also called at the destination, and delivers packets

	// Tables is the name of the generator of the tables that the program reads on networks, or "".
	Tables  string
	variant int // of the tables

	premises int  // parameters of premise, or 0 if the program does not define it
	endpoint bool // the program defines endpoint

	code *starlark.Program
}

// Is reports whether path has the extension of routing programs.
func Is(path string) bool { return strings.HasSuffix(path, ".star") }

// at returns an error with its position in the text.
func at(pos syntax.Position, format string, args ...any) error {
	return fmt.Errorf("program: %s: %s", pos, fmt.Sprintf(format, args...))
}

// WithTables returns the program with other tables on each network. Variant 0 has the tables of the documentation, the others are random.
func (p *Program) WithTables(variant int) *Program {
	q := *p
	q.variant = variant
	return &q
}

// Error is an error in a run of a program with its position in the text.
type Error struct {
	Place string // file:line:column
	Text  string
	Err   error // the cause
}

// Error implements error.
func (e *Error) Error() string { return fmt.Sprintf("program: %s: %s", e.Place, e.Text) }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// IsFail reports whether the program called fail.
func (e *Error) IsFail() bool {
	var f *failure
	return errors.As(e.Err, &f)
}

// failure is the error of the function fail.
type failure struct{ text string }

// Error implements error.
func (f *failure) Error() string { return f.text }

// explain returns err with the innermost position in the program's own text.
func (p *Program) explain(err error) error {
	var eval *starlark.EvalError
	if !errors.As(err, &eval) {
		return fmt.Errorf("program: %s: %w", p.Name, err)
	}
	text := eval.Msg
	for _, prefix := range []string{"Starlark computation cancelled: too many steps"} {
		if text == prefix {
			text = fmt.Sprintf("more than %d steps in one call", maxSteps)
		}
	}
	for k := range len(eval.CallStack) {
		if frame := eval.CallStack.At(k); frame.Pos.Filename() == p.Name {
			return &Error{frame.Pos.String(), text, eval.Unwrap()}
		}
	}
	return &Error{p.Name, text, eval.Unwrap()}
}
