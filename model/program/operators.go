package program

import (
	"fmt"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// This file implements the operators of programs on numbers, lists and symbols.
//
// Promise: an operator never decides anything about a symbol without asking the symbol, and
// fails if it cannot ask. Numbers stay within ±maxNumber. The elements that a call creates or
// iterates over are counted.

// arithmetic returns x op y for + - * // %.
func arithmetic(t *starlark.Thread, op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	a, okX := small(x)
	b, okY := small(y)
	if okX && okY {
		return numbers(op, a, b)
	}
	if s, ok := symbolOf(x, y); ok {
		return s.Arithmetic(op, x, y)
	}
	switch op {
	case syntax.PLUS:
		if v, err := joined(t, x, y); v != nil || err != nil {
			return v, err
		}
	case syntax.STAR:
		for _, pair := range [][2]starlark.Value{{x, y}, {y, x}} {
			if s, ok := pair[0].(starlark.Sequence); ok {
				if k, ok := small(pair[1]); ok {
					return repeated(t, s, k)
				}
			}
		}
	}
	return nil, fmt.Errorf("%s %s %s is not known", x.Type(), op, y.Type())
}

// joined returns x + y for lists, tuples and strings, and nil for other types.
func joined(t *starlark.Thread, x, y starlark.Value) (starlark.Value, error) {
	if err := work(t, length(x)+length(y)); err != nil {
		return nil, err
	}
	switch x := x.(type) {
	case *starlark.List:
		if y, ok := y.(*starlark.List); ok {
			return starlark.NewList(append(elements(x), elements(y)...)), nil
		}
	case starlark.Tuple:
		if y, ok := y.(starlark.Tuple); ok {
			return append(x[:len(x):len(x)], y...), nil
		}
	case starlark.String:
		if y, ok := y.(starlark.String); ok {
			return x + y, nil
		}
	}
	return nil, nil
}

func repeated(t *starlark.Thread, x starlark.Sequence, k int) (starlark.Value, error) {
	k = max(k, 0)
	if x.Len() > 0 && k > maxWork/x.Len() {
		k = maxWork + 1
	}
	if err := work(t, k*max(x.Len(), 1)); err != nil {
		return nil, err
	}
	var list []starlark.Value
	for range k {
		list = append(list, elements(x)...)
	}
	switch x.(type) {
	case *starlark.List:
		return starlark.NewList(list), nil
	case starlark.Tuple:
		return starlark.Tuple(list), nil
	}
	return nil, fmt.Errorf("%s * int is not known", x.Type())
}

// elements copies the elements of x.
func elements(x starlark.Iterable) []starlark.Value {
	var list []starlark.Value
	it := x.Iterate()
	defer it.Done()
	var v starlark.Value
	for it.Next(&v) {
		list = append(list, v)
	}
	return list
}

func length(x starlark.Value) int { return max(starlark.Len(x), 0) }

// extended returns x += y. If x is a list, it is extended in place.
func extended(t *starlark.Thread, x, y starlark.Value) (starlark.Value, error) {
	list, ok := x.(*starlark.List)
	from, okY := y.(starlark.Iterable)
	if !ok || !okY {
		return arithmetic(t, syntax.PLUS, x, y)
	}
	if err := work(t, length(y)); err != nil {
		return nil, err
	}
	for _, v := range elements(from) {
		if err := list.Append(v); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// maxDepth is the maximum nesting of compared lists. A list may contain itself.
const maxDepth = 1000

// equal returns x == y, compared element by element.
func equal(t *starlark.Thread, x, y starlark.Value) (bool, error) { return equalAt(t, x, y, 0) }

func equalAt(t *starlark.Thread, x, y starlark.Value, depth int) (bool, error) {
	if depth > maxDepth {
		return false, fmt.Errorf("cannot compare lists nested more than %d deep", maxDepth)
	}
	if err := work(t, 1); err != nil {
		return false, err
	}
	if s, ok := symbolOf(x, y); ok {
		return s.Compare(syntax.EQL, x, y)
	}
	for _, v := range []starlark.Value{x, y} {
		if _, ok := v.(unknownPlace); ok {
			return false, fmt.Errorf("a %s cannot be compared", v.Type())
		}
	}
	switch x := x.(type) {
	case place:
		return equalLists(t, x, y, depth)
	case starlark.Tuple:
		return equalLists(t, x, y, depth)
	case *starlark.List:
		return equalLists(t, x, y, depth)
	case *starlark.Dict, input, switchInput, channel:
		return false, fmt.Errorf("a %s cannot be compared", x.Type())
	}
	if x.Type() != y.Type() {
		return false, nil
	}
	switch x := x.(type) {
	case starlark.NoneType:
		return true, nil
	case starlark.Bool, starlark.Int, starlark.String, direction:
		return starlark.Equal(x, y)
	case node, port:
		return x == y, nil
	}
	return false, fmt.Errorf("a %s cannot be compared", x.Type())
}

// isPlace reports whether x is a place or a tuple, which may hold coordinates.
func isPlace(x starlark.Value) bool {
	switch x.(type) {
	case place, starlark.Tuple:
		return true
	}
	return false
}

func equalLists(t *starlark.Thread, x starlark.Indexable, y starlark.Value, depth int) (bool, error) {
	other, ok := y.(starlark.Indexable)
	if !ok || x.Len() != other.Len() || x.Type() != y.Type() && !(isPlace(x) && isPlace(y)) {
		return false, nil
	}
	for i := range x.Len() {
		if same, err := equalAt(t, x.Index(i), other.Index(i), depth+1); !same || err != nil {
			return false, err
		}
	}
	return true, nil
}

// ordered returns x < y or x <= y.
func ordered(op syntax.Token, x, y starlark.Value) (bool, error) {
	a, okX := small(x)
	b, okY := small(y)
	if okX && okY {
		return a < b || op == syntax.LE && a == b, nil
	}
	if s, ok := symbolOf(x, y); ok {
		return s.Compare(op, x, y)
	}
	return false, fmt.Errorf("%s %s %s is not known: only numbers have an order", x.Type(), op, y.Type())
}

// within returns x in y.
func within(t *starlark.Thread, x, y starlark.Value) (bool, error) {
	if d, ok := y.(*starlark.Dict); ok {
		if err := isKey(x); err != nil {
			return false, err
		}
		_, found, err := d.Get(x)
		return found, err
	}
	list, ok := y.(starlark.Iterable)
	if _, text := y.(starlark.String); !ok || text {
		return false, fmt.Errorf("in looks into lists, tuples and dictionaries, not into a %s", y.Type())
	}
	it := list.Iterate()
	defer it.Done()
	var v starlark.Value
	for it.Next(&v) {
		if same, err := equal(t, v, x); same || err != nil {
			return same, err
		}
	}
	return false, nil
}

// isKey returns an error if v cannot be the key of a dictionary, because its equality may
// involve symbols.
func isKey(v starlark.Value) error {
	switch v := v.(type) {
	case starlark.Int, starlark.String, starlark.Bool, starlark.NoneType, direction, node, port:
		return nil
	case starlark.Tuple:
		for _, x := range v {
			if _, nested := x.(starlark.Tuple); nested {
				return fmt.Errorf("a tuple of tuples cannot be a key")
			}
			if err := isKey(x); err != nil {
				return err
			}
		}
		return nil
	}
	return fmt.Errorf("a %s cannot be a key: use if", v.Type())
}

// item returns x[y].
func item(x, y starlark.Value) (starlark.Value, error) {
	if d, ok := x.(*starlark.Dict); ok {
		if err := isKey(y); err != nil {
			return nil, err
		}
		v, found, err := d.Get(y)
		if err == nil && !found {
			err = fmt.Errorf("no key %s", show(y))
		}
		return v, err
	}
	list, ok := x.(starlark.Indexable)
	if !ok {
		return nil, fmt.Errorf("a %s has no elements", x.Type())
	}
	i, ok := small(y)
	if !ok {
		return nil, fmt.Errorf("the index of a %s must be a known number, not a %s", x.Type(), y.Type())
	}
	if i < 0 {
		i += list.Len()
	}
	if i < 0 || i >= list.Len() {
		return nil, fmt.Errorf("index %s of a %s of %d", show(y), x.Type(), list.Len())
	}
	return list.Index(i), nil
}

// setItem executes x[y] = v.
func setItem(x, y, v starlark.Value) error {
	switch x := x.(type) {
	case *starlark.Dict:
		if err := isKey(y); err != nil {
			return err
		}
		return x.SetKey(y, v)
	case *starlark.List:
		if _, err := item(x, y); err != nil {
			return err
		}
		i, _ := small(y)
		return x.SetIndex((i+x.Len())%x.Len(), v)
	}
	return fmt.Errorf("elements of a %s cannot be assigned to", x.Type())
}

// show returns a short text of a value for errors.
func show(v starlark.Value) string {
	switch v := v.(type) {
	case starlark.Int, starlark.Bool, starlark.NoneType, direction, eject:
		return v.String()
	case node:
		return "switch " + v.String()
	case port:
		return v.String()
	case starlark.String:
		if len(v) > 60 {
			v = v[:60] + "..."
		}
		return string(v)
	}
	return "a " + v.Type()
}
