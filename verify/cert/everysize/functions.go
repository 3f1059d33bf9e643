package everysize

import "slices"

// This file has the functions and attributes that programs can use.

// arity is the number of arguments of functions. Those that are missing take any number.
var arity = map[string]int{
	"abs": 1, "all": 1, "any": 1, "bool": 1, "enumerate": 1, "len": 1, "list": 1, "reversed": 1, "tuple": 1, "zip": 2,
	"ahead": 3, "crosses_dateline": 3, "delta": 3, "distance": 2, "minus": 1, "plus": 1, "productive": 2, "ring": 1, "side": 1, "towards": 3,
	"works": 2, "wraps": 2, "to": 2, "others": 1, "deroutes": 1,
}

// declare returns the names that a program can use, beside its own.
func (f *family) declare() map[string]any {
	d := map[string]any{"None": nil, "True": true, "False": false, "EJECT": ejection{}}
	for _, name := range functions {
		d[name] = builtin(name)
	}
	for i, c := range letters {
		d[string(c)] = direction(i)
	}
	var sides tuple
	for d := range f.dims {
		sides = append(sides, value(Form{0}.plus(f.side(d), 1), 1))
	}
	for i, s := range f.sides {
		if s.size >= 0 {
			d[f.names[s.size]] = sides[i]
		}
	}
	if f.anyDims != "" {
		if d[f.anyDims] = sides; f.kind == "hypercube" {
			d[f.anyDims] = int64(f.dims)
		}
	}
	return d
}

// attribute returns v.name.
func (m *machine) attribute(v any, name string) any {
	if m.net != nil {
		if found, ok := m.netAttribute(v, name); ok {
			return found
		}
	}
	switch v := v.(type) {
	case place:
		for d, letter := range []string{"x", "y", "z"} {
			if name == letter && d < len(v) {
				return v[d]
			}
		}
	case target:
		if name == "dim" {
			return int64(v.dim)
		}
	case direction:
		switch name {
		case "dim":
			return int64(v.dim())
		case "sign":
			if v.plus() {
				return int64(1)
			}
			return int64(-1)
		}
	case input:
		switch name {
		case "dir", "dim":
			dir := m.inputDir()
			if dir == noDirection {
				return nil
			}
			if name == "dir" && m.complete() {
				fail("hops of hyperx have no direction")
			}
			if name == "dir" {
				return dir
			}
			return int64(dir.dim())
		case "vc":
			return int64(m.inputVC())
		case "wrap":
			return m.inputWrap()
		}
	}
	fail("no attribute %.40s", name)
	return nil
}

// builtin calls a builtin function.
func (m *machine) builtin(name string, a []any) any {
	if k, ok := arity[name]; ok && k != len(a) {
		fail("%s takes %d arguments, not %d", name, k, len(a))
	}
	if m.net != nil {
		if v, ok := m.netFunction(name, a); ok {
			return v
		}
	}
	switch name {
	case "abs":
		return m.abs(a[0])
	case "any", "all":
		found := false
		m.iterate(a[0], func(v any) bool {
			found = m.truth(v) == (name == "any")
			return !found
		})
		return found == (name == "any")
	case "bool":
		return m.truth(a[0])
	case "fail":
		fail("the program calls fail")
	case "min", "max":
		return m.extreme(name, a)
	case "range":
		return m.numbers(a)
	case "len", "list", "tuple", "reversed", "enumerate", "zip":
		return m.sequence(name, a)
	}
	return m.grid(name, a)
}

func (m *machine) abs(v any) any {
	if m.less(v, int64(0)) {
		return m.arithmetic("-", int64(0), v)
	}
	return v
}

// extreme returns the least or greatest of several arguments, or of the elements of one.
func (m *machine) extreme(name string, a []any) any {
	if len(a) == 1 {
		items, ok := elements(a[0])
		if !ok {
			fail("%s of one value", name)
		}
		a = items
	}
	if len(a) == 0 {
		fail("%s of nothing", name)
	}
	known(a)
	best := a[0]
	for _, v := range a[1:] {
		if name == "min" && m.less(v, best) || name == "max" && m.less(best, v) {
			best = v
		}
	}
	return best
}

// numbers returns range(...).
func (m *machine) numbers(a []any) any {
	if len(a) < 1 || len(a) > 3 {
		fail("range takes 1 to 3 arguments")
	}
	bounds := []int64{0, 0, 1}
	for i, v := range a {
		k, ok := v.(int64)
		if !ok {
			fail("a range whose bounds are not known")
		}
		if len(a) == 1 {
			i = 1
		}
		bounds[i] = k
	}
	from, to, by := bounds[0], bounds[1], bounds[2]
	if by == 0 {
		fail("a range with step 0")
	}
	made := &list{}
	for k := from; by > 0 && k < to || by < 0 && k > to; k = add(k, by) {
		m.spend(1)
		made.items = append(made.items, k)
	}
	return made
}

// sequence has the functions on lists, tuples and places.
func (m *machine) sequence(name string, a []any) any {
	items, ok := elements(a[0])
	if !ok {
		if text, isText := a[0].(string); isText && name == "len" {
			return int64(len(text))
		}
		fail("%s of a value that is not a list", name)
	}
	m.spend(len(items))
	if l, ok := a[0].(*list); ok && name == "len" && isGeneric(l) {
		return lengthOf(l)
	}
	if name != "list" && name != "tuple" && name != "reversed" {
		known(items)
	}
	switch name {
	case "len":
		return int64(len(items))
	case "list":
		return &list{items: slices.Clone(items)}
	case "tuple":
		return tuple(slices.Clone(items))
	}
	var more []any
	if name == "zip" {
		if more, ok = elements(a[1]); !ok {
			fail("zip of a value that is not a list")
		}
		known(more)
		items = items[:min(len(items), len(more))]
	}
	made := &list{}
	for i, v := range items {
		switch name {
		case "reversed":
			v = items[len(items)-1-i]
		case "enumerate":
			v = tuple{int64(i), v}
		case "zip":
			v = tuple{v, more[i]}
		}
		made.items = append(made.items, v)
	}
	return made
}

// dimension returns the dimension that v names, axis the axis.
func (m *machine) dimension(v any) int { return below(v, m.dims) }

func (m *machine) axis(v any) int { return below(v, m.numAxes()) }

// below returns the number v if it is less than most.
func below(v any, most int) int {
	d, ok := v.(int64)
	if !ok || d < 0 || d >= int64(most) {
		fail("a dimension is a number from 0 to %d", most-1)
	}
	return int(d)
}

// grid has the functions about places and directions.
func (m *machine) grid(name string, a []any) any {
	switch name {
	case "works":
		return m.workingChannel(a[0], a[1])
	case "side":
		return value(Form{0}.plus(m.side(m.dimension(a[0])), 1), 1)
	case "ring":
		return m.rings(m.dimension(a[0]))
	case "to", "others", "deroutes":
		return m.makeTarget(name, a)
	case "plus", "minus":
		if m.complete() {
			fail("hops of hyperx have no direction")
		}
		if name == "minus" {
			return direction(2*m.axis(a[0]) + 1)
		}
		return direction(2 * m.axis(a[0]))
	case "ahead":
		return m.ahead(a[0], a[1], a[2])
	case "delta":
		return m.delta(a[0], a[1], a[2])
	case "towards":
		return m.towards(a[0], a[1], a[2])
	case "wraps", "crosses_dateline":
		dir, ok := a[len(a)-1].(direction)
		if !ok {
			fail("%s wants a direction", name)
		}
		d := int64(m.dimension(int64(dir.dim())))
		x := m.item(a[0], d)
		if name == "crosses_dateline" {
			if dir.plus() {
				return m.less(m.item(a[1], d), x)
			}
			return m.less(x, m.item(a[1], d))
		}
		if !m.rings(int(d)) {
			return false
		}
		edge := any(int64(0))
		if dir.plus() {
			edge = value(m.side(int(d)).shift(-1), 1)
		}
		return m.same(x, edge, 0)
	}
	cur, ok := elements(a[0])
	if !ok {
		fail("%s wants a place", name)
	}
	if name == "distance" {
		total := any(int64(0))
		for d := range len(cur) {
			total = m.arithmetic("+", total, m.abs(m.delta(a[0], a[1], int64(d))))
		}
		return total
	}
	return m.productive(len(cur), a[0], a[1])
}

// ahead returns the hops from cur to dst in plus direction of a ring.
func (m *machine) ahead(cur, dst, d any) any {
	return m.arithmetic("%", m.arithmetic("-", m.item(dst, d), m.item(cur, d)), value(Form{0}.plus(m.side(m.dimension(d)), 1), 1))
}

// delta returns the hops on the shorter path, negative in minus direction; plus on a tie.
func (m *machine) delta(cur, dst, d any) any {
	if m.complete() {
		m.dimension(d)
		if m.same(m.item(cur, d), m.item(dst, d), 0) {
			return int64(0)
		}
		return int64(1)
	}
	if !m.rings(m.dimension(d)) {
		return m.arithmetic("-", m.item(dst, d), m.item(cur, d))
	}
	hops, side := m.ahead(cur, dst, d), value(Form{0}.plus(m.side(m.dimension(d)), 1), 1)
	if m.atMost(m.arithmetic("*", int64(2), hops), side) {
		return hops
	}
	return m.arithmetic("-", hops, side)
}

// towards returns the direction of the shorter path, or None.
func (m *machine) towards(cur, dst, d any) any {
	if m.same(m.item(cur, d), m.item(dst, d), 0) {
		return nil
	}
	if m.complete() {
		return m.makeTarget("to", []any{d, m.item(dst, d)})
	}
	if m.less(int64(0), m.delta(cur, dst, d)) {
		return direction(2 * m.dimension(d))
	}
	return direction(2*m.dimension(d) + 1)
}

// productive returns the directions that reduce the distance, both on a tie.
func (m *machine) productive(dims int, cur, dst any) any {
	made := &list{}
	for d := range int64(dims) {
		way := m.towards(cur, dst, d)
		if way == nil {
			continue
		}
		dir, ok := way.(direction)
		if !ok {
			made.items = append(made.items, way)
			continue
		}
		made.items = append(made.items, dir)
		side := value(Form{0}.plus(m.side(m.dimension(d)), 1), 1)
		if m.rings(m.dimension(d)) && m.same(m.arithmetic("*", int64(2), m.ahead(cur, dst, d)), side, 0) {
			made.items = append(made.items, dir^1)
		}
	}
	return made
}

func newFamily(p *program) *family {
	f := &family{program: p}
	f.predeclared = f.declare()
	return f
}

// makeTarget returns to(d, v), others(d) or deroutes(d).
func (m *machine) makeTarget(name string, a []any) any {
	if !m.complete() {
		fail("%s of a program that is not for hyperx", name)
	}
	t := target{dim: m.dimension(a[0])}
	switch name {
	case "others":
		t.kind = toOthers
	case "deroutes":
		t.kind = toDeroutes
	default:
		x, ok := numeric(a[1])
		if !ok || x.den != 1 {
			fail("to(d, v) wants a value of a coordinate")
		}
		t.kind, t.to = toValue, &x
	}
	return t
}

// workingChannel is the function works of programs.
func (m *machine) workingChannel(at, dir any) any {
	if m.complete() {
		fail("works of a program for hyperx")
	}
	a, ok := dir.(direction)
	items, isPlace := elements(at)
	if _, isList := at.(*list); !ok || !isPlace || isList || a.dim() >= m.dims || len(items) != m.dims {
		fail("works wants a place of %d coordinates, and a direction", m.dims)
	}
	coords := make([]Form, m.dims)
	for d, v := range items {
		switch v := v.(type) {
		case int64:
			coords[d] = number(v)
		case *symbol:
			if v.den != 1 {
				fail("works of a fraction")
			}
			coords[d] = v.num
		default:
			fail("works of a coordinate that is not a number")
		}
	}
	working := m.works(func(d int) Form { return coords[d] }, a)
	return m.choose(working, not(working)) == 0
}
