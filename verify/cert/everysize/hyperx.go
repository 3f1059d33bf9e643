package everysize

// This file has the channels of HyperX networks: each two switches that differ in one coordinate are linked. A hop in dimension d
// sets coordinate d to another value; its direction is 2d. Three variables follow the sizes:
//
//	old   the coordinate that the last hop replaced: the tail of the channel is the place with old as its coordinate d;
//	onto  the value that a hop sets: what follows from an output is a formula about it;
//	far   old for the other place, which detours use.
//
// Ranks are forms in the tail, the sizes and onto, the coordinate d of the head.

// reaches returns the formula: the output permits the hop that sets its coordinate to onto. On grids it is true.
func (f *family) reaches(o output) *Formula {
	d := o.dir.dim()
	switch o.kind {
	case toValue:
		return equal(f.onto(), o.to)
	case toOthers:
		return differ(f.onto(), f.here(d))
	case toDeroutes:
		return and(differ(f.onto(), f.here(d)), differ(f.onto(), f.there(d)))
	}
	return always
}

// barren returns the formula: the output permits no hop.
func (f *family) barren(o output) *Formula {
	d := o.dir.dim()
	switch o.kind {
	case toOthers:
		return atMost(f.side(d), number(1))
	case toDeroutes:
		return or(atMost(f.side(d), number(1)), and(atMost(f.side(d), number(2)), differ(f.here(d), f.there(d))))
	}
	return never
}

// missing returns the formula: the output names the present value, or no value of the network.
func (f *family) missing(o output) *Formula {
	if o.kind != toValue {
		return never
	}
	d := o.dir.dim()
	return or(lessThan(o.to, number(0)), atMost(f.side(d), o.to), equal(o.to, f.here(d)))
}

// hopBack is toTail of a hop in dimension d, hopForward its toHead.
func (f *family) hopBack(d int) []Form {
	by := make([]Form, f.variables())
	by[d], by[f.firstHop()+1] = f.old(), f.here(d)
	return by
}

func (f *family) hopForward(d int) []Form {
	by := make([]Form, f.variables())
	by[d], by[f.firstHop()] = f.onto(), f.here(d)
	return by
}

// notNearer returns the formula: the hop in dimension d to onto does not align the packet.
func (f *family) notNearer(d int) *Formula {
	return or(equal(f.here(d), f.there(d)), differ(f.onto(), f.there(d)))
}
