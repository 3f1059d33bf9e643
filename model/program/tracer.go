package program

import (
	"fmt"
	"slices"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// This file remembers what a program decided, so that it need not be interpreted again
// where the same decisions come out alike.
//
// A program is run on coordinates that are numbers and yet know how they came about: as
// linear forms of place and destination. What it asks (is this form 0, is it at least 0,
// how often does 5 go into it, which way did the packet come) becomes a node of a tree,
// the answer a branch, the outputs a leaf. The next packet walks down the tree; only
// where it comes to an end without a leaf is the program run again, which grows the
// tree. A program that cannot be run so (it indexes a list by a coordinate, say) is
// interpreted each time.
//
// Promise: the same outputs as the interpreter's; one walk of many is interpreted, too,
// and a difference is an error of ours. Shares no code with the prover's symbols
// (verify/parametric), so that each can be held against the other.
// Cost: some 0.1 µs for a walk against 10 to 100 µs for a run.

// question is what a node asks.
type question uint8

const (
	isZero     question = iota // form == 0
	isPositive                 // form > 0
	quotient                   // floor(form / by)
	remainder                  // form mod by
	inputDir
	inputVC
	inputWrap
)

// decision is a node of the tree: with outputs set a leaf.
type decision struct {
	asks     question
	form     []int // over place and destination, the constant last
	by       int
	branches []branch

	leaf    bool
	list    uint16 // noList: not numbered yet
	reads   bool   // the way here asked how the packet came
	outputs []Output
}

type branch struct {
	answer int
	to     *decision
}

// branch returns where the branch of an answer leads to; the place may be empty.
func (d *decision) branch(answer int) **decision {
	for i := range d.branches {
		if d.branches[i].answer == answer {
			return &d.branches[i].to
		}
	}
	d.branches = append(d.branches, branch{answer, nil})
	return &d.branches[len(d.branches)-1].to
}

// tracer is a tree for each header state. It is not safe for concurrent use.
type tracer struct {
	instance *Instance
	dims     int
	roots    []*decision
	walks    int
	useless  bool // the program cannot be run so

	point []int // place and destination of the run at hand
	in    arrival
	wrap  bool
	next  **decision // where the run at hand stands
	reads bool
}

func newTracer(i *Instance, dims, states int) *tracer {
	return &tracer{instance: i, dims: dims, roots: make([]*decision, states), point: make([]int, 2*dims)}
}

// spotCheck is how many walks go to one that is interpreted, too.
const spotCheck = 1 << 12

// find walks down the tree; nil: nothing is known yet.
func (t *tracer) find() *decision {
	node := t.roots[t.in.state]
	for node != nil && !node.leaf {
		node = *node.branch(t.answer(node))
	}
	return node
}

// answer answers the question of a node for the packet at hand.
func (t *tracer) answer(d *decision) int {
	switch d.asks {
	case inputDir:
		return int(t.in.dir)
	case inputVC:
		return t.in.vc
	case inputWrap:
		return truthValue(t.wrap)
	}
	x := t.value(d.form)
	switch d.asks {
	case isZero:
		return truthValue(x == 0)
	case isPositive:
		return truthValue(x > 0)
	case quotient:
		return FloorDiv(x, d.by)
	}
	return x - d.by*FloorDiv(x, d.by)
}

func truthValue(b bool) int {
	if b {
		return 1
	}
	return 0
}

// value is that of a form at the point at hand.
func (t *tracer) value(form []int) int {
	x := form[len(form)-1]
	for v, c := range form[:len(form)-1] {
		if c != 0 {
			x += c * t.point[v]
		}
	}
	return x
}

// run runs the program on the packet at hand and grows the tree by its decisions.
func (t *tracer) run() (*decision, error) {
	t.next, t.reads = &t.roots[t.in.state], false
	coordinates := func(from int) []starlark.Value {
		list := make([]starlark.Value, t.dims)
		for d := range list {
			form := make([]int, 2*t.dims+1)
			form[from+d] = 1
			list[d] = traced{t, form, 1}
		}
		return list
	}
	outputs, err := t.instance.Route(coordinates(0), coordinates(t.dims), tracedInput{t}, t.in.state)
	if err != nil {
		return nil, err
	}
	if *t.next != nil {
		return nil, fmt.Errorf("program: internal error: %s decides in two ways", t.instance.program.Name)
	}
	*t.next = &decision{leaf: true, outputs: outputs, reads: t.reads, list: noList}
	return *t.next, nil
}

// ask answers a question and moves down its branch.
func (t *tracer) ask(d decision) int {
	if *t.next == nil {
		*t.next = &d
	}
	answer := t.answer(*t.next)
	t.next = (*t.next).branch(answer)
	return answer
}

// tracedInput is how the packet at hand came, asked by nodes.
type tracedInput struct{ *tracer }

// Dir implements Input.
func (t tracedInput) Dir() Dir { t.reads = true; return Dir(t.ask(decision{asks: inputDir})) }

// VC implements Input.
func (t tracedInput) VC() int { t.reads = true; return t.ask(decision{asks: inputVC}) }

// Wrap implements Input.
func (t tracedInput) Wrap() bool { t.reads = true; return t.ask(decision{asks: inputWrap}) == 1 }

// traced is form / den, a whole number where the packet at hand is.
type traced struct {
	t    *tracer
	form []int
	den  int
}

func (x traced) String() string        { return fmt.Sprint(x.t.value(x.form) / x.den) }
func (x traced) Type() string          { return "coordinate" }
func (x traced) Freeze()               {}
func (x traced) Hash() (uint32, error) { return 0, fmt.Errorf("a coordinate cannot be a key here") }

// Truth implements starlark.Value.
func (x traced) Truth() starlark.Bool {
	return starlark.Bool(x.t.ask(decision{asks: isZero, form: x.form}) == 0)
}

// read returns a number as a form over a denominator.
func (t *tracer) read(v starlark.Value) (traced, bool) {
	if x, ok := v.(traced); ok {
		return x, true
	}
	k, ok := small(v)
	form := make([]int, 2*t.dims+1)
	form[2*t.dims] = k
	return traced{t, form, 1}, ok && max(k, -k) < maxTraced
}

// maxTraced bounds the numbers in forms, far from overflow.
const maxTraced = 1 << 20

// combined returns a·x + b·y over their denominators.
func combined(x traced, a int, y traced, b int) (starlark.Value, error) {
	z := traced{x.t, make([]int, len(x.form)), x.den * y.den}
	for v := range z.form {
		z.form[v] = a*x.form[v]*y.den + b*y.form[v]*x.den
		if max(z.form[v], -z.form[v]) >= maxTraced {
			return nil, errNotTraced
		}
	}
	if z.den >= maxTraced {
		return nil, errNotTraced
	}
	return z.plain(), nil
}

// plain turns a constant into a number.
func (x traced) plain() starlark.Value {
	for _, c := range x.form[:len(x.form)-1] {
		if c != 0 {
			return x
		}
	}
	return starlark.MakeInt(x.form[len(x.form)-1] / x.den)
}

func (x traced) constant() (int, bool) {
	k, ok := small(x.plain())
	return k, ok
}

var errNotTraced = fmt.Errorf("not followed in a trace")

// Arithmetic implements Symbol.
func (x traced) Arithmetic(op syntax.Token, a, b starlark.Value) (starlark.Value, error) {
	t := x.t
	p, okP := t.read(a)
	q, okQ := t.read(b)
	if !okP || !okQ {
		return nil, errNotTraced
	}
	switch op {
	case syntax.PLUS:
		return combined(p, 1, q, 1)
	case syntax.MINUS:
		return combined(p, 1, q, -1)
	case syntax.STAR:
		if _, ok := p.constant(); ok {
			p, q = q, p
		}
		if k, ok := q.constant(); ok {
			return combined(p, k, q, 0)
		}
		return nil, errNotTraced
	}
	k, ok := q.constant()
	if !ok || k <= 0 {
		return nil, errNotTraced
	}
	return t.divided(op, p, k)
}

// divided is p // k and p % k. The tree branches on whichever has fewer values.
func (t *tracer) divided(op syntax.Token, p traced, k int) (starlark.Value, error) {
	whole := p.den * k
	if k <= 4 {
		r := t.ask(decision{asks: remainder, form: p.form, by: whole}) / p.den
		if op == syntax.PERCENT {
			return starlark.MakeInt(r), nil
		}
		form := slices.Clone(p.form)
		form[len(form)-1] -= r * p.den
		return traced{t, form, whole}.plain(), nil
	}
	q := t.ask(decision{asks: quotient, form: p.form, by: whole})
	if op == syntax.SLASHSLASH {
		return starlark.MakeInt(q), nil
	}
	form := slices.Clone(p.form)
	form[len(form)-1] -= q * whole
	return traced{t, form, p.den}.plain(), nil
}

// Compare implements Symbol.
func (x traced) Compare(op syntax.Token, a, b starlark.Value) (bool, error) {
	p, okP := x.t.read(a)
	q, okQ := x.t.read(b)
	if !okP || !okQ {
		return false, errNotTraced
	}
	d, err := combined(q, 1, p, -1)
	if err != nil {
		return false, err
	}
	if k, ok := small(d); ok {
		return op == syntax.LT && k > 0 || op == syntax.LE && k >= 0 || op == syntax.EQL && k == 0, nil
	}
	difference := d.(traced).form
	switch op {
	case syntax.LT:
		return x.t.ask(decision{asks: isPositive, form: difference}) == 1, nil
	case syntax.LE: // not (p > q)
		for v := range difference {
			difference[v] = -difference[v]
		}
		return x.t.ask(decision{asks: isPositive, form: difference}) == 0, nil
	}
	return x.t.ask(decision{asks: isZero, form: difference}) == 1, nil
}

// route returns the leaf for a packet: from the tree, by a run, or by the interpreter
// alone where the program cannot be run on traced numbers.
func (t *tracer) route(a arrival, wrap bool, from, to []starlark.Value) (*decision, error) {
	t.in, t.wrap = a, wrap
	for d := range t.dims {
		t.point[d], _ = small(from[d])
		t.point[t.dims+d], _ = small(to[d])
	}
	if !t.useless {
		found := t.find()
		if t.walks++; found != nil && t.walks%spotCheck != 0 {
			return found, nil
		}
		if found == nil {
			run, err := t.run()
			if err == nil {
				return run, nil
			}
			t.useless = true // or it is wrong: the interpreter says so
			t.roots = make([]*decision, len(t.roots))
		} else {
			plain, err := t.interpreted(from, to)
			if err == nil && !slices.Equal(plain.outputs, found.outputs) {
				err = fmt.Errorf("program: internal error: %s gives %v where it gave %v", t.instance.program.Name, plain.outputs, found.outputs)
			}
			return found, err
		}
	}
	return t.interpreted(from, to)
}

// interpreted asks the interpreter, on plain numbers.
func (t *tracer) interpreted(from, to []starlark.Value) (*decision, error) {
	in := &cameIn{arrival: t.in, wrap: t.wrap}
	outputs, err := t.instance.Route(from, to, in, t.in.state)
	return &decision{leaf: true, outputs: outputs, reads: in.read, list: noList}, err
}
