package everysize

import (
	"fmt"
	"slices"
)

// This file decides whether a program has an escape that corrects one dimension after another, beside hops in all dimensions. Its
// function route has one of the forms
//
//	out = [HOP for a in productive(cur, dst)]        out = [HOP for d in range(len(cur)) if ...]
//	a = out[0][0]                                    for d in range(len(cur)):
//	return out + [(a, VC)]                               BODY, which returns out + [...]
//	                                                 return []
//
// or a mixture of both. There can be several lists such as out; BODY adds all of them to each value that it returns. HOP, VC and BODY treat
// all dimensions in the same manner: in the dimension of a or d they look at this dimension only. No part looks at the input of the packet.
//
// Let E be the escape of a proof in one dimension, a set of pairs of a direction and a VC. The escape of a network of any number of
// dimensions has the channels with these directions and VCs, in each dimension. Also,
//
//  1. no hop of the lists is on a VC of E: their VCs are numbers in the text;
//  2. the lists have no hop in a dimension in which the packet is aligned, and BODY does not return there.
//
// Theorem. Let such a program have a proof with the escape E in one dimension. Then it is deadlock-free, connected and livelock-free on every
// network of its family, of any number of dimensions, under the switching of the proof.
//
// Proof. By 2, each hop in dimension i is a hop that the program permits in one dimension, at the coordinates of dimension i. Hops in
// other dimensions do not change them. So the hops of a packet in dimension i are a path of the program in one dimension, or the
// begin of one: its state is the coordinates alone, and packets are created in each of them. These paths are finite, and end
// aligned. So each packet arrives.
//
// Let d be the first dimension in which a packet is not aligned. The program permits an escape channel of dimension d, because the proof in one dimension
// says so of these coordinates. By 1, all permitted escape channels are in dimension d. Now let a packet be on an escape channel of
// dimension i, and an escape channel of dimension j be the next that it requests: at once, or after any hops on other channels. When it
// took the first, the dimensions before i were aligned, and they remain so by 2. So j >= i. If j = i, the path in dimension i leads from the
// first channel to the second, over no other escape channel, so the proof in one dimension says that the rank rises. So the pairs
// (dimension, rank in one dimension) rise over all detours, which is what Duato (1993) requires, and what Duato (1996) requires without
// detours.

// spreads returns nil if the program has this form.
func (f *family) spreads(route *stmt, escape [][2]int) error {
	s := &spread{family: f, route: route, lists: map[string]*hopList{}}
	var suffix []*stmt
	for i, x := range route.body {
		isList, err := s.define(x)
		if err != nil {
			return err
		}
		if !isList {
			s.before, suffix = route.body[:i], route.body[i:]
			break
		}
	}
	if err := s.distinct(route.line); err != nil {
		return err
	}
	var err error
	if loop := s.loop(suffix); loop != nil {
		err = s.judgeLoop(loop)
	} else {
		err = s.judgeFirst(suffix)
	}
	if err != nil {
		return err
	}
	for _, l := range s.returned {
		if l.vcs == nil {
			return fmt.Errorf("line %d: want a VC in each hop in all dimensions", l.expr.line)
		}
		if slices.ContainsFunc(escape, func(e [2]int) bool { return slices.Contains(l.vcs, int64(e[1])) }) {
			return fmt.Errorf("line %d: a hop in any dimension is to a VC of the escape", l.expr.line)
		}
	}
	return s.keepAligned()
}

// spread judges a program with hops in all dimensions.
type spread struct {
	*family
	route    *stmt
	before   []*stmt // that make the lists
	names    []string
	lists    map[string]*hopList
	returned []*hopList // that are parts of returned values
}

// hopList is a list of hops in all dimensions.
type hopList struct {
	expr  *expr
	whole bool    // the list has a hop in each dimension that is not aligned, in their order
	vcs   []int64 // the VCs of the hops; if nil, they name none
}

// uniform returns the judge of values about one dimension.
func (s *spread) uniform(dim, hop string) *uniform {
	return &uniform{cur: s.route.params[0], dst: s.route.params[1], dim: dim, hop: hop, locals: map[string]bool{}}
}

// distinct returns an error if names that are bound in route and further names are not distinct, or reserved.
func (s *spread) distinct(line int, more ...string) error {
	if slices.Contains(s.names, s.anyDims) || slices.Contains(more, s.anyDims) || slices.Contains(s.route.params, s.anyDims) {
		return fmt.Errorf("line %d: %s gets another value", line, s.anyDims)
	}
	return distinctNames(line, slices.Concat(s.route.params, s.names, more)...)
}

// define reports whether a statement names a list of hops in all dimensions. It fails if the statement is such a list that treats dimensions
// differently.
func (s *spread) define(x *stmt) (bool, error) {
	if x.kind != "assign" || x.op != "" || x.target.kind != "name" {
		return false, nil
	}
	l, err := s.hops(x.value)
	if l != nil && err == nil {
		s.names = append(s.names, x.target.text)
		s.lists[x.target.text] = l
	}
	return l != nil, err
}

// hops judges an expression that is a list of hops in all dimensions. For other expressions it returns nil.
func (s *spread) hops(x *expr) (*hopList, error) {
	if args, ok := isCall(x, "productive", 2); ok && args[0].isName(s.route.params[0]) && args[1].isName(s.route.params[1]) {
		return &hopList{expr: x, whole: true}, nil
	}
	if x.kind == "name" {
		return s.lists[x.text], nil
	}
	if x.kind != "each" || x.each[0].target.kind != "name" {
		return nil, nil
	}
	l := &hopList{expr: x}
	name, u := x.each[0].target.text, &uniform{}
	if s.isAllDims(x.each[0].from, s.route) {
		u = s.uniform(name, "")
	} else if from, err := s.hops(x.each[0].from); from != nil && err == nil {
		u = s.uniform("", name)
		l.whole = from.whole && len(x.each) == 1
	} else {
		return from, err
	}
	if err := s.distinct(x.line, name); err != nil {
		return l, err
	}
	for _, c := range x.each[1:] {
		if c.target != nil {
			return l, fmt.Errorf("line %d: two loops in a list", x.line)
		}
		if err := u.value(c.from, nil, false); err != nil {
			return l, err
		}
	}
	if hop := x.args[0]; hop.kind == "tuple" && len(hop.args) == 2 {
		l.vcs = numbersOf(hop.args[1])
	}
	return l, u.value(x.args[0], nil, false)
}

// numbersOf returns the values of a number, or of numbers between which conditions choose. For other expressions it returns nil.
func numbersOf(x *expr) []int64 {
	switch x.kind {
	case "number":
		return []int64{x.number}
	case "if":
		a, b := numbersOf(x.args[1]), numbersOf(x.args[2])
		if a != nil && b != nil {
			return append(a, b...)
		}
	}
	return nil
}

// loop returns the loop over the dimensions after the lists, or nil. The loop may be followed by a return of nothing.
func (s *spread) loop(suffix []*stmt) *stmt {
	if len(suffix) < 1 || len(suffix) > 2 || len(suffix) == 2 && !suffix[1].returnsNothing() {
		return nil
	}
	if x := suffix[0]; x.kind == "for" && x.target.kind == "name" && s.isAllDims(x.value, s.route) {
		return x
	}
	return nil
}

// judgeLoop judges the loop. Each value that it returns has all lists.
func (s *spread) judgeLoop(loop *stmt) error {
	if len(s.names) == 0 {
		return fmt.Errorf("line %d: no list of hops in all dimensions", s.route.line)
	}
	u := s.uniform(loop.target.text, "")
	if err := s.distinct(loop.line, u.dim); err != nil {
		return err
	}
	u.lists = slices.Sorted(slices.Values(s.names))
	if err := u.block(loop.body, nil, false); err != nil {
		return err
	}
	if u.locals[s.anyDims] {
		return fmt.Errorf("line %d: %s is assigned to", loop.line, s.anyDims)
	}
	for _, name := range s.names {
		s.returned = append(s.returned, s.lists[name])
	}
	return s.passesAligned(s.route, s.before, loop)
}

// judgeFirst judges statements that add outputs in the first dimension that is not aligned: a = out[0], then the return statement.
func (s *spread) judgeFirst(suffix []*stmt) error {
	wrong := fmt.Errorf("line %d: want outputs in the first dimension that is not aligned", s.route.line)
	first := "the first hop"
	if len(suffix) == 2 {
		x := suffix[0]
		if x.kind != "assign" || x.op != "" || x.target.kind != "name" || !s.isFirst(x.value) {
			return wrong
		}
		if first = x.target.text; s.distinct(x.line, first) != nil {
			return s.distinct(x.line, first)
		}
		suffix = suffix[1:]
	}
	if len(suffix) != 1 || suffix[0].kind != "return" || suffix[0].value == nil {
		return wrong
	}
	return s.sum(suffix[0].value, s.uniform("", first))
}

// sum judges the sum of lists in all dimensions, and lists of outputs in the dimension of a hop.
func (s *spread) sum(x *expr, u *uniform) error {
	if x.kind == "+" {
		if err := s.sum(x.args[0], u); err != nil {
			return err
		}
		return s.sum(x.args[1], u)
	}
	l, err := s.hops(x)
	switch {
	case err != nil:
		return err
	case l != nil:
		s.returned = append(s.returned, l)
		return nil
	}
	return u.value(s.named(x, u.hop), nil, false)
}

// isFirst reports whether x is the first hop of a whole list: out[0], or out[0][0] if the list has VCs.
func (s *spread) isFirst(x *expr) bool {
	isZero := func(x *expr) bool { return x.kind == "item" && x.args[1].kind == "number" && x.args[1].number == 0 }
	if !isZero(x) {
		return false
	}
	list, vcs := x.args[0], false
	if isZero(list) {
		list, vcs = list.args[0], true
	}
	l := s.lists[list.text]
	return list.kind == "name" && l != nil && l.whole && vcs == (l.vcs != nil)
}

// named returns an expression with a name for each first hop of a list.
func (s *spread) named(x *expr, name string) *expr {
	if s.isFirst(x) {
		return &expr{kind: "name", text: name, line: x.line}
	}
	y := *x
	y.args = nil
	for _, a := range x.args {
		y.args = append(y.args, s.named(a, name))
	}
	return &y
}

// keepAligned returns an error unless the lists are empty if the packet is aligned, in one dimension. The machine runs them as in passesAligned.
func (s *spread) keepAligned() error {
	paths, err := s.explorePart(func(m *machine) {
		inner := m.enter(s.route, m.here)
		m.execute(s.before, inner)
		for _, l := range s.returned {
			if made, ok := m.eval(l.expr, inner).(*list); !ok || len(made.items) > 0 {
				fail("a hop in a dimension in which the packet is aligned")
			}
		}
	})
	for i := range paths {
		if failed := paths[i].failed; failed != nil {
			return fmt.Errorf("line %d: the lists of hops: %w", s.route.line, failed)
		}
	}
	return err
}
