package everysize

import (
	"fmt"
	"slices"
)

// This file decides whether the proof for one dimension is a proof for every number of dimensions.
//
// Such a program corrects one dimension after another. Its function route is
//
//	def route(cur, dst, inp):
//	    for d in range(len(cur)):
//	        BODY
//	    return []
//
// BODY must treat all dimensions in the same manner and look at dimension d only. It can use cur[d], dst[d], functions of dimension d, and
// whether the packet arrived in dimension d, inp.dim == d. It can use inp.vc and inp.wrap only where this is known. It may
// not keep values for the next dimension. And if cur[d] == dst[d], it does not return, whatever the input.
//
// Theorem. Let such a program have a proof without an escape in one dimension. Then it is deadlock-free, connected and livelock-free
// on every network of its family, of any number of dimensions.
//
// Proof. Let d be the first dimension in which a packet is not aligned. The run passes the dimensions before d, and BODY then
// sees what the program sees in one dimension: coordinates cur[d] and dst[d], a side, and the input. If the packet arrived in
// another dimension, this is the input of a created packet. So by induction a packet makes, in each dimension in which it is
// not aligned, the hops that a packet makes in one dimension from its creation to its delivery, in the order of the dimensions:
// the dimensions before d stay aligned. Each of these runs is finite and ends aligned. A dependency stays within a line of
// dimension d, where it is one of the program in one dimension, or leads to a higher dimension. So the pairs (dimension, rank in one
// dimension) rise.

// EveryDimension returns nil if a proof of the program in one dimension holds for every number of dimensions.
func EveryDimension(text string) (err error) {
	defer catch(&err)
	p, err := read(text, 1)
	if err != nil {
		return err
	}
	return newFamily(p).everyDimension()
}

func (f *family) everyDimension() error {
	switch {
	case f.anyDims == "":
		return fmt.Errorf("the family has %d dimensions", f.dims)
	case f.states > 1 || f.draws || f.passes:
		return fmt.Errorf("a program with header states, inject or EJECT")
	}
	for name := range f.global {
		if reserved[name] {
			return fmt.Errorf("the program defines %s", name)
		}
	}
	route := f.list[slices.IndexFunc(f.list, func(s *stmt) bool { return s.kind == "def" && s.name == "route" })]
	loop, err := f.loopOf(route)
	if err != nil {
		return err
	}
	u := &uniform{cur: route.params[0], dst: route.params[1], inp: route.params[2], dim: loop.target.text, locals: map[string]bool{}}
	names := []string{u.cur, u.dst, u.inp, u.dim}
	for i, name := range names {
		if reserved[name] || slices.Contains(names[:i], name) {
			return fmt.Errorf("line %d: the name %s is used twice", route.line, name)
		}
	}
	if err := u.block(loop.body, map[string]bool{}, false); err != nil {
		return err
	}
	if u.locals[f.anyDims] {
		return fmt.Errorf("line %d: %s is assigned to", loop.line, f.anyDims)
	}
	return f.passesAligned(route, loop)
}

// loopOf returns the loop over the dimensions, which is all that route does.
func (f *family) loopOf(route *stmt) (*stmt, error) {
	wrong := fmt.Errorf("line %d: route is not a loop over all dimensions", route.line)
	body := route.body
	if len(route.params) != 3 || len(body) < 1 || len(body) > 2 || body[0].kind != "for" || body[0].target.kind != "name" {
		return nil, wrong
	}
	if len(body) == 2 && (body[1].kind != "return" || body[1].value == nil || body[1].value.kind != "list" || len(body[1].value.args) > 0) {
		return nil, wrong
	}
	number, ok := isCall(body[0].value, "range", 1)
	if !ok {
		return nil, wrong
	}
	if place, ok := isCall(number[0], "len", 1); ok && place[0].isName(route.params[0]) {
		return body[0], nil
	}
	if f.kind == "hypercube" && number[0].isName(f.anyDims) && body[0].target.text != f.anyDims && !slices.Contains(route.params, f.anyDims) {
		return body[0], nil
	}
	return nil, wrong
}

func (x *expr) isName(name string) bool { return x.kind == "name" && x.text == name }

// isCall returns the arguments of a call of a builtin function with some number of arguments.
func isCall(x *expr, name string, arguments int) ([]*expr, bool) {
	if x.kind != "call" || len(x.args) != 1+arguments || !x.args[0].isName(name) {
		return nil, false
	}
	return x.args[1:], true
}

// uniform judges the body of the loop.
type uniform struct {
	cur, dst, inp, dim string
	locals             map[string]bool // that are assigned to
}

// block judges statements. known are the names that have a value of this dimension; inside says that the packet is known to
// have arrived in this dimension.
func (u *uniform) block(list []*stmt, known map[string]bool, inside bool) error {
	own := map[string]bool{}
	for name := range known {
		own[name] = true
	}
	for _, s := range list {
		var err error
		switch {
		case s.kind == "pass":
		case s.kind == "return" && s.value != nil:
			err = u.value(s.value, own, inside)
		case s.kind == "assign" && s.op == "" && s.target.kind == "name":
			name := s.target.text
			if reserved[name] || slices.Contains([]string{u.cur, u.dst, u.inp, u.dim}, name) {
				return fmt.Errorf("line %d: %s gets another value", s.line, name)
			}
			err = u.value(s.value, own, inside)
			own[name], u.locals[name] = true, true
		case s.kind == "if":
			if err = u.value(s.value, own, inside); err == nil {
				err = u.block(s.body, own, inside || u.arrived(s.value, "=="))
			}
			if err == nil {
				err = u.block(s.other, own, inside || u.isArrival(s.value, "!="))
			}
		default:
			err = fmt.Errorf("line %d: a statement that may treat dimensions differently", s.line)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// isArrival reports whether x compares inp.dim with the dimension of the loop.
func (u *uniform) isArrival(x *expr, op string) bool {
	if x.kind != op {
		return false
	}
	isDim := func(y *expr) bool { return y.kind == "dot" && y.text == "dim" && y.args[0].isName(u.inp) }
	return isDim(x.args[0]) && x.args[1].isName(u.dim) || isDim(x.args[1]) && x.args[0].isName(u.dim)
}

// arrived reports whether x, if it is true, says that the packet arrived in the dimension of the loop.
func (u *uniform) arrived(x *expr, op string) bool {
	return u.isArrival(x, op) || x.kind == "and" && (u.arrived(x.args[0], op) || u.arrived(x.args[1], op))
}

// value judges an expression.
func (u *uniform) value(x *expr, known map[string]bool, inside bool) error {
	wrong := fmt.Errorf("line %d: an expression that may treat dimensions differently", x.line)
	all := func(list []*expr, inside bool) error {
		for _, y := range list {
			if err := u.value(y, known, inside); err != nil {
				return err
			}
		}
		return nil
	}
	switch x.kind {
	case "number":
		return nil
	case "name":
		if known[x.text] || slices.Contains([]string{"None", "True", "False"}, x.text) {
			return nil
		}
	case "item":
		if (x.args[0].isName(u.cur) || x.args[0].isName(u.dst)) && x.args[1].isName(u.dim) {
			return nil
		}
	case "dot":
		switch {
		case x.args[0].isName(u.inp) && (x.text == "vc" || x.text == "wrap") && inside:
			return nil
		case x.text == "sign" && !x.args[0].isName(u.inp):
			return all(x.args, inside)
		}
	case "and":
		if err := u.value(x.args[0], known, inside); err != nil {
			return err
		}
		return u.value(x.args[1], known, inside || u.arrived(x.args[0], "=="))
	case "if":
		if err := u.value(x.args[0], known, inside); err != nil {
			return err
		}
		if err := u.value(x.args[1], known, inside || u.arrived(x.args[0], "==")); err != nil {
			return err
		}
		return u.value(x.args[2], known, inside || u.isArrival(x.args[0], "!="))
	case "==", "!=":
		if u.isArrival(x, x.kind) {
			return nil
		}
		return all(x.args, inside)
	case "or", "not", "<", "<=", ">", ">=", "+", "-", "*", "//", "%", "negative", "positive", "tuple", "list":
		return all(x.args, inside)
	case "call":
		return u.call(x, known, inside, wrong)
	}
	return wrong
}

// call judges a call of a builtin function.
func (u *uniform) call(x *expr, known map[string]bool, inside bool, wrong error) error {
	if x.args[0].kind != "name" {
		return wrong
	}
	name, args := x.args[0].text, x.args[1:]
	fixed := map[string][]string{ // the first arguments; others are values of this dimension
		"towards": {u.cur, u.dst, u.dim}, "ahead": {u.cur, u.dst, u.dim}, "delta": {u.cur, u.dst, u.dim}, "side": {u.dim}, "ring": {u.dim},
		"plus": {u.dim}, "minus": {u.dim}, "others": {u.dim}, "deroutes": {u.dim}, "to": {u.dim}, "wraps": {u.cur},
		"crosses_dateline": {u.cur, u.dst}, "abs": {}, "bool": {}, "min": {}, "max": {},
	}
	first, ok := fixed[name]
	if !ok || len(args) < len(first) {
		return wrong
	}
	for i, y := range args {
		if i < len(first) {
			if !y.isName(first[i]) {
				return wrong
			}
		} else if err := u.value(y, known, inside); err != nil {
			return err
		}
	}
	return nil
}

// passesAligned returns an error unless the body of the loop ends without a return if the packet is aligned. The machine runs the
// body with the same symbol for both coordinates. Each comparison that is left open has all outcomes.
func (f *family) passesAligned(route, loop *stmt) error {
	m := &machine{family: f, base: always, possible: func(*Formula) (bool, error) { return true, nil }}
	paths, err := m.explore(func() {
		top := m.load()
		at := m.coordinates(m.here)
		inner := &scope{names: route.local, outer: top, values: map[string]any{route.params[0]: at, route.params[1]: at, route.params[2]: input{}}}
		inner.values[loop.target.text] = int64(0)
		if how, _ := m.execute(loop.body, inner); how != goesOn {
			m.path.result = how
		}
	})
	if err != nil {
		return err
	}
	for i := range paths {
		if p := &paths[i]; p.failed != nil || p.result != nil {
			return fmt.Errorf("line %d: the loop may not pass a dimension in which the packet is aligned", loop.line)
		}
	}
	return nil
}
