package program

import (
	"fmt"
	"math"

	"go.starlark.net/starlark"
)

// This file evaluates inject: the header states of new packets with their weights.

// maxWeight is the maximum weight. It keeps sums of weights in range.
const maxWeight = 1_000_000

// Inject returns the header states that a source at src draws from for packets to dst, each
// state once. If the program does not define inject, the only state is 0. If the result is
// empty, src has no route to dst.
func (i *Instance) Inject(src, dst []starlark.Value) ([]Start, error) {
	return i.inject(place(src), place(dst))
}

// InjectAnywhere returns the result of Inject if it does not depend on source and destination,
// else false.
func (i *Instance) InjectAnywhere() ([]Start, bool) {
	list, err := i.inject(unknownPlace{}, unknownPlace{})
	return list, err == nil
}

func (i *Instance) inject(src, dst starlark.Value) ([]Start, error) {
	f, ok := i.globals["inject"]
	if !ok {
		return []Start{{0, 1}}, nil
	}
	v, err := starlark.Call(i.thread(), f, starlark.Tuple{src, dst}, nil)
	if err != nil {
		return nil, i.program.explain(err)
	}
	list, ok := v.(*starlark.List)
	if !ok {
		return nil, fmt.Errorf("program: %s: inject returned %s; want a list of states, as in [0, 1], or of states with weights, as in [(0, 3), (1, 1)]",
			i.program.Name, show(v))
	}
	var starts []Start
	for k := range list.Len() {
		s, err := i.startOf(list.Index(k))
		if err == nil {
			starts, err = addStart(starts, s)
		}
		if err != nil {
			return nil, fmt.Errorf("program: %s: entry %d of inject %w", i.program.Name, k+1, err)
		}
	}
	return starts, nil
}

// startOf converts a state, (state, weight), or on any network (state, weight, switch).
func (i *Instance) startOf(v starlark.Value) (Start, error) {
	state, weight, via := v, starlark.Value(starlark.MakeInt(1)), starlark.Value(starlark.None)
	if t, ok := v.(starlark.Tuple); ok && (len(t) == 2 || len(t) == 3 && i.view != nil) {
		if state, weight = t[0], t[1]; len(t) == 3 {
			via = t[2]
		}
	}
	for _, x := range []starlark.Value{state, weight} {
		if _, symbol := x.(Symbol); symbol {
			return Start{}, fmt.Errorf("has a state or weight that is not a known number: choose it with if")
		}
	}
	k, ok := small(state)
	if !ok {
		return Start{}, fmt.Errorf("is %s; want a state or (state, weight)", show(v))
	}
	if k < 0 || k >= i.program.States {
		return Start{}, fmt.Errorf("has header state %d, allowed are 0 to %d", k, i.program.States-1)
	}
	w, ok := small(weight)
	if !ok || w < 1 || w > maxWeight {
		return Start{}, fmt.Errorf("has weight %s, allowed are 1 to %d", show(weight), maxWeight)
	}
	if k, err := i.carry(k, via); via != starlark.None {
		return Start{k, uint32(w)}, err
	}
	return Start{k, uint32(w)}, nil
}

// addStart adds s to a list. If the list contains the state, the weights are added. It fails if
// their sum overflows.
func addStart(list []Start, s Start) ([]Start, error) {
	for j := range list {
		if list[j].State != s.State {
			continue
		}
		if list[j].Weight > math.MaxUint32-s.Weight {
			return nil, fmt.Errorf("takes the weight of state %d beyond %d", s.State, uint32(math.MaxUint32))
		}
		list[j].Weight += s.Weight
		return list, nil
	}
	return append(list, s), nil
}
