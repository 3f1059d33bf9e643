package everysize

import "fmt"

// This file runs the functions of a program for any network on unknown switches, and the conditions and ranks of a certificate.

// function returns the number of parameters of a function of the program.
func (t *netTheorem) function(name string) (params int, ok bool) {
	for _, s := range t.list {
		if s.kind == "def" && s.name == name {
			return len(s.params), true
		}
	}
	return 0, false
}

// machine returns a machine for runs.
func (t *netTheorem) machine(pure bool) *machine {
	m := &machine{family: t.family, base: always, net: &netMachine{vocabulary: t.vocabulary, pure: pure, attrs: t.attributes}}
	m.possible = func(f *Formula) (bool, error) { return !contradictory(f), nil }
	return m
}

// runs returns the paths of execute.
func (m *machine) netPaths(execute func()) ([]path, error) {
	return m.explore(func() {
		m.net.next, m.net.inner, m.net.outer, m.net.effects = firstTerm, 0, nil, nil
		execute()
	})
}

// condition0 returns the formula: a function of the program returns a true value.
func (t *netTheorem) condition0(name string, args []any) (*Formula, error) {
	return t.truthOf(name, func(m *machine) any { return m.apply(m.load().values[name], args) })
}

func (t *netTheorem) truthOf(name string, value func(m *machine) any) (*Formula, error) {
	m := t.machine(true)
	paths, err := m.netPaths(func() { m.path.result = m.truth(value(m)) })
	if err != nil {
		return nil, err
	}
	var list []*Formula
	for _, p := range paths {
		if p.failed != nil {
			return nil, fmt.Errorf("%s: %w", name, p.failed)
		}
		if p.result == true {
			list = append(list, p.guard)
		}
	}
	return or(list...), nil
}

// runInject runs inject.
func (t *netTheorem) runInject() error {
	if !t.draws {
		t.starts = []start{{guard: always, outputs: []netOutput{{guard: always, via: noTerm}}}}
		return nil
	}
	m := t.machine(false)
	var list []netOutput
	paths, err := m.netPaths(func() {
		list = nil
		made, ok := m.apply(m.load().values["inject"], []any{node{atCur}, node{atDst}}).(*listOf)
		if !ok {
			fail("inject returned no list")
		}
		for _, v := range made.items {
			list = append(list, t.startOf(v))
		}
		m.path.result = list
	})
	for _, p := range paths {
		s := start{guard: p.guard, failed: p.failed}
		if p.failed == nil {
			s.outputs = p.result.([]netOutput)
		}
		t.starts = append(t.starts, s)
	}
	return err
}

type listOf = list

// unwrapped returns the parts of an element of a list.
func unwrapped(v any) (o netOutput, x any) {
	o = netOutput{guard: always, via: noTerm}
	if g, ok := v.(*generic); ok {
		o.binders, o.guard, v = g.binders, g.guard, g.value
	}
	return o, v
}

// startOf reads a state, (state, weight) or (state, weight, switch).
func (t *netTheorem) startOf(v any) netOutput {
	o, v := unwrapped(v)
	if x, ok := v.(tuple); ok {
		if len(x) != 2 && len(x) != 3 {
			fail("inject returns states, (state, weight) or (state, weight, switch)")
		}
		if weight, ok := x[1].(int64); !ok || weight < 1 || weight > 1_000_000 {
			fail("a weight out of range")
		}
		v = x[0]
		if len(x) == 3 && x[2] != nil {
			if o.via = switchOf(x[2]); !t.carries {
				fail("route has no parameter for a switch")
			}
		}
	}
	o.state = t.stateOf(v)
	return o
}

func (t *netTheorem) stateOf(v any) int {
	state, ok := v.(int64)
	if !ok || state < 0 || state >= int64(t.states) {
		fail("a header state that is no known number below %d", t.states)
	}
	return int(state)
}

// runRoute runs route.
func (t *netTheorem) runRoute() error {
	m := t.machine(false)
	paths, err := m.netPaths(func() {
		run := &netRun{class: NetClass{VC: m.chooseOf(t.vcs+1) - 1}}
		m.path.result = run
		if t.states > 1 {
			run.class.State = m.chooseOf(t.states)
		}
		via := any(nil)
		if t.carries && m.chooseOf(2) == 1 {
			run.class.Carries, via = true, node{atVia}
		}
		m.net.created, m.net.vc = run.class.created(), run.class.VC
		args := []any{node{atCur}, node{atDst}, input{}}
		if t.reads {
			args = append(args, int64(run.class.State))
		}
		if t.carries {
			args = append(args, via)
		}
		made, ok := m.apply(m.load().values["route"], args).(*list)
		if !ok {
			fail("route returned no list")
		}
		for _, v := range made.items {
			run.outputs = append(run.outputs, t.outputOf(v, run.class))
		}
	})
	for _, p := range paths {
		r := p.result.(*netRun)
		r.guard, r.failed = p.guard, p.failed
		t.runs = append(t.runs, *r)
	}
	return err
}

// outputOf reads an output of route.
func (t *netTheorem) outputOf(v any, a NetClass) netOutput {
	o, v := unwrapped(v)
	o.vcs, o.state = [2]int{0, t.vcs}, a.State
	if a.Carries {
		o.via = atVia
	}
	if x, ok := v.(tuple); ok && len(x) >= 2 && len(x) <= 4 {
		vc, ok := x[1].(int64)
		if !ok || vc < 0 || vc >= int64(t.vcs) {
			fail("a VC that is no known number below %d", t.vcs)
		}
		o.vcs = [2]int{int(vc), int(vc) + 1}
		if len(x) >= 3 {
			o.state = t.stateOf(x[2])
		}
		if len(x) == 4 {
			if o.via = noTerm; x[3] != nil {
				if o.via = switchOf(x[3]); !t.carries {
					fail("route has no parameter for a switch")
				}
			}
		}
		v = x[0]
	}
	switch v := v.(type) {
	case ejection:
		o.ejects = true
	case port:
		if v.tail != atCur {
			fail("a port of another switch")
		}
		o.next = v.head
	case node:
		o.next = v.term
	default:
		fail("an output that is no port and no switch")
	}
	return o
}

// text returns the forms or the condition that an expression of a certificate means.
func (t *netTheorem) parseText(text string, names []term, use func(m *machine, v any)) ([]path, error) {
	list, err := parse("it = (" + text + ")\n")
	if err != nil || len(list) != 1 || list[0].kind != "assign" || list[0].target.kind != "name" {
		return nil, fmt.Errorf("cannot read the expression %.80q", text)
	}
	s := &scope{names: map[string]bool{}, values: map[string]any{}}
	for _, at := range names {
		s.names[termNames[at]], s.values[termNames[at]] = true, node{at}
	}
	m := t.machine(true)
	paths, err := m.netPaths(func() { use(m, m.eval(list[0].value, s)) })
	if err != nil {
		return nil, fmt.Errorf("the condition or number %.80q: %w", text, err)
	}
	for _, p := range paths {
		if p.failed != nil {
			return nil, fmt.Errorf("expression %.80q: %w", text, p.failed)
		}
	}
	return paths, nil
}

// holdsText returns the formula that an expression of a certificate means. An empty text always holds.
func (t *netTheorem) holdsText(text string, names []term) (*Formula, error) {
	if text == "" {
		return always, nil
	}
	paths, err := t.parseText(text, names, func(m *machine, v any) { m.path.result = m.truth(v) })
	var list []*Formula
	for _, p := range paths {
		if p.result == true {
			list = append(list, p.guard)
		}
	}
	return or(list...), err
}

// formsText returns the numbers of a tuple.
func (t *netTheorem) formsText(text string, names []term) (forms []Form, err error) {
	paths, err := t.parseText("("+text+",)", names, func(m *machine, v any) { m.path.result = v })
	if err != nil {
		return nil, err
	}
	if len(paths) != 1 {
		return nil, fmt.Errorf("expression %.80q: it makes choices", text)
	}
	for _, v := range paths[0].result.(tuple) {
		x, ok := numeric(v)
		if !ok || x.den != 1 {
			return nil, fmt.Errorf("expression %.80q: not a tuple of numbers", text)
		}
		forms = append(forms, x.num)
	}
	return forms, nil
}

// newNetTheorem runs a program on unknown switches.
func newNetTheorem(p *program) (*netTheorem, error) {
	f := &family{program: p, predeclared: declareNetwork()}
	t := &netTheorem{family: f, vocabulary: newVocabulary(), endpoint: always}
	if k, ok := t.function("premise"); ok {
		var err error
		if t.pairwise = k == 2; k != 1 && k != 2 {
			return nil, fmt.Errorf("premise has %d parameters; want 1 or 2 switches", k)
		}
		if t.premise, err = t.condition0("premise", []any{node{atCur}, node{atDst}}[:k]); err != nil {
			return nil, err
		}
	}
	if k, ok := t.function("endpoint"); ok {
		if k != 1 {
			return nil, fmt.Errorf("endpoint has %d parameters; want a switch", k)
		}
		var err error
		if t.endpoint, err = t.condition0("endpoint", []any{node{atCur}}); err != nil {
			return nil, err
		}
	}
	if err := t.runInject(); err != nil {
		return nil, err
	}
	return t, t.runRoute()
}
