package program

import (
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/syntax"
)

// This file reads the conditions on the sizes of a family: where = [n >= 2, m <= 2 * n, n % 2 == 1].
//
// A side of a mesh is at least 2 and a side of a ring at least 3, unless a condition NAME >= NUMBER sets
// another bound. In a family for any number of dimensions a condition is about each side.

// maxFactor bounds the numbers of a condition, maxConditions the conditions of a family.
const (
	maxFactor     = 1 << 20
	maxConditions = 32
)

// readWhere parses where = [CONDITION, ...].
func (f *Family) readWhere(s *syntax.AssignStmt) error {
	list, ok := s.RHS.(*syntax.ListExpr)
	if !ok || len(list.List) > maxConditions {
		return at(s.OpPos, "where is a list of at most %d conditions on the sizes, as in where = [n >= 4, n %% 2 == 0]", maxConditions)
	}
	for _, x := range list.List {
		c, err := f.readCondition(x)
		if err != nil {
			return err
		}
		f.Where = append(f.Where, c)
	}
	for _, name := range f.sizeNames() {
		least := 1
		if f.isRing(name) || f.complete() {
			least = 2
		}
		if f.Least(name) < least {
			return at(s.OpPos, "%s is at least %d", name, least)
		}
	}
	return nil
}

// sizeNames returns the names of sizes that conditions can use.
func (f *Family) sizeNames() (names []string) {
	if f.AnyDims != "" && f.Kind != "hypercube" {
		return []string{f.AnyDims}
	}
	for _, s := range f.Sides {
		if s.Name != "" && !slices.Contains(names, s.Name) {
			names = append(names, s.Name)
		}
	}
	return names
}

// isRing reports whether some dimension whose side has this name has wraparound.
func (f *Family) isRing(name string) bool {
	if f.AnyDims != "" {
		return f.Wrap()
	}
	for d, s := range f.Sides {
		if s.Name == name && f.WrapsIn(d) {
			return true
		}
	}
	return false
}

// Least returns the smallest value of a size. For a family for any number of dimensions, name is AnyDims.
func (f *Family) Least(name string) int {
	least, bounded := 0, false
	for _, c := range f.Where {
		if c.isBound(name) {
			least, bounded = max(least, -c.Constant), true
		}
	}
	switch {
	case bounded:
		return least
	case f.isRing(name):
		return 3
	}
	return 2
}

// isBound reports whether c says that a size is at least a number.
func (c *SizeCondition) isBound(name string) bool {
	return c.Op == NotNegative && len(c.Factors) == 1 && c.Factors[name] == 1
}

// IsBound reports whether c says that some size is at least a number. Least returns the largest of these numbers.
func (c *SizeCondition) IsBound() bool {
	for name := range c.Factors {
		return c.isBound(name)
	}
	return false
}

// Holds evaluates c.
func (c *SizeCondition) Holds(size func(name string) int) bool {
	sum := c.Constant
	for name, k := range c.Factors {
		sum += k * size(name)
	}
	switch c.Op {
	case Zero:
		return sum == 0
	case Divides:
		return sum%c.Mod == 0
	}
	return sum >= 0
}

// Failing returns a condition that does not hold for these sides, or nil.
func (f *Family) Failing(sides []int) *SizeCondition {
	for i := range f.Where {
		c := &f.Where[i]
		for d := range sides {
			holds := c.Holds(func(name string) int {
				if f.AnyDims != "" {
					return sides[d]
				}
				return sides[slices.IndexFunc(f.Sides, func(s Side) bool { return s.Name == name })]
			})
			if !holds {
				return c
			}
		}
	}
	return nil
}

// linear is a sum of sizes and a constant.
type linear struct {
	factors  map[string]int
	constant int
}

func (a linear) plus(b linear, k int) linear {
	sum := linear{map[string]int{}, a.constant + k*b.constant}
	for _, x := range []struct {
		of linear
		k  int
	}{{a, 1}, {b, k}} {
		for name, c := range x.of.factors {
			if sum.factors[name] += x.k * c; sum.factors[name] == 0 {
				delete(sum.factors, name)
			}
		}
	}
	return sum
}

func (f *Family) readCondition(x syntax.Expr) (c SizeCondition, err error) {
	b, ok := x.(*syntax.BinaryExpr)
	start, _ := x.Span()
	wrong := at(start, "a condition on sizes compares sums by >= > <= < or ==, or a remainder with a number, as in n %% 2 == 1; sizes are %s",
		strings.Join(f.sizeNames(), ", "))
	if !ok || !slices.Contains([]syntax.Token{syntax.GE, syntax.GT, syntax.LE, syntax.LT, syntax.EQL}, b.Op) {
		return c, wrong
	}
	if m, ok := b.X.(*syntax.BinaryExpr); ok && m.Op == syntax.PERCENT {
		value, okValue := f.readLinear(m.X)
		by, okBy := f.readLinear(m.Y)
		rest, okRest := f.readLinear(b.Y)
		if !okValue || !okBy || !okRest || b.Op != syntax.EQL || len(by.factors)+len(rest.factors) > 0 || by.constant < 2 || by.constant > maxFactor {
			return c, wrong
		}
		value = value.plus(rest, -1)
		return SizeCondition{conditionText(x), value.factors, value.constant, Divides, by.constant}, nil
	}
	left, okLeft := f.readLinear(b.X)
	right, okRight := f.readLinear(b.Y)
	if !okLeft || !okRight {
		return c, wrong
	}
	op, value := NotNegative, left.plus(right, -1)
	switch b.Op {
	case syntax.GT:
		value.constant--
	case syntax.LE:
		value = right.plus(left, -1)
	case syntax.LT:
		value = right.plus(left, -1)
		value.constant--
	case syntax.EQL:
		op = Zero
	}
	return SizeCondition{conditionText(x), value.factors, value.constant, op, 0}, nil
}

// readLinear returns an expression as a sum. It fails if the expression is none, or if a number is too large.
func (f *Family) readLinear(x syntax.Expr) (a linear, ok bool) {
	switch x := x.(type) {
	case *syntax.ParenExpr:
		return f.readLinear(x.X)
	case *syntax.Ident:
		return linear{map[string]int{x.Name: 1}, 0}, slices.Contains(f.sizeNames(), x.Name)
	case *syntax.Literal:
		k, isInt := x.Value.(int64)
		return linear{constant: int(k)}, isInt && k <= maxFactor
	case *syntax.BinaryExpr:
		left, okLeft := f.readLinear(x.X)
		right, okRight := f.readLinear(x.Y)
		if !okLeft || !okRight {
			return a, false
		}
		switch x.Op {
		case syntax.PLUS:
			a = left.plus(right, 1)
		case syntax.MINUS:
			a = left.plus(right, -1)
		case syntax.STAR:
			if len(right.factors) > 0 {
				left, right = right, left
			}
			if len(right.factors) > 0 {
				return a, false
			}
			a = linear{}.plus(left, right.constant)
		default:
			return a, false
		}
		return a, a.isSmall()
	}
	return a, false
}

// isSmall reports whether no number of a exceeds maxFactor.
func (a linear) isSmall() bool {
	for _, k := range a.factors {
		if k > maxFactor || k < -maxFactor {
			return false
		}
	}
	return a.constant <= maxFactor && a.constant >= -maxFactor
}

// conditionText returns an expression as text.
func conditionText(x syntax.Expr) string {
	switch x := x.(type) {
	case *syntax.ParenExpr:
		return "(" + conditionText(x.X) + ")"
	case *syntax.Ident:
		return x.Name
	case *syntax.Literal:
		return x.Raw
	case *syntax.BinaryExpr:
		return fmt.Sprintf("%s %s %s", conditionText(x.X), x.Op, conditionText(x.Y))
	}
	return "?"
}
