package parametric

import (
	"fmt"
	"slices"
)

// This file lists the conditions that divide cells, and the sums of coordinates that rank them (cells.go).

// maxConditions bounds the conditions, maxSums the sums.
const (
	maxConditions = 320
	maxSums       = 32
)

// cellConditions returns inequalities and divisibilities by 2 at the tail, with bounds that differ by 1. The contrary of a
// condition is not listed. In proofs of deadlock-free no condition is on the destination.
func (s *system) cellConditions() []atom {
	list := s.nearDifferences()
	if !s.pathsOnly {
		list = slices.DeleteFunc(list, func(a atom) bool {
			return slices.ContainsFunc(a.form[s.dims:2*s.dims], func(c int64) bool { return c != 0 })
		})
	}
	return list
}

// nearDifferences returns the conditions of differences, with bounds that differ by 1, without their contraries.
func (s *system) nearDifferences() (list []atom) {
	seen := map[string]bool{}
	for _, a := range s.differences() {
		for _, k := range []int64{0, -1, 1} {
			x := atom{form: a.form.add(k), mod: a.mod}
			if key := fmt.Sprint(x); !seen[key] && len(list) < maxConditions {
				seen[key], seen[fmt.Sprint(x.contrary())] = true, true
				list = append(list, x)
			}
		}
	}
	return list
}

// differences returns differences of the place, the destination and the failures, and conditions of the program on them.
func (s *system) differences() (list []atom) {
	add := func(a, b form) { list = append(list, atom{form: a.plus(b, -1)}) }
	for d := range s.dims {
		add(s.there(d), s.here(d))
	}
	for k := range s.faults {
		for d := range s.dims {
			add(s.failed(k, d), s.here(d))
			add(s.failed(k, d), s.there(d))
			for j := range k {
				add(s.failed(k, d), s.failed(j, d))
			}
		}
	}
	for i := range s.paths {
		for _, a := range atoms(s.paths[i].guard) {
			if a.mod <= 2 && !a.form.isConstant() {
				list = append(list, a)
			}
		}
	}
	return list
}

// cellSums returns sums and differences of the coordinates of the place, those of few coordinates first.
func (s *system) cellSums() (list [][]int64) {
	all := [][]int64{make([]int64, s.dims)}
	for d := range s.dims {
		for _, v := range slices.Clone(all[:min(len(all), maxSums)]) {
			for _, c := range []int64{1, -1} {
				w := slices.Clone(v)
				w[d] = c
				all = append(all, w)
			}
		}
	}
	terms := func(v []int64) (n int) {
		for _, c := range v {
			n += int(c * c)
		}
		return n
	}
	slices.SortStableFunc(all, func(a, b []int64) int { return terms(a) - terms(b) })
	return all[1:min(len(all), maxSums+1)]
}
