package program

import (
	"fmt"
	"slices"

	"go.starlark.net/starlark"
)

// This file defines functions that programs can call, and reads their arguments.

type function func(t *starlark.Thread, args []starlark.Value) (starlark.Value, error)

// builtin wraps f, which takes arity arguments, or any number if arity is -1.
func builtin(name string, arity int, f function) *starlark.Builtin {
	return starlark.NewBuiltin(name, func(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, named []starlark.Tuple) (starlark.Value, error) {
		switch {
		case len(named) > 0:
			return nil, fmt.Errorf("%s takes no named arguments", name)
		case arity >= 0 && len(args) != arity:
			return nil, fmt.Errorf("%s takes %d arguments; got %d", name, arity, len(args))
		}
		return f(t, args)
	})
}

func boolean(b bool, err error) (starlark.Value, error) { return starlark.Bool(b), err }

// dimension returns the instance and the dimension that v names.
func dimension(t *starlark.Thread, v starlark.Value) (*Instance, int, error) {
	return dimensionBelow(t, v, func(i *Instance) int { return len(i.sides) })
}

// dimensionBelow returns the instance and the dimension or axis that v names. most returns their number.
func dimensionBelow(t *starlark.Thread, v starlark.Value, most func(*Instance) int) (*Instance, int, error) {
	i := t.Local(instanceKey).(*Instance)
	if i.view != nil {
		return nil, 0, fmt.Errorf("network() has no dimensions; use ports(cur), neighbours(cur), distance(cur, dst)")
	}
	d, ok := small(v)
	if !ok || d < 0 || d >= most(i) {
		return nil, 0, fmt.Errorf("a dimension is a number from 0 to %d", most(i)-1)
	}
	return i, d, nil
}

func switchArgument(v starlark.Value) (node, error) {
	if s, ok := v.(node); ok {
		return s, nil
	}
	return node{}, fmt.Errorf("want a switch, got %s", show(v))
}

// listOf returns a copy of a list as a Starlark value.
func listOf(t *starlark.Thread, list []starlark.Value) (starlark.Value, error) {
	return starlark.NewList(slices.Clone(list)), work(t, len(list))
}
