package program

import (
	"fmt"
	"slices"

	"go.starlark.net/starlark"
)

// This file runs programs for HyperX networks: family = hyperx(n, m). Each two switches that differ in one coordinate are
// linked. A hop sets one coordinate to another value. An output is
//
//	to(d, v)      the hop to the switch whose coordinate d is v;
//	others(d)     the hops to all other values of coordinate d;
//	deroutes(d)   those of others(d) that do not lead to the coordinate of the destination.
//
// On a network a Dir of these programs is a port number minus 1, as in programs for any network. On symbols it is 2d for a hop
// in dimension d, and Output.To says to which values.
//
// Source of the topology: Ahn, Binkert, Davis, McLaren and Schreiber, SC 2009.

// The values of Output.To, for runs on symbols. From ToValue on it is a number that Targets gave.
const (
	ToOthers = iota + 1
	ToDeroutes
	ToValue
)

// target is an output of a program for HyperX networks, without VC.
type target struct {
	dim int
	to  int            // ToOthers, ToDeroutes or ToValue
	v   starlark.Value // of ToValue
}

func (t target) String() string {
	switch t.to {
	case ToOthers:
		return fmt.Sprintf("others(%d)", t.dim)
	case ToDeroutes:
		return fmt.Sprintf("deroutes(%d)", t.dim)
	}
	return fmt.Sprintf("to(%d, %s)", t.dim, t.v)
}

func (t target) Type() string          { return "hop" }
func (t target) Freeze()               {}
func (t target) Truth() starlark.Bool  { return true }
func (t target) Hash() (uint32, error) { return 0, fmt.Errorf("a hop cannot be a key") }
func (t target) AttrNames() []string   { return []string{"dim"} }

// Attr implements starlark.HasAttrs.
func (t target) Attr(name string) (starlark.Value, error) {
	if name == "dim" {
		return starlark.MakeInt(t.dim), nil
	}
	return nil, nil
}

// addTargets adds the functions that make outputs of HyperX networks.
func addTargets(add func(name string, arity int, f function)) {
	hop := func(t *starlark.Thread, d starlark.Value, to int, v starlark.Value) (starlark.Value, error) {
		i, dim, err := dimension(t, d)
		if err == nil && !i.program.Family.complete() {
			err = fmt.Errorf("only programs with family = hyperx(...) have to, others and deroutes")
		}
		return target{dim, to, v}, err
	}
	add("to", 2, func(t *starlark.Thread, a []starlark.Value) (starlark.Value, error) {
		if !isNumber(a[1]) {
			return nil, fmt.Errorf("to(d, v) wants a value of coordinate d, not %s", show(a[1]))
		}
		return hop(t, a[0], ToValue, a[1])
	})
	add("others", 1, func(t *starlark.Thread, a []starlark.Value) (starlark.Value, error) {
		return hop(t, a[0], ToOthers, nil)
	})
	add("deroutes", 1, func(t *starlark.Thread, a []starlark.Value) (starlark.Value, error) {
		return hop(t, a[0], ToDeroutes, nil)
	})
	add("complete", 1, func(t *starlark.Thread, a []starlark.Value) (starlark.Value, error) {
		i, _, err := dimension(t, a[0])
		return starlark.Bool(err == nil && i.program.Family.complete()), err
	})
}

// outputTo appends the outputs that a hop describes, for each VC from lo to hi-1. cur and dst are the coordinates of the
// packet and of its destination.
func (i *Instance) outputTo(t target, cur, dst []starlark.Value, lo, hi, state int, out []Output) ([]Output, error) {
	if i.targets != nil {
		to := t.to
		if to == ToValue {
			k, err := i.targets(t.v)
			if err != nil {
				return nil, err
			}
			to += k
		}
		for vc := lo; vc < hi; vc++ {
			if o := (Output{Dir(2 * t.dim), vc, state, to}); !slices.Contains(out, o) {
				out = append(out, o)
			}
		}
		return out, nil
	}
	side, at, goal := numberAt(i.sides, t.dim), numberAt(cur, t.dim), numberAt(dst, t.dim)
	if t.to == ToValue {
		v, ok := small(t.v)
		if !ok || v < 0 || v >= side || v == at {
			return addOutputs(out, noHop, lo, hi, state), nil
		}
		return addOutputs(out, i.portTo(t.dim, at, v), lo, hi, state), nil
	}
	for v := range side {
		if v != at && (t.to == ToOthers || v != goal) {
			out = addOutputs(out, i.portTo(t.dim, at, v), lo, hi, state)
		}
	}
	return out, nil
}

// portTo returns the Dir of the hop from coordinate at to coordinate v in dimension d.
func (i *Instance) portTo(d, at, v int) Dir {
	port := 0
	for e := range d {
		port += numberAt(i.sides, e) - 1
	}
	if v > at {
		v--
	}
	return Dir(port + v)
}
