package everysize

import (
	"fmt"
	"slices"
)

// This file judges programs that correct one dimension after another.
//
// A program that corrects one dimension after another has the function route
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

// inOrder returns nil if the program corrects one dimension after another.
func (f *family) inOrder(route *stmt) error {
	loop, err := f.loopOf(route)
	if err != nil {
		return err
	}
	u := &uniform{cur: route.params[0], dst: route.params[1], inp: route.params[2], dim: loop.target.text, locals: map[string]bool{}}
	if err := distinctNames(route.line, u.cur, u.dst, u.inp, u.dim); err != nil {
		return err
	}
	if err := u.block(loop.body, map[string]bool{}, false); err != nil {
		return err
	}
	if u.locals[f.anyDims] {
		return fmt.Errorf("line %d: %s is assigned to", loop.line, f.anyDims)
	}
	return f.passesAligned(route, nil, loop)
}

// isFixed reports whether a statement outside of functions does the same in each number of dimensions. Those about sizes, where, are no
// part of a run.
func (s *stmt) isFixed() bool {
	switch s.kind {
	case "def", "pass":
		return true
	case "assign":
		return s.op == "" && s.target.kind == "name" && (s.target.text == "where" || s.value.isLiteral())
	}
	return false
}

// isLiteral reports whether x is a number, a text, or a tuple or list of literals.
func (x *expr) isLiteral() bool {
	switch x.kind {
	case "number", "text":
		return true
	case "negative":
		return x.args[0].kind == "number"
	case "tuple", "list":
		return !slices.ContainsFunc(x.args, func(y *expr) bool { return !y.isLiteral() })
	}
	return false
}

// distinctNames returns an error if a name is reserved or occurs twice.
func distinctNames(line int, names ...string) error {
	for i, name := range names {
		if reserved[name] || slices.Contains(names[:i], name) {
			return fmt.Errorf("line %d: the name %s is used twice", line, name)
		}
	}
	return nil
}

// loopOf returns the loop over the dimensions, which is all that route does.
func (f *family) loopOf(route *stmt) (*stmt, error) {
	wrong := fmt.Errorf("line %d: route is not a loop over all dimensions", route.line)
	body := route.body
	if len(body) < 1 || len(body) > 2 || body[0].kind != "for" || body[0].target.kind != "name" || len(body) == 2 && !body[1].returnsNothing() {
		return nil, wrong
	}
	if !f.isAllDims(body[0].value, route) || body[0].target.text == f.anyDims {
		return nil, wrong
	}
	return body[0], nil
}

// returnsNothing reports whether s is return [].
func (s *stmt) returnsNothing() bool {
	return s.kind == "return" && s.value != nil && s.value.kind == "list" && len(s.value.args) == 0
}

// isAllDims reports whether x is the range of all dimensions: range(len(cur)), or range(d) in a program for hypercube(d).
func (f *family) isAllDims(x *expr, route *stmt) bool {
	number, ok := isCall(x, "range", 1)
	return ok && f.isNumDims(number[0], route)
}

// isNumDims reports whether x is the number of dimensions.
func (f *family) isNumDims(x *expr, route *stmt) bool {
	if place, ok := isCall(x, "len", 1); ok && place[0].isName(route.params[0]) {
		return true
	}
	return f.kind == "hypercube" && x.isName(f.anyDims) && !route.local[f.anyDims]
}

func (x *expr) isName(name string) bool { return x.kind == "name" && x.text == name }

// isCall returns the arguments of a call of a builtin function with some number of arguments.
func isCall(x *expr, name string, arguments int) ([]*expr, bool) {
	if x.kind != "call" || len(x.args) != 1+arguments || !x.args[0].isName(name) {
		return nil, false
	}
	return x.args[1:], true
}

// uniform judges what a program says about one dimension: the body of a loop, or an element of a list.
type uniform struct {
	cur, dst string
	inp      string          // if empty, the packet's input is not used
	dim      string          // the dimension of the loop, or empty
	hop      string          // a hop in the dimension, or empty
	lists    []string        // to which a return statement adds outputs; if nil, there are none
	locals   map[string]bool // that are assigned to
}

// isDim reports whether x is the dimension: the name of a loop, or that of a hop.
func (u *uniform) isDim(x *expr) bool {
	return u.dim != "" && x.isName(u.dim) || u.hop != "" && x.kind == "dot" && x.text == "dim" && x.args[0].isName(u.hop)
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
			err = u.returned(s.value, own, inside)
		case s.kind == "assign" && s.op == "" && s.target.kind == "name":
			name := s.target.text
			if reserved[name] || slices.Contains(append([]string{u.cur, u.dst, u.inp, u.dim, u.hop}, u.lists...), name) {
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

// returned judges the value of a return statement: if there are lists, each of them plus outputs of the dimension.
func (u *uniform) returned(x *expr, known map[string]bool, inside bool) error {
	var found []string
	var judge func(x *expr) error
	judge = func(x *expr) error {
		switch {
		case x.kind == "name" && slices.Contains(u.lists, x.text):
			found = append(found, x.text)
			return nil
		case x.kind == "+" && u.lists != nil:
			if err := judge(x.args[0]); err != nil {
				return err
			}
			return judge(x.args[1])
		}
		return u.value(x, known, inside)
	}
	if err := judge(x); err != nil {
		return err
	}
	if slices.Sort(found); !slices.Equal(found, u.lists) {
		return fmt.Errorf("line %d: want each of %v in every list that is returned", x.line, u.lists)
	}
	return nil
}

// isArrival reports whether x compares inp.dim with the dimension of the loop.
func (u *uniform) isArrival(x *expr, op string) bool {
	if x.kind != op {
		return false
	}
	arrival := func(y *expr) bool {
		return u.inp != "" && y.kind == "dot" && y.text == "dim" && y.args[0].isName(u.inp)
	}
	return arrival(x.args[0]) && u.isDim(x.args[1]) || arrival(x.args[1]) && u.isDim(x.args[0])
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
		if known[x.text] || u.hop != "" && x.text == u.hop || slices.Contains([]string{"None", "True", "False"}, x.text) {
			return nil
		}
	case "item":
		if (x.args[0].isName(u.cur) || x.args[0].isName(u.dst)) && u.isDim(x.args[1]) {
			return nil
		}
	case "dot":
		switch {
		case u.inp != "" && x.args[0].isName(u.inp) && (x.text == "vc" || x.text == "wrap") && inside:
			return nil
		case x.text == "sign":
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
	is := map[byte]func(*expr) bool{ // arguments, by letter
		'c': func(y *expr) bool { return y.isName(u.cur) }, 't': func(y *expr) bool { return y.isName(u.dst) }, 'd': u.isDim,
	}
	fixed := map[string]string{ // the first arguments; others are values of this dimension
		"towards": "ctd", "ahead": "ctd", "delta": "ctd", "side": "d", "ring": "d", "plus": "d", "minus": "d", "others": "d", "deroutes": "d",
		"to": "d", "wraps": "c", "crosses_dateline": "ct", "abs": "", "bool": "", "min": "", "max": "",
	}
	first, ok := fixed[name]
	if !ok || len(args) < len(first) {
		return wrong
	}
	for i, y := range args {
		if i < len(first) {
			if !is[first[i]](y) {
				return wrong
			}
		} else if err := u.value(y, known, inside); err != nil {
			return err
		}
	}
	return nil
}

// passesAligned returns an error unless the body of the loop ends without a return if the packet is aligned, after other statements. The
// machine runs them with the same symbol for both coordinates. Each comparison that is left open has all outcomes.
func (f *family) passesAligned(route *stmt, before []*stmt, loop *stmt) error {
	paths, err := f.explorePart(func(m *machine) {
		s := m.enter(route, m.here)
		if how, _ := m.execute(before, s); how != goesOn {
			m.path.result = how
		}
		s.values[loop.target.text] = int64(0)
		if how, _ := m.execute(loop.body, s); how != goesOn {
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

// explorePart runs a part of the program in one dimension. Every outcome of a comparison counts as possible.
func (f *family) explorePart(run func(*machine)) ([]path, error) {
	m := &machine{family: f, base: always, possible: func(*Formula) (bool, error) { return true, nil }}
	return m.explore(func() { run(m) })
}

// enter returns the scope of a call of route with a destination.
func (m *machine) enter(route *stmt, to func(int) Form) *scope {
	return &scope{names: route.local, outer: m.load(), values: map[string]any{
		route.params[0]: m.coordinates(m.here), route.params[1]: m.coordinates(to), route.params[2]: input{}}}
}
