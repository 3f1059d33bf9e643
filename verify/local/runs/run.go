package runs

import (
	"fmt"
	"strconv"

	"go.starlark.net/syntax"

	"github.com/turnproof/turnproof/model/program"
)

// This file runs the functions of a program.

// Class is the packets on one VC, or created ones, with one header state.
type Class struct {
	VC      int // -1 for created packets
	State   int
	Carries bool // the header carries a switch
}

// Output is an output for all switches at Vars that satisfy When.
type Output struct {
	Vars            []Var
	When            *Condition
	Ejects          bool
	Next            Term
	FirstVC, LastVC int
	State           int
	Carries         bool
	Via             Term // if Carries
}

// Run is a case of route, or of inject.
type Run struct {
	Class   Class
	When    *Condition
	Outputs []Output
	Err     error
	Line    int // of the return, 0 if unknown
	Chosen  int // the line where any element of a list is taken for the first one, 0 if none
}

// Behaviour is what a program does on unknown switches.
type Behaviour struct {
	Premise  *Condition // about Cur, and Dst if it is about pairs; nil if there is none
	Pairs    bool
	Endpoint *Condition // about Cur; nil if there is none
	Starts   []Run      // of inject
	Runs     []Run
}

func decimal(k int64) string { return strconv.FormatInt(k, 10) }

// runner runs one program.
type runner struct {
	*program.Program
	file  *syntax.File
	attrs func(string) bool
}

// Execute executes a program. attrs reports whether it reads an attribute. It fails if a run is too large, or if a condition cannot be executed.
func Execute(p *program.Program, attrs func(string) bool) (b *Behaviour, err error) {
	defer func() {
		if x := recover(); x != nil {
			l, ok := x.(limit)
			if !ok {
				panic(x)
			}
			b, err = nil, l.error
		}
	}()
	file, err := (&syntax.FileOptions{}).Parse(p.Name, p.Text, 0)
	if err != nil {
		return nil, err
	}
	r := &runner{p, file, attrs}
	b = &Behaviour{}
	if b.Premise, b.Pairs, err = r.condition("premise"); err != nil {
		return nil, err
	}
	if b.Endpoint, _, err = r.condition("endpoint"); err != nil {
		return nil, err
	}
	if err := r.inject(b); err != nil {
		return nil, err
	}
	return b, r.routes(b)
}

// machine executes the top level.
func (r *runner) machine() (m *machine, s *state, global int, err error) {
	m = &machine{parent: map[int]int{}, names: map[int]map[string]bool{}, terms: firstFree, attrs: r.attrs,
		defaults: map[string]any{"None": nil, "True": true, "False": false, "EJECT": ejection{}}}
	for _, name := range predeclared {
		m.defaults[name] = builtin(name)
	}
	var body []syntax.Stmt
	for _, x := range r.file.Stmts {
		if a, ok := x.(*syntax.AssignStmt); ok {
			if id, ok := a.LHS.(*syntax.Ident); ok && (id.Name == "family" || id.Name == "where") {
				continue
			}
		}
		body = append(body, x)
	}
	global = m.open(-1, assigned(body))
	out := m.block(&state{frames: map[int]map[string]any{}}, global, body)
	if len(out) != 1 || out[0].err != nil {
		return nil, nil, 0, fmt.Errorf("the top level of the program is not supported")
	}
	s = out[0].state
	for l := range s.lists {
		s = s.freeze(l)
	}
	return m, s, global, nil
}

// call calls a function of the program.
func (r *runner) call(name string, args []any, prepare func(*machine)) ([]result, *machine, error) {
	m, s, global, err := r.machine()
	if err != nil {
		return nil, nil, err
	}
	prepare(m)
	f, ok := s.frames[global][name].(*closure)
	if !ok {
		return nil, nil, fmt.Errorf("%s is no function", name)
	}
	return m.apply(s, nil, f, args[:min(len(args), len(f.def.Params))]), m, nil
}

// condition returns the condition that a function returns a true value, or nil if the program does not define it.
func (r *runner) condition(name string) (c *Condition, pairs bool, err error) {
	for _, x := range r.file.Stmts {
		if def, ok := x.(*syntax.DefStmt); ok && def.Name.Name == name {
			pairs = len(def.Params) == 2
			list, m, err := r.call(name, []any{vertex{Cur}, vertex{Dst}}, func(m *machine) { m.pure = true })
			if err != nil {
				return nil, false, err
			}
			c = no
			for _, t := range then(list, func(s *state, v any) []result { return m.truth(s, def, v) }) {
				if t.err != nil {
					return nil, false, fmt.Errorf("%s: %w", name, t.err)
				}
				if t.value.(bool) {
					c = anyOf(c, all(t.known...))
				}
			}
		}
	}
	return c, pairs, nil
}

// inject runs inject.
func (r *runner) inject(b *Behaviour) error {
	if !r.Draws {
		b.Starts = []Run{{When: yes, Outputs: []Output{{When: yes}}}}
		return nil
	}
	list, m, err := r.call("inject", []any{vertex{Cur}, vertex{Dst}}, func(*machine) {})
	if err != nil {
		return err
	}
	for _, x := range list {
		run := Run{When: all(x.known...), Err: x.err}
		if x.err == nil {
			run.Outputs, run.Err = r.outputs(m, x, func(v any) (Output, error) { return r.start(v) })
		}
		b.Starts = append(b.Starts, run)
	}
	return nil
}

// outputs reads the elements of a list.
func (r *runner) outputs(m *machine, x result, read func(any) (Output, error)) (list []Output, err error) {
	if _, isTuple := x.value.(tuple); isTuple {
		return nil, fmt.Errorf("a tuple is returned; want a list")
	}
	contents, ok := m.contents(x.state, x.value)
	if !ok {
		return nil, fmt.Errorf("no list is returned")
	}
	for _, it := range contents.items {
		ways := it.bag
		if ways == nil {
			ways = []way{{when: yes, value: it.value}}
		}
		for _, w := range ways {
			o, err := read(w.value)
			if err != nil {
				return nil, err
			}
			o.Vars, o.When = w.vars, w.when
			list = append(list, o)
		}
	}
	return list, nil
}

// start reads a state, (state, weight) or (state, weight, switch).
func (r *runner) start(v any) (o Output, err error) {
	if t, ok := v.(tuple); ok {
		if len(t) != 2 && len(t) != 3 {
			return o, fmt.Errorf("inject returns states, (state, weight) or (state, weight, switch)")
		}
		if k, ok := t[1].(int64); !ok || k < 1 || k > 1_000_000 {
			return o, fmt.Errorf("a weight out of range")
		}
		if len(t) == 3 {
			if err := r.carry(&o, t[2]); err != nil {
				return o, err
			}
		}
		v = t[0]
	}
	o.State, err = r.header(v)
	return o, err
}

func (r *runner) header(v any) (int, error) {
	k, ok := v.(int64)
	if !ok || k < 0 || k >= int64(r.States) {
		return 0, fmt.Errorf("a header state that is no known number below %d", r.States)
	}
	return int(k), nil
}

// carry reads the switch of a header.
func (r *runner) carry(o *Output, v any) error {
	u, ok := v.(vertex)
	switch {
	case v == nil:
		o.Carries = false
		return nil
	case !ok:
		return fmt.Errorf("a value that is not a switch in a header")
	case !r.Carries:
		return fmt.Errorf("route has no parameter for a switch")
	}
	o.Carries, o.Via = true, u.Term
	return nil
}

// routes runs route for each class.
func (r *runner) routes(b *Behaviour) error {
	for vc := -1; vc < r.VCs; vc++ {
		for state := range r.States {
			for _, carries := range []bool{false, true}[:1+btoi(r.Carries)] {
				if err := r.route(b, Class{vc, state, carries}); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (r *runner) route(b *Behaviour, a Class) error {
	args := []any{vertex{Cur}, vertex{Dst}, arrival{}, int64(a.State), nil}
	if a.Carries {
		args[4] = vertex{Via}
	}
	list, m, err := r.call("route", args, func(m *machine) { m.created, m.vc = a.VC < 0, a.VC })
	if err != nil {
		return err
	}
	for _, x := range list {
		run := Run{Class: a, When: all(x.known...), Err: x.err, Line: x.line, Chosen: x.chosen}
		if x.err == nil {
			run.Outputs, run.Err = r.outputs(m, x, func(v any) (Output, error) { return r.output(v, a) })
		}
		if b.Runs = append(b.Runs, run); len(b.Runs) > mostResults {
			return fmt.Errorf("more than %d paths", mostResults)
		}
	}
	return nil
}

// output reads an output of route.
func (r *runner) output(v any, a Class) (o Output, err error) {
	o = Output{LastVC: r.VCs - 1, State: a.State, Carries: a.Carries, Via: Via}
	if t, ok := v.(tuple); ok && len(t) >= 2 && len(t) <= 4 {
		vc, ok := t[1].(int64)
		if !ok || vc < 0 || vc >= int64(r.VCs) {
			return o, fmt.Errorf("a VC that is no known number below %d", r.VCs)
		}
		o.FirstVC, o.LastVC = int(vc), int(vc)
		if len(t) >= 3 {
			if o.State, err = r.header(t[2]); err != nil {
				return o, err
			}
		}
		if len(t) == 4 {
			if err := r.carry(&o, t[3]); err != nil {
				return o, err
			}
		}
		v = t[0]
	}
	switch v := v.(type) {
	case ejection:
		o.Ejects = true
	case port:
		if v.tail != Cur {
			return o, fmt.Errorf("a port of another switch")
		}
		o.Next = v.head
	case vertex:
		o.Next = v.Term
	default:
		return o, fmt.Errorf("an output that is no port and no switch")
	}
	return o, nil
}
