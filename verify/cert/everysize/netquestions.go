package everysize

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file shows a program for any network to a search for evidence. What a search finds is judged as any other certificate.

// Network is a program for any network, run on unknown switches.
type Network struct {
	t     *netTheorem
	texts map[string]*Formula // conditions that were read
}

// OpenNetwork runs a program on unknown switches. It fails if the program has parts that are not supported.
func OpenNetwork(text string) (n *Network, err error) {
	defer catch(&err)
	p, err := read(text, 0)
	if err != nil {
		return nil, err
	}
	t, err := newNetTheorem(p)
	if err != nil {
		return nil, err
	}
	t.holds, t.group, t.measure, t.ranks = map[NetClass]*Formula{}, map[NetClass]int{}, map[NetClass][]Form{}, map[int][]netRank{}
	return &Network{t: t}, nil
}

// Networks names the networks of the theorem.
func (n *Network) Networks() string { return n.t.everyNetwork() }

// VCs returns the number of VCs.
func (n *Network) VCs() int { return n.t.vcs }

// Escape returns the VCs that the program names as its escape, or nil.
func (n *Network) Escape() (list []int) {
	for _, s := range n.t.list {
		if s.kind != "assign" || s.target.kind != "name" || s.target.text != "escape" || s.value.kind != "list" {
			continue
		}
		for _, x := range s.value.args {
			if x.kind != "number" || x.number < 0 || x.number >= int64(n.t.vcs) {
				return nil
			}
			list = append(list, int(x.number))
		}
	}
	return list
}

// Attributes returns the attributes of switches that the program reads, sorted.
func (n *Network) Attributes() []string { return sortedKeys(n.t.attributes) }

// Pairs returns the tables of pairs of switches that the program reads, as functions of variables, sorted.
func (n *Network) Pairs() (list []string) {
	for _, a := range n.t.apps {
		if _, _, ok := IsTable(a.fn); ok && len(a.args) == 2 && !slices.Contains(list, a.fn) {
			list = append(list, a.fn)
		}
	}
	slices.Sort(list)
	return list
}

// TreeNumbers returns the functions of the spanning tree that ranks may use: depth and spread, or none if the program uses no tree.
func (n *Network) TreeNumbers() []string {
	if n.t.spans {
		return []string{"depth", "spread"}
	}
	return nil
}

func sortedKeys(set map[string]bool) (list []string) {
	for name := range set {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

// The terms of formulas.
const (
	Cur  = int(atCur)
	Dst  = int(atDst)
	Via  = int(atVia)
	Prev = int(atPrev)
	Next = int(atNext)
)

// Variable returns what a variable of a formula stands for: a function of terms.
func (n *Network) Variable(v int) (fn string, args []int) {
	a := n.t.apps[v]
	for _, t := range a.args {
		args = append(args, int(t))
	}
	return a.fn, args
}

// Some returns the quantified condition of a function "some...". Each binder is a term and the term of which it is a neighbour,
// or ok is false. The parameters are the terms -1, -2, ...
func (n *Network) Some(v int) (binders [][2]int, any []bool, body *Formula, ok bool) {
	k := n.t.someOf(v)
	if k < 0 {
		return nil, nil, nil, false
	}
	q := n.t.some[k]
	for _, b := range q.binders {
		binders, any = append(binders, [2]int{int(b.term), int(b.of)}), append(any, b.of == noTerm)
	}
	return binders, any, q.body, true
}

// Step is a hop that a run of the program permits to the packets of a class, or the creation of a packet.
type Step struct {
	From, To NetClass
	Created  bool // by inject
	run      int
	output   int
	vc       int
}

// Output returns the numbers of the run and of its output.
func (s Step) Output() (run, output int) { return s.run, s.output }

// Place returns where the run of a step ends.
func (n *Network) Place(s Step) Place {
	if s.Created {
		return Place{}
	}
	return n.t.runs[s.run].at
}

// Without returns the question: a packet of the class of a step takes its run, and no switch gives the output of the step.
func (n *Network) Without(s Step) (*Question, error) {
	if s.Created {
		return nil, fmt.Errorf("a created packet")
	}
	r := &n.t.runs[s.run]
	f := and(n.t.arrived(s.From), r.guard, n.t.noOutput(r.outputs[s.output:s.output+1], func(*netOutput) bool { return true }))
	if f.isFalse() || contradictory(f) {
		return nil, nil
	}
	return n.t.question(f, s.From.names()), nil
}

// Steps returns the steps of the program.
func (n *Network) Steps() (list []Step) {
	for i, s := range n.t.starts {
		for j := range s.outputs {
			list = append(list, Step{To: s.outputs[j].classOf(-1), Created: true, run: i, output: j})
		}
	}
	for i := range n.t.runs {
		r := &n.t.runs[i]
		for j := range r.outputs {
			o := &r.outputs[j]
			for vc := o.vcs[0]; vc < o.vcs[1] && !o.ejects && r.failed == nil; vc++ {
				list = append(list, Step{From: r.class, To: o.classOf(vc), run: i, output: j, vc: vc})
			}
		}
	}
	return list
}

// Guards returns the conditions of the program on a packet, and on its next switch.
func (n *Network) Guards() (here, ahead []*Formula) {
	for _, s := range n.t.starts {
		here = append(here, s.guard)
		for _, o := range s.outputs {
			here = append(here, n.t.renamedOutput(&o, atVia))
		}
	}
	for i := range n.t.runs {
		r := &n.t.runs[i]
		here = append(here, r.guard)
		for j := range r.outputs {
			ahead = append(ahead, n.t.renamedOutput(&r.outputs[j], atNext))
			ahead = append(ahead, n.t.selected(r.guard, r.outputs[j].next)...)
		}
	}
	return here, ahead
}

// renamedOutput returns the guard of an output, with another term for the switch at the end of the hop.
func (t *netTheorem) renamedOutput(o *netOutput, to term) *Formula {
	from := o.next
	if to == atVia {
		from = o.via
	}
	if from < firstTerm {
		return o.guard
	}
	return t.replace(o.guard, map[term]term{from: to})
}

// selected returns what a run knows of the switch of an output that it has selected, as formulas on the next switch.
func (t *netTheorem) selected(guard *Formula, next term) (list []*Formula) {
	if next < firstTerm {
		return nil
	}
	if guard.Op == And {
		for _, x := range guard.Args {
			list = append(list, t.selected(x, next)...)
		}
		return list
	}
	for _, v := range inOrder(guard, nil) {
		if slices.Contains(t.apps[v].args, next) {
			return []*Formula{t.replace(guard, map[term]term{next: atNext})}
		}
	}
	return nil
}

// Premise returns the premise of the program on the terms Cur and Dst, or nil.
func (n *Network) Premise() *Formula { return n.t.premise }

// SetHolds sets the condition of a class: the disjunction of cubes. A cube says by '1', '0' or '-' of each predicate, an expression as in a
// certificate, that it holds, that it does not, or nothing.
func (n *Network) SetHolds(a NetClass, predicates, cubes []string) error {
	n.t.holds[a] = never
	for _, cube := range cubes {
		all := always
		for i, bit := range cube {
			if bit == '-' {
				continue
			}
			f, err := n.condition(predicates[i], a.names())
			if err != nil {
				return err
			}
			if bit == '0' {
				f = not(f)
			}
			all = and(all, f)
		}
		n.t.holds[a] = or(n.t.holds[a], all)
	}
	return nil
}

// condition returns the formula that an expression means.
func (n *Network) condition(text string, names []term) (*Formula, error) {
	key := fmt.Sprint(names, text)
	if f, ok := n.texts[key]; ok {
		return f, nil
	}
	f, err := n.t.holdsText(text, names)
	if n.texts == nil {
		n.texts = map[string]*Formula{}
	}
	if err == nil {
		n.texts[key] = f
	}
	return f, err
}

// known returns the formula: the step is possible. base are its terms.
func (n *Network) known(s Step) (f *Formula, base []term, o *netOutput) {
	t := n.t
	if s.Created {
		o := &t.starts[s.run].outputs[s.output]
		pair := and(t.endpoint, t.replace(t.endpoint, map[term]term{atCur: atDst}), t.undeliveredAt(atCur))
		return and(pair, t.starts[s.run].guard, t.place(o.binders), o.guard), []term{atCur, atDst}, o
	}
	r := &t.runs[s.run]
	o = &r.outputs[s.output]
	return and(t.hop(and(t.arrived(s.From), r.guard), o), t.linked(atCur, o.next)), append(s.From.names(), o.next), o
}

// Escaped returns the question: a step leads to packets of its class that violate the condition of the class. The watched
// expressions are about the packet after the step.
func (n *Network) Escaped(s Step, watched []string) (*Question, error) {
	t := n.t
	f, base, o := n.known(s)
	by := map[term]term{atVia: o.via}
	holds := t.holds[s.To]
	if holds == nil {
		holds = never
	}
	if !s.Created {
		by = o.after()
		f = and(f, t.routedAfter(o))
	}
	f = and(f, not(t.replace(holds, by)))
	var list []*Formula
	for _, text := range watched {
		w, err := n.condition(text, s.To.names())
		if err != nil {
			return nil, err
		}
		list = append(list, t.replace(w, by))
	}
	if f.isFalse() || contradictory(f) {
		return nil, nil
	}
	return t.question(f, base, list...), nil
}

// Dependency returns the question: a packet on a channel that satisfies the condition from takes the step to a channel that
// satisfies the condition to, and the number rise does not increase by at least least. The conditions and the number are
// expressions of tail and head; the number has one form for the first channel and one for the second.
func (n *Network) Dependency(s Step, from, to string, rise [2]string, least int64) (*Question, error) {
	t := n.t
	if s.Created || s.From.created() {
		return nil, fmt.Errorf("no dependency")
	}
	f, base, o := n.known(s)
	last := map[term]term{atTail: atPrev, atHead: atCur}
	coming := map[term]term{atTail: atCur, atHead: o.next}
	channel := []term{atTail, atHead}
	when, err := n.condition(from, channel)
	if err != nil {
		return nil, err
	}
	then, err := n.condition(to, channel)
	if err != nil {
		return nil, err
	}
	f = and(f, t.replace(when, last), t.replace(then, coming))
	if rise[0] != "" {
		a, err := t.formsText(rise[0], channel)
		if err != nil {
			return nil, err
		}
		b, err := t.formsText(rise[1], channel)
		if err != nil {
			return nil, err
		}
		f = and(f, lessThan(t.replaceForm(b[0], coming), t.replaceForm(a[0], last).shift(least)))
	}
	if f.isFalse() || contradictory(f) {
		return nil, nil
	}
	return t.question(f, base), nil
}

// ProveNetwork passes the obligations of the claim of c that has the evidence to a solver, in order. It fails if the solver does, or if c is
// no certificate of a program for any network. The field Proofs is not used. It returns the number of obligations by kind.
func ProveNetwork(c *cert.Certificate, solver NetSolver) (map[string]int, error) {
	claim := netClaim(c)
	if c.Subject.Program == nil || claim == nil {
		return nil, fmt.Errorf("not a certificate of a program for any network")
	}
	o, err := open(c)
	if err != nil {
		return nil, err
	}
	t, err := o.proveNet(claim, solver)
	if err != nil {
		return nil, err
	}
	return t.count, nil
}

// netClaim returns the claim that has the evidence for every network, or nil.
func netClaim(c *cert.Certificate) *cert.Claim {
	for i := range c.Claims {
		if c.Claims[i].Networks != nil {
			return &c.Claims[i]
		}
	}
	return nil
}
