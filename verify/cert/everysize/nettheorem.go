package everysize

import (
	"fmt"
	"maps"
	"slices"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file lists what must be proved of a program for any network. The certificate adds the classes of packets, a condition
// for each, ranks, and the proofs.
//
// A class is the packets on channels of one VC that have one header state, with or without a switch in it; or the packets
// that have just been created.
//
// Theorem. Let every formula below have no solution. Then on all connected networks that have the premise of the program:
//
//	inject     the condition of created packets holds for all that inject returns;
//	error      no packet takes a run that ends with an error, or sends to a switch that is not linked;
//	invariant  the conditions of the classes hold after each hop, by induction over the hops of a packet;
//	rank       every dependency leads to a channel of greater rank. So the graph of dependencies of each network, which is
//	           finite, has no cycle (Dally and Seitz 1987), and every path is finite.
//
// Claimed as connected, also:
//
//	start      every source has a header state for each destination;
//	output     every packet has a next hop or is delivered, and none is delivered at another switch than its destination.
//
// With an escape, a set of VCs, rank is about the hops from escape channels to escape channels only, and there are:
//
//	escape     every packet is permitted an escape channel, or is delivered (Duato 1996; vct and saf);
//	distance   classes have groups and measures. No hop leads to a lower group, and a hop within a group decreases the measure
//	           of the packet. So every path is finite.

// NetClass is a class of packets.
type NetClass struct {
	VC      int // -1 for packets that have just been created
	State   int
	Carries bool // the header carries a switch
}

func (a NetClass) created() bool { return a.VC < 0 }

// String names the class.
func (a NetClass) String() string {
	text := fmt.Sprintf("VC %d", a.VC)
	if a.created() {
		text = "source"
	}
	if a.State > 0 {
		text += fmt.Sprintf(" state %d", a.State)
	}
	if a.Carries {
		text += " with a switch"
	}
	return text
}

// netRun is one run of route.
type netRun struct {
	class   NetClass // that takes it; its VC is -1 for created packets
	guard   *Formula
	outputs []netOutput
	failed  error
}

// netOutput is an output for all switches at the binders.
type netOutput struct {
	binders []binder
	guard   *Formula
	ejects  bool
	next    term
	vcs     [2]int // first, and that after the last
	state   int
	via     term // noTerm: the header carries no switch
}

// start is what inject returns.
type start struct {
	guard   *Formula // of the run
	outputs []netOutput
	failed  error
}

// netRank is the rank of the channels of a VC that satisfy a condition.
type netRank struct {
	when *Formula
	rank []Form
}

// netTheorem lists the obligations of a program for any network.
type netTheorem struct {
	*family
	*vocabulary
	premise  *Formula // of atCur, and of atDst if pairwise
	pairwise bool
	endpoint *Formula // of atCur
	runs     []netRun
	starts   []start

	classes []NetClass
	holds   map[NetClass]*Formula
	group   map[NetClass]int
	measure map[NetClass][]Form
	ranks   map[int][]netRank
	escape  []int // VCs, or nil

	solver NetSolver
	count  map[string]int
}

// NetSolver answers obligations: a reader of proofs, or a search for them.
type NetSolver interface {
	// Refute proves that an obligation has no solution.
	Refute(kind, name string, q *Question) error
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
		return nil, err
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

// names returns the terms that conditions on packets of a class can use.
func (a NetClass) names() []term {
	list := []term{atCur, atDst}
	if a.Carries {
		list = append(list, atVia)
	}
	if !a.created() {
		list = append(list, atPrev)
	}
	return list
}

// arrived returns the formula: a packet of class a is at a switch, and route is called for it.
func (t *netTheorem) arrived(a NetClass) *Formula {
	holds := t.holds[a]
	if holds == nil {
		return never
	}
	f := and(holds, t.undeliveredAt(atCur), t.replace(t.endpoint, map[term]term{atCur: atDst}))
	if a.created() {
		return and(f, t.endpoint)
	}
	return and(f, t.linked(atPrev, atCur), t.undeliveredAt(atPrev))
}

// undeliveredAt returns the formula: route is called for a packet at a switch.
func (t *netTheorem) undeliveredAt(u term) *Formula {
	if t.passes {
		return always
	}
	return not(t.same(u, atDst))
}

// classOf returns the class of packets on the channel of an output.
func (o *netOutput) classOf(vc int) NetClass { return NetClass{vc, o.state, o.via != noTerm} }

// none returns the formula: no switch gives an output that fits.
func (t *netTheorem) noOutput(list []netOutput, fits func(*netOutput) bool) *Formula {
	f := always
	for i := range list {
		if fits(&list[i]) {
			f = and(f, not(t.exists(list[i].binders, list[i].guard)))
		}
	}
	return f
}

// prove passes the obligations to the solver.
func (t *netTheorem) prove(delivers bool) error {
	t.count = map[string]int{}
	if err := t.provesStarts(delivers); err != nil {
		return err
	}
	for _, a := range t.classes {
		for i := range t.runs {
			if t.runs[i].class != a {
				continue
			}
			if err := t.proveRun(a, i, delivers); err != nil {
				return err
			}
		}
	}
	return nil
}

// refute asks for a proof that a formula contradicts the facts of networks.
func (t *netTheorem) refute(kind, name string, f *Formula, base []term) error {
	if f.isFalse() || contradictory(f) {
		return nil
	}
	t.count[kind]++
	if err := t.solver.Refute(kind, name, t.question(f, base)); err != nil {
		return fmt.Errorf("%s, %s: %w", kind, name, err)
	}
	return nil
}

// provesStarts lists the obligations about created packets.
func (t *netTheorem) provesStarts(delivers bool) error {
	pair := and(t.endpoint, t.replace(t.endpoint, map[term]term{atCur: atDst}), t.undeliveredAt(atCur))
	base := []term{atCur, atDst}
	for i, s := range t.starts {
		name := fmt.Sprintf("run %d", i+1)
		known := and(pair, s.guard)
		if s.failed != nil {
			if err := t.refute("error", "inject, "+name, known, base); err != nil {
				return err
			}
			continue
		}
		if delivers {
			if err := t.refute("start", name, and(known, t.noOutput(s.outputs, func(*netOutput) bool { return true })), base); err != nil {
				return err
			}
		}
		for _, o := range s.outputs {
			f := and(known, t.place(o.binders), o.guard, not(t.startHolds(&o)))
			if err := t.refute("inject", name, f, base); err != nil {
				return err
			}
		}
	}
	return nil
}

// startHolds returns the formula: the condition of a created packet holds.
func (t *netTheorem) startHolds(o *netOutput) *Formula {
	f, ok := t.holds[o.classOf(-1)]
	if !ok {
		return never
	}
	return t.replace(f, map[term]term{atVia: o.via})
}

// proveRun lists the obligations about the packets of class a that take run i.
func (t *netTheorem) proveRun(a NetClass, i int, delivers bool) error {
	r := &t.runs[i]
	known := and(t.arrived(a), r.guard)
	name := fmt.Sprintf("%s, run %d", a, i+1)
	base := a.names()
	if r.failed != nil {
		return t.refute("error", name+" ("+r.failed.Error()+")", known, base)
	}
	if delivers {
		stuck := t.noOutput(r.outputs, func(*netOutput) bool { return true })
		if err := t.refute("output", name, and(known, stuck), base); err != nil {
			return err
		}
	}
	if t.escape != nil {
		without := t.noOutput(r.outputs, func(o *netOutput) bool { return o.ejects || t.escapes(o) })
		if err := t.refute("escape", name, and(known, without), base); err != nil {
			return err
		}
	}
	for j := range r.outputs {
		if err := t.proveOutput(a, known, fmt.Sprintf("%s, output %d", name, j+1), &r.outputs[j], delivers); err != nil {
			return err
		}
	}
	return nil
}

// escapes reports whether all VCs of an output are of the escape.
func (t *netTheorem) escapes(o *netOutput) bool {
	for vc := o.vcs[0]; vc < o.vcs[1]; vc++ {
		if slices.Contains(t.escape, vc) {
			return true
		}
	}
	return false
}

// hop returns the formula: the switches at the binders give output o.
func (t *netTheorem) hop(known *Formula, o *netOutput) *Formula {
	return and(known, t.place(o.binders), o.guard)
}

func (t *netTheorem) proveOutput(a NetClass, known *Formula, name string, o *netOutput, delivers bool) error {
	base := append(a.names(), o.next)
	hop := t.hop(known, o)
	if o.ejects {
		if !delivers {
			return nil
		}
		return t.refute("output", name, and(hop, not(t.same(atCur, atDst))), a.names())
	}
	linked := t.linked(atCur, o.next)
	if err := t.refute("error", name+" is no neighbour", and(hop, not(linked)), base); err != nil {
		return err
	}
	hop = and(hop, linked)
	for vc := o.vcs[0]; vc < o.vcs[1]; vc++ {
		b := o.classOf(vc)
		to := name + " to " + b.String()
		if err := t.refute("invariant", to, and(hop, t.routedAfter(o), not(t.holdsAfter(b, o))), base); err != nil {
			return err
		}
		if t.needsRank(a, b) {
			if err := t.refute("rank", to, and(hop, t.notRisingTo(a.VC, vc, o.next)), base); err != nil {
				return err
			}
		}
		if t.escape != nil && delivers && !a.created() {
			if err := t.refute("distance", to, and(hop, t.routedAfter(o), t.notFalling(a, b, o)), base); err != nil {
				return err
			}
		}
	}
	return nil
}

// needsRank reports whether the rank must rise from class a to class b.
func (t *netTheorem) needsRank(a, b NetClass) bool {
	return !a.created() && (t.escape == nil || slices.Contains(t.escape, a.VC) && slices.Contains(t.escape, b.VC))
}

// after replaces the terms of a packet by those after output o.
func (o *netOutput) after() map[term]term {
	return map[term]term{atPrev: atCur, atCur: o.next, atVia: o.via}
}

// routedAfter returns the formula: route is called for the packet after output o.
func (t *netTheorem) routedAfter(o *netOutput) *Formula { return t.undeliveredAt(o.next) }

// holdsAfter returns the formula: the condition of class b holds after output o.
func (t *netTheorem) holdsAfter(b NetClass, o *netOutput) *Formula {
	f, ok := t.holds[b]
	if !ok {
		return never
	}
	return t.replace(f, o.after())
}

// notRisingTo returns the formula: the rank of the next channel, on another VC, is not greater than that of the last one.
func (t *netTheorem) notRisingTo(from, to int, next term) *Formula {
	var list, covered, coveredTo []*Formula
	last := map[term]term{atTail: atPrev, atHead: atCur}
	coming := map[term]term{atTail: atCur, atHead: next}
	for _, x := range t.ranks[from] {
		when := t.replace(x.when, last)
		covered = append(covered, when)
		for _, y := range t.ranks[to] {
			list = append(list, and(when, t.replace(y.when, coming), notLess(t.replaceForms(x.rank, last), t.replaceForms(y.rank, coming))))
		}
	}
	for _, y := range t.ranks[to] {
		coveredTo = append(coveredTo, t.replace(y.when, coming))
	}
	return or(or(list...), not(or(covered...)), not(or(coveredTo...)))
}

func (t *netTheorem) replaceForms(list []Form, by map[term]term) []Form {
	moved := make([]Form, len(list))
	for i, f := range list {
		moved[i] = t.replaceForm(f, by)
	}
	return moved
}

// notFalling returns the formula: neither the group rises nor the measure falls.
func (t *netTheorem) notFalling(a, b NetClass, o *netOutput) *Formula {
	switch {
	case t.group[b] > t.group[a]:
		return never
	case t.group[b] < t.group[a] || len(t.measure[a]) != len(t.measure[b]):
		return always
	}
	return notLess(t.replaceForms(t.measure[b], o.after()), t.measure[a])
}

// readNet reads the evidence of a certificate.
func (t *netTheorem) readNet(e *cert.EveryNetwork) (err error) {
	if len(e.Classes) > maxClasses || len(e.Ranks) > maxClasses {
		return fmt.Errorf("%d classes, %d ranks; want at most %d", len(e.Classes), len(e.Ranks), maxClasses)
	}
	t.holds, t.group, t.measure, t.ranks = map[NetClass]*Formula{}, map[NetClass]int{}, map[NetClass][]Form{}, map[int][]netRank{}
	for _, c := range e.Classes {
		a := NetClass{c.VC, c.State, c.Carries}
		if a.VC < -1 || a.VC >= t.vcs || a.State < 0 || a.State >= t.states || a.Carries && !t.carries || t.holds[a] != nil {
			return fmt.Errorf("class %s: out of range, or twice", a)
		}
		t.classes = append(t.classes, a)
		t.group[a] = c.Group
		if t.holds[a], err = t.holdsText(c.Holds, a.names()); err != nil {
			return err
		}
		if c.Measure != "" {
			if t.measure[a], err = t.formsText(c.Measure, a.names()); err != nil {
				return err
			}
		}
	}
	for _, x := range e.Ranks {
		if x.VC < 0 || x.VC >= t.vcs {
			return fmt.Errorf("a rank of VC %d", x.VC)
		}
		channel := []term{atTail, atHead}
		when, err := t.holdsText(x.When, channel)
		if err != nil {
			return err
		}
		rank, err := t.formsText(x.Rank, channel)
		if err != nil {
			return err
		}
		if len(rank) > maxRank || len(rank) != len(first(t.ranks, rank)) {
			return fmt.Errorf("a rank of %d numbers", len(rank))
		}
		t.ranks[x.VC] = append(t.ranks[x.VC], netRank{when, rank})
	}
	for _, vc := range e.Escape {
		if vc < 0 || int(vc) >= t.vcs || slices.Contains(t.escape, int(vc)) {
			return fmt.Errorf("escape VC %d", vc)
		}
		t.escape = append(t.escape, int(vc))
	}
	return nil
}

// first returns a rank that was read, or the given one if there is none.
func first(ranks map[int][]netRank, rank []Form) []Form {
	for _, vc := range slices.Sorted(maps.Keys(ranks)) {
		return ranks[vc][0].rank
	}
	return rank
}
