package program

import (
	"fmt"
	"slices"

	"go.starlark.net/starlark"
)

// This file defines a program with given sizes, and calls its functions.

// maxRange is the maximum length of a range.
const maxRange = 1 << 14

const instanceKey = "instance"

// Instance is a program with given sizes. It is frozen: a call of route changes nothing, so
// calls are independent and may run concurrently.
type Instance struct {
	program *Program
	sides   []starlark.Value
	view    *view   // of a program for any network; otherwise nil
	works   Works   // of a program for a grid
	targets Targets // of a program for HyperX networks on symbols; otherwise nil
	globals starlark.StringDict
	escape  []Output
}

// Output is a next hop that route permits.
type Output struct {
	Dir   Dir
	VC    int
	State int
	To    int // of a program for HyperX networks on symbols; otherwise 0
}

func (i *Instance) thread() *starlark.Thread {
	t := &starlark.Thread{Name: i.program.Name, Print: func(*starlark.Thread, string) {}}
	left := maxWork
	t.SetLocal(workKey, &left)
	t.SetLocal(instanceKey, i)
	t.SetMaxExecutionSteps(maxSteps)
	return t
}

// Escape returns the outputs that the program names as its escape, or nil if it names none.
// Their State has no meaning.
func (i *Instance) Escape() []Output { return i.escape }

// call calls a function of the program that returns a list of outputs.
func (i *Instance) call(name string, args starlark.Tuple) (*starlark.List, error) {
	v, err := starlark.Call(i.thread(), i.globals[name], args, nil)
	if err != nil {
		return nil, i.program.explain(err)
	}
	list, ok := v.(*starlark.List)
	if !ok {
		return nil, fmt.Errorf("program: %s: %s returned %s; want a list of outputs, as in [E] or [(E, 1)], or [] if nothing is permitted",
			i.program.Name, name, show(v))
	}
	if list.Len() > maxRange {
		return nil, fmt.Errorf("program: %s: %s returned %d outputs", i.program.Name, name, list.Len())
	}
	return list, nil
}

// addOutputs appends an output for each VC from lo to hi-1, unless the list has it.
func addOutputs(out []Output, dir Dir, lo, hi, state int) []Output {
	for vc := lo; vc < hi; vc++ {
		if o := (Output{dir, vc, state, 0}); !slices.Contains(out, o) {
			out = append(out, o)
		}
	}
	return out
}

// numDirs returns the number of directions, or of ports of the largest switch.
func (i *Instance) numDirs() int {
	if i.program.Family.complete() && i.targets == nil {
		ports := 0
		for d := range i.sides {
			ports += numberAt(i.sides, d) - 1
		}
		return ports
	}
	if i.view == nil {
		return 2 * i.program.Family.NumAxes(len(i.sides))
	}
	most := 0
	for _, ports := range i.view.ports {
		if len(ports) > 0 {
			last := ports[len(ports)-1].(port)
			most = max(most, int(last.net.TailPort(last.c)))
		}
	}
	return most
}

// Works answers works(at, a) for the coordinates of a place, which are numbers or symbols.
type Works func(at []starlark.Value, a Dir) (bool, error)

// Targets numbers the values that outputs of a program on symbols name, from 0 on.
type Targets func(v starlark.Value) (int, error)

// numStates returns the number of header states, with all switches that they can carry.
func (i *Instance) numStates() int {
	if i.program.Carries {
		return i.program.States * (i.view.net.NumSwitches() + 1)
	}
	return i.program.States
}

// numbers returns the sides, which are known numbers.
func (i *Instance) numbers() []int {
	list := make([]int, len(i.sides))
	for d := range list {
		list[d] = numberAt(i.sides, d)
	}
	return list
}

// Start is a header state of a new packet and its weight, at least 1.
type Start struct {
	State  int
	Weight uint32
}
