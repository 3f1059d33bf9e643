package everysize

// This file defines linear forms over integers, and formulas of linear integer arithmetic.

// Form is a constant, then the coefficient of each variable. Forms may differ in length; a missing coefficient
// is 0.
type Form []int64

// Op is the kind of a formula.
type Op int

// The kinds of formulas.
const (
	And     Op = iota // all of Args; with none, true
	Or                // one of Args; with none, false
	AtLeast           // Form >= 0
	Divides           // Mod divides Form, Mod at least 2
)

// Formula is a condition without negations.
type Formula struct {
	Op   Op
	Args []*Formula
	Form Form
	Mod  int64
}

var (
	always = &Formula{Op: And}
	never  = &Formula{Op: Or}
)

func (f *Formula) isTrue() bool  { return f.Op == And && len(f.Args) == 0 }
func (f *Formula) isFalse() bool { return f.Op == Or && len(f.Args) == 0 }

// overflow is the panic of exact arithmetic. Judge turns it into a rejection.
type overflow struct{}

// mul returns a*b.
func mul(a, b int64) int64 {
	c := a * b
	if a != 0 && (c/a != b || a == -1 && b == -1<<63) {
		panic(overflow{})
	}
	return c
}

// add returns a+b.
func add(a, b int64) int64 {
	c := a + b
	if (c > a) != (b > 0) {
		panic(overflow{})
	}
	return c
}

// plus returns f + k*g.
func (f Form) plus(g Form, k int64) Form {
	h := make(Form, max(len(f), len(g)))
	copy(h, f)
	for v, c := range g {
		if c != 0 {
			h[v] = add(h[v], mul(k, c))
		}
	}
	return h
}

// shift returns f + k.
func (f Form) shift(k int64) Form { return f.plus(Form{k}, 1) }

// isConstant reports whether f has no variable.
func (f Form) isConstant() bool {
	for _, c := range f[1:] {
		if c != 0 {
			return false
		}
	}
	return true
}

// at returns the value of f at a point, which has the values of the variables.
func (f Form) at(point []int64) int64 {
	sum := f[0]
	for v, c := range f[1:] {
		if c != 0 {
			sum = add(sum, mul(c, point[v]))
		}
	}
	return sum
}

// move replaces each variable v by by[v], unless by[v] is nil.
func (f Form) move(by []Form) Form {
	h := Form{f[0]}
	for v, c := range f[1:] {
		switch {
		case c == 0:
		case v >= len(by) || by[v] == nil:
			h = h.plus(variable(v), c)
		default:
			h = h.plus(by[v], c)
		}
	}
	return h
}

func variable(v int) Form {
	f := make(Form, v+2)
	f[v+1] = 1
	return f
}

func number(k int64) Form { return Form{k} }

// atLeast returns the formula f >= 0.
func atLeast(f Form) *Formula {
	if f.isConstant() {
		return truth(f[0] >= 0)
	}
	return &Formula{Op: AtLeast, Form: f}
}

func truth(b bool) *Formula {
	if b {
		return always
	}
	return never
}

// lessThan returns the formula a < b, atMost the formula a <= b.
func lessThan(a, b Form) *Formula { return atLeast(b.plus(a, -1).shift(-1)) }
func atMost(a, b Form) *Formula   { return atLeast(b.plus(a, -1)) }

// equal returns the formula a = b.
func equal(a, b Form) *Formula { return and(atMost(a, b), atMost(b, a)) }

// differ returns the formula a != b.
func differ(a, b Form) *Formula { return or(lessThan(a, b), lessThan(b, a)) }

// divides returns the formula: mod divides f.
func divides(f Form, mod int64) *Formula {
	if mod == 1 {
		return always
	}
	if f.isConstant() {
		return truth(f[0]%mod == 0)
	}
	return &Formula{Op: Divides, Form: f, Mod: mod}
}

func and(list ...*Formula) *Formula {
	g := &Formula{Op: And}
	for _, f := range list {
		switch {
		case f.isFalse():
			return never
		case f.Op == And:
			g.Args = append(g.Args, f.Args...)
		default:
			g.Args = append(g.Args, f)
		}
	}
	if len(g.Args) == 1 {
		return g.Args[0]
	}
	return g
}

func or(list ...*Formula) *Formula {
	g := &Formula{Op: Or}
	for _, f := range list {
		switch {
		case f.isTrue():
			return always
		case f.Op == Or:
			g.Args = append(g.Args, f.Args...)
		default:
			g.Args = append(g.Args, f)
		}
	}
	if len(g.Args) == 1 {
		return g.Args[0]
	}
	return g
}

// not returns the negation of f.
func not(f *Formula) *Formula {
	var list []*Formula
	switch f.Op {
	case AtLeast:
		return atLeast(Form{-1}.plus(f.Form, -1))
	case Divides:
		for k := int64(1); k < f.Mod; k++ {
			list = append(list, divides(f.Form.shift(-k), f.Mod))
		}
		return or(list...)
	}
	for _, x := range f.Args {
		list = append(list, not(x))
	}
	if f.Op == And {
		return or(list...)
	}
	return and(list...)
}

// move replaces variables in f.
func (f *Formula) move(by []Form) *Formula {
	switch f.Op {
	case AtLeast:
		return atLeast(f.Form.move(by))
	case Divides:
		return divides(f.Form.move(by), f.Mod)
	}
	list := make([]*Formula, len(f.Args))
	for i, x := range f.Args {
		list[i] = x.move(by)
	}
	if f.Op == And {
		return and(list...)
	}
	return or(list...)
}

// Holds evaluates f at a point, which has the values of the variables.
func (f *Formula) Holds(point []int64) bool {
	switch f.Op {
	case AtLeast:
		return f.Form.at(point) >= 0
	case Divides:
		return f.Form.at(point)%f.Mod == 0
	}
	for _, x := range f.Args {
		if x.Holds(point) == (f.Op == Or) {
			return f.Op == Or
		}
	}
	return f.Op == And
}

// divisor returns the greatest common divisor of a and b.
func divisor(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	if a < 0 {
		return -a
	}
	return a
}

// floor returns a/b rounded down, for positive b.
func floor(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
