package everysize

import (
	"fmt"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file takes the runs of a program from another runner than that of the checker, for a search that judges a proof for itself. The
// checker does not use it.

// Bound is a term that stands for a neighbour of another one, or for any switch.
type Bound struct {
	Term, Of int
	Free     bool // any switch
}

// NetOutput is an output of a run, for all switches at the bound terms that satisfy Guard.
type NetOutput struct {
	Bound   []Bound
	Guard   *Formula
	Ejects  bool
	Next    int
	VCs     [2]int // first, and that after the last
	State   int
	Carries bool
	Via     int // if Carries
}

// NewNetwork reads what a program declares. It does not run the program.
func NewNetwork(text string) (n *Network, err error) {
	defer catch(&err)
	p, err := read(text, 0)
	if err != nil {
		return nil, err
	}
	t := &netTheorem{family: &family{program: p, predeclared: declareNetwork()}, vocabulary: newVocabulary(), endpoint: always}
	t.holds, t.group, t.measure, t.ranks = map[NetClass]*Formula{}, map[NetClass]int{}, map[NetClass][]Form{}, map[int][]netRank{}
	return &Network{t: t}, nil
}

// HasAttribute reports whether the program reads an attribute of switches.
func (n *Network) HasAttribute(name string) bool { return n.t.attributes[name] }

// Integer returns an integer of switches.
func (n *Network) Integer(fn string, args ...int) Form {
	var terms []term
	for _, t := range args {
		terms = append(terms, term(t))
	}
	return n.t.of(fn, terms...)
}

// Sum returns f + k*g.
func (f Form) Sum(g Form, k int64) Form { return f.plus(g, k) }

// EveryOf returns a conjunction, OneOf a disjunction, and Without the negation of f.
func EveryOf(list ...*Formula) *Formula { return and(list...) }
func OneOf(list ...*Formula) *Formula   { return or(list...) }
func Without(f *Formula) *Formula       { return not(f) }

// Positive returns the formula f >= 0, Multiple the formula that mod divides f.
func Positive(f Form) *Formula            { return atLeast(f) }
func Multiple(f Form, mod int64) *Formula { return divides(f, mod) }

func binders(list []Bound) (b []binder) {
	for _, x := range list {
		of := term(x.Of)
		if x.Free {
			of = noTerm
		}
		b = append(b, binder{term(x.Term), of})
	}
	return b
}

// Exists returns the formula: switches at the bound terms satisfy f.
func (n *Network) Exists(list []Bound, f *Formula) *Formula { return n.t.exists(binders(list), f) }

// SetPremise sets the premise, on the terms Cur and Dst if it is about pairs, else on Cur.
func (n *Network) SetPremise(f *Formula, pairs bool) { n.t.premise, n.t.pairwise = f, pairs }

// SetEndpoint sets the condition of switches with hosts, on Cur.
func (n *Network) SetEndpoint(f *Formula) { n.t.endpoint = f }

func (o *NetOutput) internal() netOutput {
	x := netOutput{binders: binders(o.Bound), guard: o.Guard, ejects: o.Ejects, next: term(o.Next), vcs: o.VCs, state: o.State, via: noTerm}
	if o.Carries {
		x.via = term(o.Via)
	}
	return x
}

// AddStart adds a run of inject, AddRun one of route for a class. failed is the error with which it ends, or nil.
func (n *Network) AddStart(guard *Formula, outputs []NetOutput, failed error) {
	s := start{guard: guard, failed: failed}
	for i := range outputs {
		s.outputs = append(s.outputs, outputs[i].internal())
	}
	n.t.starts = append(n.t.starts, s)
}

func (n *Network) AddRun(a NetClass, guard *Formula, outputs []NetOutput, failed error, at Place) {
	r := netRun{class: a, guard: guard, failed: failed, at: at}
	for i := range outputs {
		r.outputs = append(r.outputs, outputs[i].internal())
	}
	n.t.runs = append(n.t.runs, r)
}

// Prove passes the obligations of evidence to a solver, as ProveNetwork does for the runs of the checker. It fails if the solver does. If paths is
// set, the evidence is without a claim about deadlocks.
func (n *Network) Prove(e *cert.EveryNetwork, worms, paths bool, solver NetSolver) (err error) {
	defer catch(&err)
	t := *n.t
	t.classes, t.escape = nil, nil
	if err := t.readNet(e, paths); err != nil {
		return err
	}
	if t.solver, t.worms = solver, worms; worms && t.anyRise {
		return fmt.Errorf("some channel of greater rank, under wormhole switching")
	}
	return t.prove(e.Connected)
}
