package parametric

import (
	"fmt"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/turnproof/turnproof/model/program"
)

// This file defines the symbolic numbers on which a program runs.
//
// A symbol is a linear form over a denominator. On its path its value is an integer.
// Every comparison forks the run (run.choose). An equality forks into less, equal and
// greater, so each path is one polyhedron. A quotient by a number forks on the remainder; the
// quotient is then a form as well, and no new variable is needed. (A new variable for a quotient
// would belong to one place. Sharing it between both ends of a channel makes false parity
// proofs.) Modulo a size is a case split: multiples of the size are added until the
// remainder is in range.

type symbol struct {
	run *run
	num form
	den int64
}

var _ program.Symbol = symbol{}

func (s symbol) String() string {
	if s.den == 1 {
		return s.run.family.names.text(s.num)
	}
	return fmt.Sprintf("(%s) / %d", s.run.family.names.text(s.num), s.den)
}

func (s symbol) Type() string          { return "symbolic number" }
func (s symbol) Freeze()               {}
func (s symbol) Hash() (uint32, error) { return 0, fmt.Errorf("cannot use a symbolic number as a key") }

// Truth forks on whether s is 0.
func (s symbol) Truth() starlark.Bool {
	zero, err := s.Compare(syntax.EQL, s, starlark.MakeInt(0))
	return starlark.Bool(err != nil || !zero)
}

// read returns v, a symbol or an integer, as a symbol.
func (r *run) read(v starlark.Value) (symbol, error) {
	if s, ok := v.(symbol); ok {
		return s, nil
	}
	if i, ok := v.(starlark.Int); ok {
		if k, ok := i.Int64(); ok {
			return symbol{r, r.family.number(k), 1}, nil
		}
	}
	return symbol{}, fmt.Errorf("want a number, got %s", v.Type())
}

// maxCoefficient bounds the coefficients of forms, far below overflow.
const maxCoefficient = 1 << 30

// newValue returns num/den as a value. A constant integer becomes a plain number. It fails if a
// coefficient is too large.
func (r *run) newValue(num form, den int64) (starlark.Value, error) {
	g := den
	for _, c := range num {
		g = gcd(g, c)
	}
	if g > 1 {
		for v := range num {
			num[v] /= g
		}
		den /= g
	}
	for _, c := range num {
		if c > maxCoefficient || c < -maxCoefficient {
			return nil, fmt.Errorf("cannot compute with a coefficient above %d", maxCoefficient)
		}
	}
	if den > maxCoefficient {
		return nil, fmt.Errorf("cannot compute with a denominator above %d", maxCoefficient)
	}
	if num.isConstant() && den == 1 {
		return starlark.MakeInt64(num.constant()), nil
	}
	return symbol{r, num, den}, nil
}

func gcd(a, b int64) int64 {
	a, b = max(a, -a), max(b, -b)
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// Arithmetic implements program.Symbol.
func (s symbol) Arithmetic(op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	r := s.run
	a, err := r.read(x)
	if err != nil {
		return nil, err
	}
	b, err := r.read(y)
	if err != nil {
		return nil, err
	}
	switch op {
	case syntax.PLUS:
		return r.newValue(a.num.times(b.den).plus(b.num, a.den), a.den*b.den)
	case syntax.MINUS:
		return r.newValue(a.num.times(b.den).plus(b.num, -a.den), a.den*b.den)
	case syntax.STAR:
		if a.num.isConstant() {
			a, b = b, a
		}
		if !b.num.isConstant() {
			return nil, fmt.Errorf("cannot multiply two symbolic numbers, %s and %s: only linear terms are supported", a, b)
		}
		return r.newValue(a.num.times(b.num.constant()), a.den*b.den)
	case syntax.SLASHSLASH, syntax.PERCENT:
		return r.divide(op, a, b)
	}
	return nil, fmt.Errorf("cannot apply operator %s to symbolic numbers", op)
}

// divide returns a // b or a % b.
func (r *run) divide(op syntax.Token, a, b symbol) (starlark.Value, error) {
	if !b.num.isConstant() || b.den != 1 {
		return r.divideBySymbol(op, a, b)
	}
	k := b.num.constant()
	if k == 0 {
		return nil, fmt.Errorf("division by zero")
	}
	if k < 0 || k > 64 {
		return nil, fmt.Errorf("cannot divide a symbolic number by %d: want 1 to 64", k)
	}
	rest := make([][]atom, k)
	for i := range rest {
		rest[i] = []atom{{form: a.num.add(-int64(i) * a.den), mod: k * a.den}}
		if k*a.den == 1 {
			rest[i] = nil
		}
	}
	i, err := r.choose(rest)
	if err != nil {
		return nil, err
	}
	if op == syntax.PERCENT {
		return starlark.MakeInt(i), nil
	}
	return r.newValue(a.num.add(-int64(i)*a.den), k*a.den)
}

// maxTurns bounds how often a modulus is added or subtracted.
const maxTurns = 8

// divideBySymbol returns a // b or a % b for a symbolic b. It fails if b may be 0 or less, or if
// the quotient may be too large.
func (r *run) divideBySymbol(op syntax.Token, a, b symbol) (starlark.Value, error) {
	positive, err := b.Compare(syntax.LT, starlark.MakeInt(0), b)
	if err != nil {
		return nil, err
	}
	if !positive {
		return nil, fmt.Errorf("cannot divide by %s: it may be 0 or less", b)
	}
	var rest starlark.Value = a
	for quotient, turns := 0, 0; turns < maxTurns; turns++ {
		low, err := b.Compare(syntax.LT, rest, starlark.MakeInt(0))
		if err != nil {
			return nil, err
		}
		by, op2 := 1, syntax.MINUS
		if low {
			by, op2 = -1, syntax.PLUS
		} else {
			fits, err := b.Compare(syntax.LT, rest, b)
			if err != nil {
				return nil, err
			}
			if fits && op == syntax.PERCENT {
				return rest, nil
			}
			if fits {
				return starlark.MakeInt(quotient), nil
			}
		}
		quotient += by
		if rest, err = b.Arithmetic(op2, rest, b); err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("cannot divide %s by %s: the quotient may be more than %d", a, b, maxTurns)
}

// Compare implements program.Symbol.
func (s symbol) Compare(op syntax.Token, x, y starlark.Value) (bool, error) {
	r := s.run
	a, err := r.read(x)
	if err != nil {
		return false, err
	}
	b, err := r.read(y)
	if err != nil {
		return false, err
	}
	unit := a.den * b.den
	d := b.num.times(a.den).plus(a.num, -b.den) // y - x, in units
	less, more := atom{form: d.add(-unit)}, atom{form: d.times(-1).add(-unit)}
	notMore, notLess := atom{form: d}, atom{form: d.times(-1)}
	var ways [][]atom
	switch op {
	case syntax.LT:
		ways = [][]atom{{less}, {notLess}}
	case syntax.LE:
		ways = [][]atom{{notMore}, {more}}
	case syntax.EQL:
		ways = [][]atom{{notMore, notLess}, {less}, {more}}
	default:
		return false, fmt.Errorf("cannot compare symbolic numbers by %s", op)
	}
	i, err := r.choose(ways)
	return i == 0, err
}
