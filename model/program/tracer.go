package program

import (
	"fmt"
	"slices"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/turnproof/turnproof/model"
)

// This file caches the decisions of a program, so that the program need not be interpreted
// again for a packet with the same decisions.
//
// The program runs on coordinates that are numbers with a known origin: linear forms of place
// and destination. Each question of the program becomes a node of a tree: is this form 0, is it
// positive, what is its quotient by 5, in which direction did the packet arrive. Each answer is
// a branch, and the outputs are a leaf. The next packet follows the tree; only if it reaches no
// leaf does the program run again and extend the tree. Some programs cannot run on forms, for
// example programs that index a list by a coordinate. They are interpreted each time.
//
// Promise: the outputs are those of the interpreter. For one of many packets the interpreter
// runs as well, and a difference is an internal error. The tracer shares no code with the
// symbols of the prover (verify/parametric), so that tests can compare the two. Cost: about 0.1
// µs to follow the tree, 10 to 100 µs to run the program.

// question is the kind of question of a node.
type question uint8

const (
	isZero     question = iota // form == 0
	isPositive                 // form > 0
	quotient                   // floor(form / by)
	remainder                  // form mod by
	inputDir
	inputVC
	inputWrap
	channelWorking
)

// decision is a node of the tree. If leaf is set, outputs is the result.
type decision struct {
	asks     question
	form     []int   // coefficients of place and destination, then the constant
	by       int     // divisor, or direction of a channel
	at       [][]int // channelWorking: the coordinates of its tail
	branches []branch

	leaf    bool
	list    uint16 // noList if not numbered yet
	reads   bool   // a node on the path to this leaf asked how the packet arrived
	outputs []Output
}

type branch struct {
	answer int
	to     *decision
}

// branch returns a pointer to the child for an answer. The child may be nil.
func (d *decision) branch(answer int) **decision {
	for i := range d.branches {
		if d.branches[i].answer == answer {
			return &d.branches[i].to
		}
	}
	d.branches = append(d.branches, branch{answer, nil})
	return &d.branches[len(d.branches)-1].to
}

// tracer holds a tree for each header state. It is not safe for concurrent use.
type tracer struct {
	instance *Instance
	traced   *Instance // the same, with coordinates that are forms
	net      *model.Network
	dims     int
	roots    []*decision
	walks    int
	useless  bool // the program cannot run on forms

	point []int // place and destination of the current run
	in    arrival
	wrap  bool
	next  **decision // position of the current run in the tree
	reads bool
}

func newTracer(i *Instance, n *model.Network, states int) *tracer {
	dims := len(i.sides)
	t := &tracer{instance: i, net: n, dims: dims, roots: make([]*decision, states), point: make([]int, 2*dims)}
	traced := *i
	traced.works = t.works
	t.traced = &traced
	return t
}

// works is Works of coordinates that are forms.
func (t *tracer) works(at []starlark.Value, a Dir) (bool, error) {
	d := decision{asks: channelWorking, by: int(a)}
	for _, v := range at {
		x, ok := t.read(v)
		if !ok || x.den != 1 {
			return false, errNotTraced
		}
		d.at = append(d.at, x.form)
	}
	return t.ask(d) == 1, nil
}

// spotCheck is the number of tree walks per walk that the interpreter checks.
const spotCheck = 1 << 12

// find follows the tree for the current packet. It returns nil if the tree has no leaf for it.
func (t *tracer) find() *decision {
	node := t.roots[t.in.state]
	for node != nil && !node.leaf {
		node = *node.branch(t.answer(node))
	}
	return node
}

// answer answers the question of a node for the current packet.
func (t *tracer) answer(d *decision) int {
	switch d.asks {
	case inputDir:
		return int(t.in.dir)
	case inputVC:
		return t.in.vc
	case inputWrap:
		return truthValue(t.wrap)
	case channelWorking:
		coords := make([]int, len(d.at))
		for k, form := range d.at {
			coords[k] = t.value(form)
		}
		return truthValue(channelWorks(t.net, t.net.Grid(), coords, Dir(d.by)))
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

// value returns the value of a form for the current packet.
func (t *tracer) value(form []int) int {
	x := form[len(form)-1]
	for v, c := range form[:len(form)-1] {
		if c != 0 {
			x += c * t.point[v]
		}
	}
	return x
}

// run runs the program on the current packet and adds its decisions to the tree.
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
	outputs, err := t.traced.Route(coordinates(0), coordinates(t.dims), tracedInput{t}, t.in.state)
	if err != nil {
		return nil, err
	}
	if *t.next != nil {
		return nil, fmt.Errorf("program: internal error: %s makes different decisions for the same packet", t.instance.program.Name)
	}
	*t.next = &decision{leaf: true, outputs: outputs, reads: t.reads, list: noList}
	return *t.next, nil
}

// ask answers a question and moves to the branch of the answer.
func (t *tracer) ask(d decision) int {
	if *t.next == nil {
		*t.next = &d
	}
	answer := t.answer(*t.next)
	t.next = (*t.next).branch(answer)
	return answer
}

// tracedInput is the Input of the current packet. Each method is a node of the tree.
type tracedInput struct{ *tracer }

// Dir implements Input.
func (t tracedInput) Dir() Dir { t.reads = true; return Dir(t.ask(decision{asks: inputDir})) }

// VC implements Input.
func (t tracedInput) VC() int { t.reads = true; return t.ask(decision{asks: inputVC}) }

// Wrap implements Input.
func (t tracedInput) Wrap() bool { t.reads = true; return t.ask(decision{asks: inputWrap}) == 1 }

// traced is the number form / den. It is an integer for the current packet.
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

// read converts a number to a form with a denominator.
func (t *tracer) read(v starlark.Value) (traced, bool) {
	if x, ok := v.(traced); ok {
		return x, true
	}
	k, ok := small(v)
	form := make([]int, 2*t.dims+1)
	form[2*t.dims] = k
	return traced{t, form, 1}, ok && max(k, -k) < maxTraced
}

// maxTraced is the limit of numbers in forms, far below overflow.
const maxTraced = 1 << 20

// combined returns a·x + b·y.
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

// plain returns a constant form as a number, and other forms unchanged.
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

// divided returns p // k or p % k. The tree branches on the one with fewer values.
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

// route returns the leaf for a packet: from the tree, by a run that extends the tree, or from
// the interpreter if the program cannot run on forms.
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
			t.useless = true // or the program has an error, which the interpreter reports
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

// interpreted runs the program on plain numbers.
func (t *tracer) interpreted(from, to []starlark.Value) (*decision, error) {
	in := &knownInput{arrival: t.in, wrap: t.wrap}
	outputs, err := t.instance.Route(from, to, in, t.in.state)
	return &decision{leaf: true, outputs: outputs, reads: in.read, list: noList}, err
}
