package parametric

import (
	"fmt"
	"slices"

	"go.starlark.net/starlark"

	"github.com/turnproof/turnproof/model/program"
)

// This file runs the top level of a program on symbols, and reads how a packet arrived.

// values returns the forms of all dimensions as values.
func (r *run) values(at func(d int) form) []starlark.Value {
	list := make([]starlark.Value, r.family.dims)
	for d := range list {
		list[d], _ = r.newValue(append(form(nil), at(d)...), 1)
	}
	return list
}

// sides returns the lengths of the dimensions.
func (r *run) sides() []starlark.Value {
	return r.values(func(d int) form { return r.family.sides[d] })
}

// instance runs the top level of the program.
func (r *run) instance() (*program.Instance, error) {
	if r.family.complete() {
		return r.family.program.OnTargets(r.sides(), r.target)
	}
	return r.family.program.OnFaulty(r.sides(), r.works)
}

// target numbers a value that an output names. It fails if the value is a fraction.
func (r *run) target(v starlark.Value) (int, error) {
	x, err := r.read(v)
	if err == nil && x.den != 1 {
		err = fmt.Errorf("leads to the fraction %s", x)
	}
	if err != nil {
		return 0, err
	}
	f := r.family
	i := slices.IndexFunc(f.targets, func(known form) bool { return slices.Equal(known, x.num) })
	if i < 0 {
		i = len(f.targets)
		f.targets = append(f.targets, x.num)
	}
	return i, nil
}

// works is program.Works on symbols: the run takes either answer.
func (r *run) works(at []starlark.Value, a program.Dir) (bool, error) {
	f := r.family
	forms := make([]form, f.dims)
	for d, v := range at {
		x, err := r.read(v)
		if err != nil {
			return false, err
		}
		if x.den != 1 {
			return false, fmt.Errorf("cannot tell whether a channel works at the fraction %s", x)
		}
		forms[d] = x.num
	}
	all := f.exists(forms, a)
	for _, c := range f.failures(forms, a) {
		if c = simplified(c); c != nil {
			all = append(all, atom{none: c})
		}
	}
	if len(all) == 0 {
		return true, nil
	}
	var ways [][]atom
	if len(f.faults) > 0 {
		ways = [][]atom{all, {{none: all}}}
	} else {
		ways = [][]atom{all}
		for _, x := range all {
			ways = append(ways, x.negated())
		}
	}
	i, err := r.choose(ways)
	return i == 0, err
}

// lazyInput is the input of a packet. Each property is chosen when the program reads it.
type lazyInput struct{ *run }

// Dir implements program.Input.
func (a *lazyInput) Dir() program.Dir {
	if a.path.anyDir {
		var ways [][]atom
		var dirs []int
		for _, dir := range append([]program.Dir{program.NoDir}, a.family.directions()...) {
			if dir == program.NoDir && a.path.vc > 0 {
				continue // created packets are on VC 0
			}
			var came []atom
			if dir != program.NoDir && !a.family.wraps(dir.Dim()) && !a.family.complete() {
				came = a.family.headAtoms(dir, false)
			}
			ways, dirs = append(ways, came), append(dirs, int(dir))
		}
		i, err := a.ask(AskDir, dirs, ways)
		if err != nil {
			return program.NoDir
		}
		a.path.anyDir, a.path.dir = false, program.Dir(dirs[i])
	}
	return a.path.dir
}

// VC implements program.Input.
func (a *lazyInput) VC() int {
	if a.path.vc < 0 {
		if !a.path.anyDir && a.path.dir == program.NoDir || a.family.program.VCs == 1 {
			return 0
		}
		vc, err := a.chooseValue(AskVC, a.family.program.VCs)
		if err != nil {
			return 0
		}
		a.path.vc = vc
	}
	return a.path.vc
}

// Wrap implements program.Input.
func (a *lazyInput) Wrap() bool {
	if !a.family.program.Family.Wrap() {
		return false
	}
	dir := a.Dir()
	if dir == program.NoDir || !a.family.wraps(dir.Dim()) {
		return false
	}
	i, _ := a.choose([][]atom{a.family.headAtoms(dir, false), a.family.headAtoms(dir, true)})
	return i == 1
}
