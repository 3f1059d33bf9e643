package parametric

import (
	"fmt"
	"slices"
)

// This file finds conditions by which classes can be split, where ranks that are linear
// in the coordinates do not do: parity of a column, the first column, and so on. They
// are those conditions of the program that speak of the place alone, at the tail of a
// channel and one place to either side of it.

// maxPaired bounds the conditions that are tried two at a time.
const maxPaired = 12

// splits lists the sets of conditions to try, few first.
func (s *system) splits() (list [][]atom) {
	var all []atom
	seen := map[string]bool{}
	add := func(a atom) {
		contrary := atom{form: a.form.times(-1).add(-1)}
		if a.mod == 2 {
			contrary = atom{a.form.add(1), 2}
		}
		for _, key := range []atom{a, contrary} {
			if key.mod != 0 {
				key.form = key.form.reduced(key.mod)
			}
			if seen[fmt.Sprint(key)] {
				return
			}
		}
		if a.mod != 0 {
			a.form = a.form.reduced(a.mod)
		}
		seen[fmt.Sprint(a)] = true
		all = append(all, a)
	}
	for i := range s.paths {
		for _, a := range s.paths[i].guard {
			if !s.ofPlace(a) {
				continue
			}
			add(a)
			for d := range s.dims {
				if a.form[d] != 0 {
					for _, k := range []int64{1, -1} {
						by := make([]form, s.variables())
						by[d] = s.here(d).add(k)
						add(a.moved(by))
					}
				}
			}
		}
	}
	slices.SortStableFunc(all, func(a, b atom) int { return int(b.mod - a.mod) }) // parity first
	for _, a := range all {
		list = append(list, []atom{a})
	}
	for i := range all[:min(len(all), maxPaired)] {
		for j := range i {
			list = append(list, []atom{all[j], all[i]})
		}
	}
	return list
}

// ofPlace reports whether a condition speaks of coordinates of the place, and else of
// sizes only.
func (s *system) ofPlace(a atom) bool {
	place := false
	for v, c := range a.form[:len(a.form)-1] {
		switch {
		case c == 0:
		case v < s.dims:
			place = true
		case v < 3*s.dims:
			return false
		}
	}
	return place
}

// reduced takes a form modulo a number.
func (f form) reduced(mod int64) form {
	g := make(form, len(f))
	for v, c := range f {
		g[v] = (c%mod + mod) % mod
	}
	return g
}
