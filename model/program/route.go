package program

import (
	"errors"
	"fmt"

	"go.starlark.net/starlark"
)

// This file calls route and rank of a program, and reads the outputs that route and escape name.

// Route returns the permitted next hops of a packet at cur to dst, in the order of the program
// and without duplicates. cur and dst must differ unless the program Passes.
func (i *Instance) Route(cur, dst []starlark.Value, in Input, state int) ([]Output, error) {
	args := starlark.Tuple{place(cur), place(dst), input{in, i.program.Family.complete()}}
	if i.program.ReadsState {
		args = append(args, starlark.MakeInt(state))
	}
	list, err := i.call("route", args)
	if err != nil {
		return nil, err
	}
	var out []Output
	for k := range list.Len() {
		if out, err = i.output(list.Index(k), cur, dst, state, out); err != nil {
			return nil, fmt.Errorf("program: %s: output %d of route %w", i.program.Name, k+1, err)
		}
	}
	return out, nil
}

// output appends the outputs that one element of route's result, or one entry of escape,
// describes. A direction without a VC means all of its VCs.
func (i *Instance) output(v starlark.Value, cur, dst []starlark.Value, state int, out []Output) ([]Output, error) {
	if _, ok := v.(eject); ok {
		return append(out, Output{Dir: Eject, State: state}), nil
	}
	hop := v
	lo, hi := 0, i.program.VCs
	if t, ok := v.(starlark.Tuple); ok && (len(t) == 2 || len(t) == 3) {
		hop = t[0]
		for k, what := range []string{"VC", "header state"}[:len(t)-1] {
			most := []int{i.program.VCs, i.program.States}[k]
			x, ok := small(t[1+k])
			if _, symbol := t[1+k].(Symbol); symbol {
				return nil, fmt.Errorf("has a %s that is not a known number: choose it with if", what)
			}
			if !ok || x < 0 || x >= most {
				return nil, fmt.Errorf("has %s %s, allowed are 0 to %d", what, show(t[1+k]), most-1)
			}
			if k == 0 {
				lo, hi = x, x+1
			} else {
				state = x
			}
		}
	}
	if t, ok := hop.(target); ok && cur != nil {
		return i.outputTo(t, cur, dst, lo, hi, state, out)
	}
	dir, isDir := hop.(direction)
	switch {
	case i.program.Family.complete():
		return nil, fmt.Errorf("is %s; an output of hyperx is to(d, v), others(d) or deroutes(d), alone or in (to(d, v), vc), (to(d, v), vc, state), or %s",
			show(v), ejectName)
	case !isDir:
		return nil, fmt.Errorf("is %s; an output is a direction, (direction, vc), (direction, vc, state) or %s", show(v), ejectName)
	case Dir(dir).Dim() >= i.program.Family.NumAxes(len(i.sides)):
		return nil, fmt.Errorf("is %s, a direction of dimension %d; the network has %d", dir, Dir(dir).Dim(), len(i.sides))
	}
	return addOutputs(out, Dir(dir), lo, hi, state), nil
}

// readEscape converts escape = [VC or (direction, VC), ...].
func (i *Instance) readEscape(v starlark.Value) (out []Output, err error) {
	list, ok := v.(*starlark.List)
	if !ok || list.Len() == 0 || list.Len() > maxRange {
		return nil, errors.New("must be a list of VCs, as in escape = [1], or of directions with VCs, as in escape = [(E, 0), (N, 1)]")
	}
	for k := range list.Len() {
		v := list.Index(k)
		if vc, ok := small(v); ok {
			if vc < 0 || vc >= i.program.VCs {
				return nil, fmt.Errorf("names VC %d, allowed are 0 to %d", vc, i.program.VCs-1)
			}
			for a := range Dir(i.numDirs()) {
				out = append(out, Output{Dir: a, VC: vc})
			}
			continue
		}
		if i.view != nil || i.program.Family.complete() {
			return nil, fmt.Errorf("entry %d is %s; want a VC", k+1, show(v))
		}
		if out, err = i.output(v, nil, nil, 0, out); err != nil {
			return nil, fmt.Errorf("entry %d %w", k+1, err)
		}
		if out[len(out)-1].Dir == Eject {
			return nil, fmt.Errorf("entry %d is %s, which every packet at its destination may take", k+1, ejectName)
		}
	}
	return out, nil
}

// Rank calls rank of the program for the channel that leaves place at in direction dir.
func (i *Instance) Rank(at []starlark.Value, dir Dir, vc int, wrap bool) ([]starlark.Value, error) {
	v, err := starlark.Call(i.thread(), i.globals["rank"], starlark.Tuple{place(at), channel{dir, vc, wrap}}, nil)
	if err != nil {
		return nil, i.program.explain(err)
	}
	t, ok := v.(starlark.Tuple)
	if !ok {
		t = starlark.Tuple{v}
	}
	for _, x := range t {
		if !isNumber(x) {
			return nil, fmt.Errorf("program: %s: rank returned %s; want a number or a tuple of numbers", i.program.Name, show(v))
		}
	}
	return t, nil
}
