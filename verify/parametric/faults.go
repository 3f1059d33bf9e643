package parametric

import (
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model/program"
)

// This file defines networks with failed links or switches, anywhere.
//
// A proof has a case for each choice of directions of the failed links, and one without failures. In a case the
// coordinates of each failure are variables that no hop changes, like sizes. A failed link is at the tail of its channel in
// the plus direction; both channels of it fail. A failed switch takes its links and its host along.

// Faults are the failures that a proof covers: none, one, up to Most.
type Faults struct {
	Switches bool // switches fail, not links
	Most     int
}

// String returns the faults as in --faults.
func (f *Faults) String() string {
	if f.Switches {
		return fmt.Sprintf("switches:%d", f.Most)
	}
	return fmt.Sprintf("links:%d", f.Most)
}

// Words describes the faults for readers.
func (f *Faults) Words() string {
	number, what := "one", "failed link"
	if f.Most > 1 {
		number, what = "two", "failed links"
	}
	if f.Switches {
		what = strings.Replace(what, "link", "switch", 1)
		what = strings.Replace(what, "switchs", "switches", 1)
	}
	return fmt.Sprintf("at most %s %s, anywhere", number, what)
}

// cases returns the cases of a proof: the dimension of each failed link, or failedSwitch. The first case has no failure.
func (f *Faults) cases(dims int) [][]int {
	list := [][]int{nil}
	if f == nil {
		return list
	}
	kinds := make([]int, dims)
	for d := range kinds {
		kinds[d] = d
	}
	if f.Switches {
		kinds = []int{failedSwitch}
	}
	last := list
	for range f.Most {
		var longer [][]int
		for _, c := range last {
			for _, k := range kinds {
				if len(c) == 0 || c[len(c)-1] <= k {
					longer = append(longer, append(slices.Clone(c), k))
				}
			}
		}
		list, last = append(list, longer...), longer
	}
	return list
}

// check returns an error if the claims include connected, and a failure of this kind can separate working switches of the family,
// or if failures have no meaning in the family.
func (f *Faults) check(fam *family, claims []string) error {
	if f.Most > 2 {
		return fmt.Errorf("cannot prove %s for %s: want one or two failures", fam.program.Name, f)
	}
	if f.Most > 1 && slices.Contains(claims, "connected") {
		return fmt.Errorf("cannot prove %s connected with %s: two failures can cut a corner off; choose other claims, such as livelock-free",
			fam.program.Name, f)
	}
	if fam.complete() || fam.hasAxes() {
		return fmt.Errorf("cannot prove %s with failures: --faults is supported for meshes, tori, rings and hypercubes, not for %s",
			fam.program.Name, &fam.program.Family)
	}
	long, rings := 0, false
	for d, s := range fam.shape {
		if fam.wraps(d) && s.Name != "" && fam.least[slices.Index(fam.sizes, s.Name)] < 3 {
			return fmt.Errorf("cannot prove %s with failures: a ring of 2 has two links between its switches; want %s >= 3", fam.program.Name, s.Name)
		}
		rings = rings || fam.wraps(d)
		if s.Name == "" && s.Length > 1 || s.Name != "" && fam.least[slices.Index(fam.sizes, s.Name)] > 1 {
			long++
		}
	}
	if long < 2 && !rings && slices.Contains(claims, "connected") {
		return fmt.Errorf("cannot prove %s with failures: one failure separates the switches of %s", fam.program.Name, &fam.program.Family)
	}
	return nil
}

// faultsText describes the failures of a case: "failed link in y".
func (f *family) faultsText() string {
	switch {
	case len(f.faults) == 0:
		return "no failure"
	case f.faults[0] == failedSwitch && len(f.faults) > 1:
		return "two failed switches"
	case f.faults[0] == failedSwitch:
		return "failed switch"
	}
	var list []string
	for _, d := range f.faults {
		list = append(list, f.names[d])
	}
	return "failed link in " + strings.Join(list, " and in ")
}

// failures returns conditions. The channel that leaves place at in direction a has failed if one of them holds.
func (f *family) failures(at []form, a program.Dir) (list [][]atom) {
	d, ring, last := a.Dim(), f.wraps(a.Dim()), f.sides[a.Dim()].add(-1)
	// with returns the condition: failure k has coordinate x in dimension d, and the others of at.
	with := func(k int, x form, more ...[]atom) {
		all := slices.Concat(more...)
		for e := range f.dims {
			if e != d {
				all = append(all, equalTo(at[e], f.failed(k, e))...)
			} else {
				all = append(all, equalTo(x, f.failed(k, e))...)
			}
		}
		list = append(list, all)
	}
	for k, dim := range f.faults {
		minus := a.Minus()
		switch {
		case dim != failedSwitch && dim != d:
			continue
		case dim == failedSwitch:
			with(k, at[d])
		case !minus:
			with(k, at[d])
			continue
		}
		with(k, at[d].add(step(a)))
		if ring && minus {
			with(k, last, equalTo(at[d], f.number(0)))
		} else if ring {
			with(k, f.number(0), equalTo(at[d], last))
		}
	}
	return list
}

// missing returns the conditions: no channel leaves the current place in direction a. One of them holds then.
func (f *family) missing(a program.Dir) (list [][]atom) {
	if f.hasAxes() {
		return f.noAxis(a)
	}
	if !f.wraps(a.Dim()) {
		list = append(list, f.tailAtoms(a, false)[0].negated())
	}
	at := make([]form, f.dims)
	for d := range at {
		at[d] = f.here(d)
	}
	return append(list, f.failures(at, a)...)
}

// exists returns the condition: a grid without failures has a channel from a place in direction a.
func (f *family) exists(at []form, a program.Dir) (list []atom) {
	for d, x := range at {
		known := slices.Equal(x, f.here(d)) || slices.Equal(x, f.there(d))
		within := f.within(x, d)
		if d == a.Dim() && !f.wraps(d) {
			if a.Minus() {
				within[0].form = x.add(-1)
			} else {
				within[1].form = within[1].form.add(-1)
			}
			if known && a.Minus() {
				within = within[:1]
			} else if known {
				within = within[1:]
			}
		} else if known {
			continue
		}
		list = append(list, within...)
	}
	return list
}

// simplified returns a condition without the atoms that always hold, or nil if one of them never does.
func simplified(list []atom) (left []atom) {
	left = []atom{}
	for _, a := range list {
		switch always, never := a.known(); {
		case never:
			return nil
		case !always:
			left = append(left, a)
		}
	}
	return left
}

// atoms returns the inequalities and divisibilities of conditions, also those that must not all hold.
func atoms(list []atom) (flat []atom) {
	for _, a := range list {
		if a.none != nil {
			flat = append(flat, atoms(a.none)...)
		} else {
			flat = append(flat, a)
		}
	}
	return flat
}

// A setting is the sides of a network, then for each failure its dimension and its coordinates.
