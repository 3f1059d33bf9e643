package program

import (
	"errors"
	"fmt"
	"slices"

	"go.starlark.net/starlark"
)

// This file runs a program: its top level once for given sizes, then route and rank any number
// of times.

// maxSteps is the maximum number of steps of one call or of the top level. The longest
// published program in examples/routing-programs needs about 3,000 steps, in ten dimensions.
const maxSteps = 100_000

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

// On runs the top level of the program for the given sides, one number or symbol per dimension.
// It fails if the program does. Every channel works.
func (p *Program) On(sides []starlark.Value) (*Instance, error) { return p.OnFaulty(sides, nil) }

// OnTargets is On for symbols, if the program is for HyperX networks. Outputs then have Output.To.
func (p *Program) OnTargets(sides []starlark.Value, targets Targets) (*Instance, error) {
	i := &Instance{program: p, sides: sides, targets: targets}
	i.works = i.exists
	if err := i.start(p.predeclared(sides)); err != nil {
		return nil, err
	}
	return i, nil
}

// OnFaulty is On for grids in which channels may have failed. If works is nil, none has.
func (p *Program) OnFaulty(sides []starlark.Value, works Works) (*Instance, error) {
	i := &Instance{program: p, sides: sides, works: works}
	if works == nil {
		i.works = i.exists
	}
	if err := i.start(p.predeclared(sides)); err != nil {
		return nil, err
	}
	return i, nil
}

// start runs the top level of the program with the given names.
func (i *Instance) start(known starlark.StringDict) error {
	globals, err := i.program.code.Init(i.thread(), known)
	if err != nil {
		return i.program.explain(err)
	}
	globals.Freeze()
	i.globals = globals
	if v, ok := globals["escape"]; ok {
		if i.escape, err = i.readEscape(v); err != nil {
			return fmt.Errorf("program: %s: escape %w", i.program.Name, err)
		}
	}
	return nil
}

// OnNumbers is On for known sizes.
func (p *Program) OnNumbers(sides []int) (*Instance, error) { return p.On(Numbers(sides)) }

// Numbers converts numbers to Starlark values.
func Numbers(list []int) []starlark.Value {
	values := make([]starlark.Value, len(list))
	for d, x := range list {
		values[d] = starlark.MakeInt(x)
	}
	return values
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

// addOutputs appends an output for each VC from lo to hi-1, unless the list has it.
func addOutputs(out []Output, dir Dir, lo, hi, state int) []Output {
	for vc := lo; vc < hi; vc++ {
		if o := (Output{dir, vc, state, 0}); !slices.Contains(out, o) {
			out = append(out, o)
		}
	}
	return out
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
