package parametric

import (
	"slices"

	"github.com/turnproof/turnproof/model/program"
)

// This file defines the channels of HyperX networks. A channel sets coordinate d of its tail to another value. Its direction is
// 2d. Three more variables describe a hop:
//
//   - old is the coordinate that the last hop replaced. The tail of the last channel is the place with old as coordinate d.
//   - onto is the value to which the next hop leads. Conditions on onto say which hops an output permits.
//   - gold is old for the ghost (see escape.go).
//
// Formulas about the tail and ranks use onto for the coordinate of the head.

// isOnto reports whether variable v is onto.
func (f *family) isOnto(v int) bool { return f.complete() && v == f.firstExtra()+1 }

// directions returns the directions of channels.
func (f *family) directions() (list []program.Dir) {
	for dir := range f.numDirs() {
		if !f.complete() || !dir.Minus() {
			list = append(list, dir)
		}
	}
	return list
}

// hopBack is toTail for a hop in dimension d: the place gets its old coordinate, and the hop led onto the present one.
func (f *family) hopBack(d int) []form {
	by := make([]form, f.variables())
	by[d], by[f.firstExtra()+1] = f.old(), f.here(d)
	return by
}

// hopForward is toHead for a hop in dimension d.
func (f *family) hopForward(d int) []form {
	by := make([]form, f.variables())
	by[d], by[f.firstExtra()] = f.onto(), f.here(d)
	return by
}

// value returns the value that an output names, or nil if it names several.
func (f *family) value(o program.Output) form {
	if o.To < program.ToValue {
		return nil
	}
	return f.targets[o.To-program.ToValue]
}

// hops returns the conditions on onto under which an output permits a hop. One of the lists must hold.
func (f *family) hops(o program.Output) [][]atom {
	if v := f.value(o); v != nil {
		return [][]atom{equalTo(f.onto(), v)}
	}
	d := o.Dir.Dim()
	avoid := []form{f.here(d)}
	if o.To == program.ToDeroutes {
		avoid = append(avoid, f.there(d))
	}
	list := [][]atom{nil}
	for _, x := range avoid {
		var longer [][]atom
		for _, l := range list {
			for _, sign := range []int64{1, -1} {
				longer = append(longer, append(slices.Clip(l), atom{form: f.onto().plus(x, -1).times(sign).add(-1)}))
			}
		}
		list = longer
	}
	return list
}

// noHop returns the formula: an output permits no hop.
func (f *family) noHop(o program.Output) string {
	d := o.Dir.Dim()
	few := func(k int64) string { return f.names.condition(atom{form: f.sides[d].times(-1).add(k)}) }
	switch {
	case !f.complete() || f.value(o) != nil:
		return "false"
	case o.To == program.ToDeroutes:
		return or(few(1), and(few(2), not("(= "+f.names.term(f.here(d))+" "+f.names.term(f.there(d))+")")))
	}
	return few(1)
}

// emptiness returns the formula: none of the outputs permits a hop.
func (f *family) emptiness(list []program.Output) string {
	var parts []string
	for _, o := range list {
		parts = append(parts, f.noHop(o))
	}
	return and(parts...)
}

// noTarget returns the formula: an output to one value names the present coordinate, or none of the network.
func (f *family) noTarget(o program.Output) string {
	v, d := f.value(o), o.Dir.Dim()
	if v == nil {
		return "false"
	}
	return or(not(f.names.all(f.within(v, d))), "(= "+f.names.term(v)+" "+f.names.term(f.here(d))+")")
}

// isHop reports whether an output permits the hop of a point.
func (f *family) isHop(o program.Output, point []int64) bool {
	return !f.complete() || slices.ContainsFunc(f.hops(o), func(list []atom) bool { return allHold(list, point) })
}
