package parametric

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model/program"
)

// This file defines the variables of a family: the place of a packet, its destination, the
// sizes.
//
// Order of the variables: coordinates of the current place, of the destination, of the
// ghost (the head of the last escape channel, see escape.go), sizes, failures (faults.go).

// failedSwitch is the dimension of a failed switch.
const failedSwitch = -1

// hopVariables are the names of the variables of a hop.
var hopVariables = []string{"old", "onto", "gold"}

type family struct {
	program *program.Program
	shape   []program.Side
	dims    int
	sizes   []string // distinct names
	names   names
	sides   []form         // by dimension
	least   []int64        // by size: its least value
	where   []atom         // conditions on sizes
	targets []form         // of HyperX networks: the values that outputs name
	starts  []int          // the header states in which packets may be created
	silent  [][]atom       // conditions under which the function inject may return no state
	drawn   [][]atom       // conditions under which the function inject may return several states
	axes    []program.Axis // of families with axes, or nil
	faults  []int          // by failure: the dimension of a link, or failedSwitch
}

var letters = []string{"x", "y", "z"}

func newFamily(p *program.Program, dims int, faults ...int) (*family, error) {
	shape, err := p.Family.Shape(dims)
	if err != nil {
		return nil, err
	}
	f := &family{program: p, shape: shape, dims: dims, faults: faults, axes: p.Family.Axes(dims)}
	for d, s := range shape {
		if f.wraps(d) && s.Name == "" && s.Length < 3 {
			return nil, fmt.Errorf("cannot run %s on symbols: dimension %d is a ring of %d; want at least 3", p.Name, d, s.Length)
		}
	}
	if isSingleSwitch(shape) {
		return nil, fmt.Errorf("cannot run %s on symbols: each network of the family has one switch; want a side of 2 or more", p.Name)
	}
	for _, prefix := range []string{"", "d", "g"} {
		for d := range dims {
			if d < len(letters) && dims <= len(letters) {
				f.names = append(f.names, prefix+letters[d])
			} else {
				f.names = append(f.names, fmt.Sprintf("%sx%d", prefix, d))
			}
		}
	}
	for _, s := range shape {
		if s.Name == "" || slices.Contains(f.sizes, s.Name) {
			continue
		}
		name := s.Name
		if slices.Contains(f.names, name) { // a size called x
			name = "size_" + name
		}
		f.sizes, f.names = append(f.sizes, s.Name), append(f.names, name)
		f.least = append(f.least, int64(p.Family.Least(cmp.Or(p.Family.AnyDims, s.Name))))
	}
	f.addFaultNames()
	for _, name := range hopVariables[:f.extra()] {
		if slices.Contains(f.names, name) { // a size called old
			name = "hop_" + name
		}
		f.names = append(f.names, name)
	}
	for _, s := range shape { // possible only when all variables are counted
		if s.Name == "" {
			f.sides = append(f.sides, f.number(int64(s.Length)))
		} else {
			f.sides = append(f.sides, f.size(slices.Index(f.sizes, s.Name)))
		}
	}
	f.addConditions()
	return f, nil
}

// addConditions sets the conditions on sizes, except those that bound a size from below.
func (f *family) addConditions() {
	kind := &f.program.Family
	for i := range kind.Where {
		c := &kind.Where[i]
		if c.IsBound() {
			continue
		}
		if kind.AnyDims == "" {
			f.addCondition(c, func(name string) string { return name })
			continue
		}
		for _, size := range f.sizes {
			f.addCondition(c, func(string) string { return size })
		}
	}
}

func (f *family) addCondition(c *program.SizeCondition, named func(string) string) {
	value := f.number(int64(c.Constant))
	for name, k := range c.Factors {
		value = value.plus(f.size(slices.Index(f.sizes, named(name))), int64(k))
	}
	switch c.Op {
	case program.Zero:
		f.where = append(f.where, equalTo(value, f.number(0))...)
	case program.Divides:
		f.where = append(f.where, atom{form: value, mod: int64(c.Mod)})
	default:
		f.where = append(f.where, atom{form: value})
	}
}

// wraps reports whether dimension d has wraparound.
func (f *family) wraps(d int) bool { return f.program.Family.WrapsIn(d) }

// isSize reports whether the sizes of a point satisfy the conditions on sizes.
func (f *family) isSize(point []int64) bool { return allHold(f.where, point) }

// isSingleSwitch reports whether all sides are the number 1.
func isSingleSwitch(shape []program.Side) bool {
	return !slices.ContainsFunc(shape, func(s program.Side) bool { return s.Name != "" || s.Length > 1 })
}

// variables returns the number of variables.
func (f *family) variables() int { return f.firstExtra() + f.extra() }

func (f *family) number(k int64) form {
	n := make(form, f.variables()+1)
	n[len(n)-1] = k
	return n
}

func (f *family) variable(v int) form {
	x := f.number(0)
	x[v] = 1
	return x
}

// here, there and ghost return coordinate d of the current place, destination and ghost.
func (f *family) here(d int) form  { return f.variable(d) }
func (f *family) there(d int) form { return f.variable(f.dims + d) }
func (f *family) ghost(d int) form { return f.variable(2*f.dims + d) }

// size returns size i as a form.
func (f *family) size(i int) form { return f.variable(3*f.dims + i) }

// within returns the condition: x is a coordinate of the network in dimension d.
func (f *family) within(x form, d int) []atom {
	return []atom{{form: x}, {form: f.sides[d].plus(x, -1).add(-1)}}
}

// domain returns the conditions: each size is at least its minimum; the current place and the
// destination are on the network.
func (f *family) domain() (list []atom) {
	for i := range f.sizes {
		list = append(list, atom{form: f.size(i).add(-f.least[i])})
	}
	list = append(list, f.where...)
	for d := range f.dims {
		list = append(list, f.within(f.here(d), d)...)
		list = append(list, f.within(f.there(d), d)...)
	}
	return append(list, f.faultDomain()...)
}

// equalTo returns the condition a = b.
func equalTo(a, b form) []atom { return []atom{{form: a.plus(b, -1)}, {form: b.plus(a, -1)}} }

// undelivered returns the formula: the program routes a packet at the current place, after
// substitution by. This excludes the destination, unless the program has Passes.
func (f *family) undelivered(by []form) string {
	if f.program.Passes {
		return "true"
	}
	return f.notAtDestination(by)
}

// notAtDestination returns the formula: the current place, after substitution by, is not the destination.
func (f *family) notAtDestination(by []form) string {
	var parts []string
	for d := range f.dims {
		x := f.here(d)
		if by != nil {
			x = x.substitute(by)
		}
		parts = append(parts, not("(= "+f.names.term(x)+" "+f.names.term(f.there(d))+")"))
	}
	return or(parts...)
}

// isUndelivered evaluates undelivered at a point.
func (f *family) isUndelivered(point []int64) bool {
	if f.program.Passes {
		return true
	}
	for d := range f.dims {
		if point[d] != point[f.dims+d] {
			return true
		}
	}
	return false
}

// point returns the point with this place, destination and setting.
func (f *family) point(at, to, setting []int) []int64 {
	p := make([]int64, f.variables())
	for d := range f.dims {
		p[d], p[f.dims+d] = int64(at[d]), int64(to[d])
	}
	for d, s := range f.shape {
		for i, name := range f.sizes {
			if s.Name == name {
				p[3*f.dims+i] = int64(setting[d])
			}
		}
	}
	left := p[3*f.dims+len(f.sizes):]
	for failure := range slices.Chunk(setting[f.dims:], f.dims+1) {
		for d, x := range failure[1:] {
			left[d] = int64(x)
		}
		left = left[f.dims:]
	}
	return p
}

// lengths returns the sides of the network that a point is on.
func (f *family) lengths(point []int64) []int {
	list := make([]int, f.dims)
	for d := range list {
		list[d] = int(f.sides[d].at(point))
	}
	return list
}

// setting returns the setting of a point.
func (f *family) setting(point []int64) []int {
	list, left := f.lengths(point), point[3*f.dims+len(f.sizes):]
	for k, dim := range f.faults {
		list = append(list, dim)
		for _, x := range left[k*f.dims : (k+1)*f.dims] {
			list = append(list, int(x))
		}
	}
	return list
}

// step returns +1 or -1.
func step(a program.Dir) int64 {
	if a.Minus() {
		return -1
	}
	return 1
}

// declarations returns the declarations of the variables in SMT-LIB.
func (f *family) declarations() string {
	var b strings.Builder
	for _, n := range f.names {
		fmt.Fprintf(&b, "(declare-const %s Int)\n", n)
	}
	return b.String()
}

// addFaultNames appends the names of the coordinates of failures.
func (f *family) addFaultNames() {
	for k := range f.faults {
		prefix := "f"
		if len(f.faults) > 1 {
			prefix = fmt.Sprintf("f%d", k+1)
		}
		for d := range f.dims {
			name := prefix + f.names[d]
			for slices.Contains(f.names, name) { // a size with this name
				name = "f" + name
			}
			f.names = append(f.names, name)
		}
	}
}

// failed returns coordinate d of failure k.
func (f *family) failed(k, d int) form { return f.variable(3*f.dims + len(f.sizes) + k*f.dims + d) }

// faultDomain returns the conditions: each failure is on the network, and place and destination have not failed.
func (f *family) faultDomain() (list []atom) {
	for k, d := range f.faults {
		for e := range f.dims {
			list = append(list, f.within(f.failed(k, e), e)...)
		}
		if d == failedSwitch {
			for _, at := range []func(int) form{f.here, f.there} {
				list = append(list, atom{none: f.samePlace(at, k)})
			}
			continue
		}
		if !f.wraps(d) {
			list = append(list, atom{form: f.sides[d].plus(f.failed(k, d), -1).add(-2)})
		}
	}
	return list
}

// samePlace returns the condition: at is the place of failure k.
func (f *family) samePlace(at func(d int) form, k int) (list []atom) {
	for d := range f.dims {
		list = append(list, equalTo(at(d), f.failed(k, d))...)
	}
	return list
}

// complete reports whether the family is one of HyperX networks.
func (f *family) complete() bool { return f.program.Family.Kind == program.HyperX }

// extra returns the number of variables of hops.
func (f *family) extra() int {
	if f.complete() {
		return len(hopVariables)
	}
	return 0
}

// firstExtra is the number of the first variable of hops.
func (f *family) firstExtra() int { return (3+len(f.faults))*f.dims + len(f.sizes) }

func (f *family) old() form  { return f.variable(f.firstExtra()) }
func (f *family) onto() form { return f.variable(f.firstExtra() + 1) }
func (f *family) gold() form { return f.variable(f.firstExtra() + 2) }

// hasAxes reports whether the family has axes that are not its dimensions.
func (f *family) hasAxes() bool { return f.axes != nil }

// negated returns the negation of an inequality.
func (a atom) negated() []atom { return []atom{{form: a.form.times(-1).add(-1)}} }
