package parametric

import (
	"slices"

	"github.com/turnproof/turnproof/model/program"
)

// This file finds the header states in which packets may be created.
//
// The proof assumes that every source may draw each state that the function inject returns for
// some source, destination and sizes. So the proof holds for the actual states, whatever
// their weights.

// findStarts sets family.starts, family.silent and family.drawn.
func (r *run) findStarts() error {
	f := r.family
	if !f.program.Draws {
		f.starts = []int{0}
		return nil
	}
	seen := map[int]bool{}
	if len(f.sizes) == 0 && len(f.faults) == 0 {
		return r.enumerateStarts(seen)
	}
	unknown := false
	var list []program.Start
	var err error
	r.execute = func() { list, err = r.injectOnce() }
	if err := r.forEachPath(func() {
		if unknown = unknown || err != nil; err != nil || len(list) == 0 {
			f.silent = append(f.silent, r.guard)
		}
		if err != nil || hasChoice(list) {
			f.drawn = append(f.drawn, r.guard)
		}
		addStarts(seen, list)
	}); err != nil {
		return err
	}
	r.decisions = nil
	for state := range f.program.States { // all states, if inject could not be run on symbols
		seen[state] = seen[state] || unknown
	}
	f.setStarts(seen)
	return nil
}

// injectOnce runs inject along the choices, from the current place to the destination.
func (r *run) injectOnce() ([]program.Start, error) {
	instance, err := r.family.program.OnFaulty(r.sides(), r.works)
	if err != nil {
		return nil, err
	}
	return instance.Inject(r.values(r.family.here), r.values(r.family.there))
}

// enumerateStarts runs inject for all pairs of the only network of a family.
func (r *run) enumerateStarts(seen map[int]bool) error {
	f := r.family
	sides := f.sidesOf(nil)
	instance, err := f.program.OnNumbers(sides)
	if err != nil {
		return err
	}
	list, same := instance.InjectAnywhere()
	addStarts(seen, list)
	if same && hasChoice(list) {
		f.drawn = append(f.drawn, nil)
	}
	places := eachPlace(sides)
	for _, from := range places {
		for _, to := range places {
			if same && len(list) > 0 || slices.Equal(from, to) && !f.program.Passes {
				continue
			}
			list, err := instance.Inject(program.Numbers(from), program.Numbers(to))
			if err != nil {
				return err
			}
			if addStarts(seen, list); len(list) == 0 {
				f.silent = append(f.silent, f.at(from, to))
			}
			if hasChoice(list) {
				f.drawn = append(f.drawn, f.at(from, to))
			}
		}
	}
	f.setStarts(seen)
	return nil
}

// hasChoice reports whether a list has two states.
func hasChoice(list []program.Start) bool {
	return slices.ContainsFunc(list, func(s program.Start) bool { return s.State != list[0].State })
}

func addStarts(seen map[int]bool, list []program.Start) {
	for _, s := range list {
		seen[s.State] = true
	}
}

func (f *family) setStarts(seen map[int]bool) {
	for state := range f.program.States {
		if seen[state] {
			f.starts = append(f.starts, state)
		}
	}
}

// at returns the condition: the current place is from and the destination is to.
func (f *family) at(from, to []int) (list []atom) {
	for d := range f.dims {
		list = append(list, equalTo(f.here(d), f.number(int64(from[d])))...)
		list = append(list, equalTo(f.there(d), f.number(int64(to[d])))...)
	}
	return list
}
