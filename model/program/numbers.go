package program

import (
	"fmt"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// This file defines the numbers of programs: known ones, which stay within ±maxNumber, and symbols. It counts the elements that a call
// creates or iterates over.

// Symbol is a number that is not known. Its methods may end the run with an error. Truth cannot
// return an error; after the run has ended its result is ignored.
type Symbol interface {
	starlark.Value
	// Arithmetic returns x op y for op + - * // %. One operand is this symbol, the other a
	// number or a symbol.
	Arithmetic(op syntax.Token, x, y starlark.Value) (starlark.Value, error)
	// Compare returns x op y for op == < <=, with the same operands.
	Compare(op syntax.Token, x, y starlark.Value) (bool, error)
}

// maxNumber is the largest absolute value of a number.
const maxNumber = 1 << 40

// maxWork is the maximum number of elements that one call may create or iterate over.
const maxWork = 1 << 20

const workKey = "work"

// work counts elements. It fails if the call exceeds maxWork.
func work(t *starlark.Thread, elements int) error {
	left := t.Local(workKey).(*int)
	if *left -= elements; *left < 0 {
		return fmt.Errorf("more than %d elements created or iterated over in one call", maxWork)
	}
	return nil
}

// small returns the value of v if it is an integer that fits into an int.
func small(v starlark.Value) (int, bool) {
	i, ok := v.(starlark.Int)
	if !ok {
		return 0, false
	}
	k, ok := i.Int64()
	return int(k), ok && k == int64(int(k))
}

// isNumber reports whether v is a number or a symbol.
func isNumber(v starlark.Value) bool {
	if _, ok := v.(starlark.Int); ok {
		return true
	}
	_, ok := v.(Symbol)
	return ok
}

// symbolOf returns a symbol among two numbers, x first. It returns false if there is none or an
// operand is not a number.
func symbolOf(x, y starlark.Value) (Symbol, bool) {
	if s, ok := x.(Symbol); ok {
		return s, isNumber(y)
	}
	s, ok := y.(Symbol)
	return s, ok && isNumber(x)
}

func numbers(op syntax.Token, a, b int) (starlark.Value, error) {
	var c int
	switch op {
	case syntax.PLUS:
		c = a + b
	case syntax.MINUS:
		c = a - b
	case syntax.STAR:
		c = a * b // an overflow is detected below
	default:
		if b == 0 {
			return nil, fmt.Errorf("division by zero")
		}
		c = FloorDiv(a, b)
		if op == syntax.PERCENT {
			c = a - b*c
		}
	}
	if c > maxNumber || c < -maxNumber || op == syntax.STAR && a != 0 && (c/a != b || max(a, -a) > maxNumber || max(b, -b) > maxNumber) {
		return nil, fmt.Errorf("a number beyond ±%d", maxNumber)
	}
	return starlark.MakeInt(c), nil
}

// FloorDiv returns a/b rounded down, like // in Starlark.
func FloorDiv(a, b int) int {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

// Numbers converts numbers to Starlark values.
func Numbers(list []int) []starlark.Value {
	values := make([]starlark.Value, len(list))
	for d, x := range list {
		values[d] = starlark.MakeInt(x)
	}
	return values
}

// numberAt returns coordinate or side d, a known number.
func numberAt(list []starlark.Value, d int) int {
	x, _ := small(list[d])
	return x
}
