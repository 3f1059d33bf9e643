package parametric

import "github.com/turnproof/turnproof/internal/linear"

// This file decides without Z3 that choices exclude each other. It may miss some that do, so a tree may have branches that no
// packet takes.

// impossible reports whether no place, destination and sizes satisfy the choices so far and way. It misses conflicts that
// need integers, except divisibilities of the same form.
func (r *run) impossible(way []atom) bool {
	all := append(r.guard[:len(r.guard):len(r.guard)], way...)
	if haveConflict(all) || isEmpty(r.family, all, nil) {
		return true
	}
	if r.family.program.Passes {
		return false
	}
	for d := range r.family.dims { // away from the destination in some dimension
		difference := r.family.here(d).plus(r.family.there(d), -1)
		for _, f := range []form{difference.add(-1), difference.times(-1).add(-1)} {
			if !isEmpty(r.family, all, []atom{{form: f}}) {
				return false
			}
		}
	}
	return true
}

// isEmpty reports whether no real point of the domain satisfies the inequalities of both lists.
func isEmpty(f *family, list, more []atom) bool {
	var rows []linear.Row
	for _, atoms := range [][]atom{f.domain(), list, more} {
		for _, a := range atoms {
			if a.mod != 0 || a.none != nil {
				continue
			}
			row := linear.Row{Coeffs: make([]int, f.variables()), Least: int(-a.form.constant())}
			for v := range row.Coeffs {
				row.Coeffs[v] = int(a.form[v])
			}
			rows = append(rows, row)
		}
	}
	return linear.Minimum(rows, make([]int, f.variables())).Empty
}

// haveConflict reports whether two atoms demand different remainders of the same form.
func haveConflict(list []atom) bool {
	for i, a := range list {
		for _, b := range list[:i] {
			if a.mod == 0 || a.mod != b.mod {
				continue
			}
			if d := a.form.plus(b.form, -1); d.isConstant() && d.constant()%a.mod != 0 {
				return true
			}
		}
	}
	return false
}
