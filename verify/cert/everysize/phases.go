package everysize

import (
	"fmt"
	"slices"
)

// This file decides whether a program is a turn model of two phases, for every number of dimensions:
//
//	def route(cur, dst, inp):
//	    first = [minus(d) for d in range(len(cur)) if dst[d] < cur[d]]
//	    if first:
//	        return first
//	    return productive(cur, dst)
//
// The first phase has all dimensions, as in negative-first, or range(len(cur) - 1), all but the last: west-first in two dimensions. It can be
// that of plus, with cur[d] < dst[d]. Outputs can name VCs that the program has: in one dimension a phase without the last dimension has no
// hop, so a proof in one dimension says nothing of them. The last line can be the list of the other direction with its condition, or a list of
// outputs over productive(cur, dst). The family is meshes or hypercubes. (Glass and Ni, ISCA 1992: negative-first, all-but-one-negative-first,
// and p-cube on hypercubes.)
//
// Theorem. Let such a program have a proof in one dimension. Then it is deadlock-free under any switching, connected and livelock-free on
// every network of its family, of any number of dimensions.
//
// Proof. Let s be the sign of the first phase, and D its dimensions. Each hop decreases the distance, and a packet that is not at its
// destination has one: so each packet arrives. In the second phase no hop in a dimension of D has sign s, because no packet needs
// one, and none will as hops decrease the distance. So a channel is of one phase, and no packet returns to the first. In the first phase
// each hop adds s to the sum over the coordinates of D. In the second phase a hop in D subtracts s from it, and a hop in the last dimension, if it is not
// in D, keeps it, and the packet does not turn back in this dimension. So these triples rise at each dependency: the phase; the sum
// with its sign at the tail; in the last dimension the coordinate with the sign of the direction, otherwise infinity.

// inPhases returns nil if the program has this form.
func (f *family) inPhases(route *stmt) error {
	wrong := fmt.Errorf("line %d: route is no turn model of two phases", route.line)
	b := route.body
	if f.kind != "mesh" && f.kind != "hypercube" || len(b) != 3 || b[0].kind != "assign" || b[0].op != "" || b[0].target.kind != "name" {
		return wrong
	}
	name := b[0].target.text
	if err := distinctNames(route.line, append(slices.Clone(route.params), name)...); err != nil || name == f.anyDims {
		return wrong
	}
	if b[1].kind != "if" || !b[1].value.isName(name) || len(b[1].other) > 0 || len(b[1].body) != 1 || !b[1].body[0].returnsName(name) {
		return wrong
	}
	sign, all, ok := f.signed(b[0].value, route)
	if !ok || b[2].kind != "return" || b[2].value == nil {
		return wrong
	}
	second := b[2].value
	if other, allOther, ok := f.signed(second, route); ok {
		if !all || !allOther || other == sign {
			return wrong
		}
		return nil
	}
	s := &spread{family: f, route: route}
	if l, err := s.hops(second); err != nil || l == nil || !l.whole {
		return wrong
	}
	return f.goes(second)
}

// returnsName reports whether s returns the value of a name.
func (s *stmt) returnsName(name string) bool {
	return s.kind == "return" && s.value != nil && s.value.isName(name)
}

// signed reports whether x is the list of the hops that a packet needs in one direction, "plus" or "minus", of all dimensions or all but the
// last.
func (f *family) signed(x *expr, route *stmt) (sign string, all, ok bool) {
	if x.kind != "each" || len(x.each) != 2 || x.each[0].target.kind != "name" || x.each[1].target != nil {
		return "", false, false
	}
	d := x.each[0].target.text
	if distinctNames(x.line, append(slices.Clone(route.params), d)...) != nil || d == f.anyDims {
		return "", false, false
	}
	over, isRange := isCall(x.each[0].from, "range", 1)
	if !isRange {
		return "", false, false
	}
	all = f.isNumDims(over[0], route)
	if number := over[0]; !all && (number.kind != "-" || !f.isNumDims(number.args[0], route) || number.args[1].kind != "number" || number.args[1].number != 1) {
		return "", false, false
	}
	hop := x.args[0]
	if hop.kind == "tuple" && len(hop.args) == 2 && hop.args[1].kind == "number" {
		if hop.args[1].number >= int64(f.vcs) {
			return "", false, false
		}
		hop = hop.args[0]
	}
	for _, sign := range []string{"plus", "minus"} {
		if a, is := isCall(hop, sign, 1); is && a[0].isName(d) {
			less, more := route.params[0], route.params[1]
			if sign == "minus" {
				less, more = more, less
			}
			return sign, all, isLess(x.each[1].from, less, more, d)
		}
	}
	return "", false, false
}

// isLess reports whether x compares coordinates of dimension d of two places by less than.
func isLess(x *expr, less, more, d string) bool {
	is := func(y *expr, place string) bool {
		return y.kind == "item" && y.args[0].isName(place) && y.args[1].isName(d)
	}
	switch x.kind {
	case "<":
		return is(x.args[0], less) && is(x.args[1], more)
	case ">":
		return is(x.args[1], less) && is(x.args[0], more)
	}
	return false
}

// goes returns an error unless a list over productive hops has these hops as its outputs.
func (f *family) goes(x *expr) error {
	if x.kind != "each" {
		return nil
	}
	name, hop := x.each[0].target.text, x.args[0]
	if hop.kind == "tuple" && len(hop.args) == 2 {
		hop = hop.args[0]
	}
	if _, direct := isCall(x.each[0].from, "productive", 2); !direct || !hop.isName(name) {
		return fmt.Errorf("line %d: want outputs in the directions of productive", x.line)
	}
	return nil
}
