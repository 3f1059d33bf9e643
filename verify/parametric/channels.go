package parametric

import "github.com/turnproof/turnproof/model/program"

// This file defines how channels change the place of a packet.

// toTail returns the substitution from the head to the tail of a channel.
func (f *family) toTail(dir program.Dir, wrap bool) []form {
	if dir == program.NoDir {
		return make([]form, f.variables())
	}
	if f.complete() {
		return f.hopBack(dir.Dim())
	}
	return f.toHead(dir.Reverse(), wrap)
}

// toHead returns the substitution from the tail to the head of a channel.
func (f *family) toHead(dir program.Dir, wrap bool) []form {
	if f.complete() {
		return f.hopForward(dir.Dim())
	}
	if f.hasAxes() {
		return f.alongAxis(dir)
	}
	by := make([]form, f.variables())
	d := dir.Dim()
	switch {
	case !wrap:
		by[d] = f.here(d).add(step(dir))
	case dir.Minus():
		by[d] = f.sides[d].add(-1)
	default:
		by[d] = f.number(0)
	}
	return by
}

// toGhost returns the substitution of the current place by the ghost.
func (f *family) toGhost() []form {
	by := make([]form, f.variables())
	for d := range f.dims {
		by[d] = f.ghost(d)
	}
	if f.complete() {
		by[f.firstExtra()] = f.gold()
	}
	return by
}

// tailAtoms returns the condition: the current place is the tail of such a channel.
func (f *family) tailAtoms(dir program.Dir, wrap bool) []atom {
	if dir == program.NoDir {
		return nil
	}
	if f.hasAxes() {
		return f.axisTail(dir)
	}
	d := dir.Dim()
	x, last := f.here(d), f.sides[d].add(-1)
	switch {
	case f.complete():
		return f.within(f.onto(), d)
	case wrap && dir.Minus():
		return equalTo(x, f.number(0))
	case wrap:
		return equalTo(x, last)
	case dir.Minus():
		return []atom{{form: x.add(-1)}}
	}
	return []atom{{form: last.plus(x, -1).add(-1)}}
}

// headAtoms returns the condition: the current place is the head of such a channel. This is
// the condition that the reverse channel leaves it.
func (f *family) headAtoms(dir program.Dir, wrap bool) []atom {
	if dir == program.NoDir {
		return nil
	}
	if f.complete() {
		return f.within(f.old(), dir.Dim())
	}
	return f.tailAtoms(dir.Reverse(), wrap)
}
