package parametric

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/smt"
)

// This file checks the rank that a program gives, rank(at, out), for example the
// numbering of a paper: does it rise on every dependency, for every size? If not, the
// smallest network shows a failure, and a repair is searched for that changes the rank of
// one direction and VC only.

// GivenRank is the result for the rank that a program gives.
type GivenRank struct {
	Verdict  verify.Verdict // proved: the rank rises for every size
	Failures []RankFailure  // by pair of nodes
	Left     []string       // pairs that are undecided
	Repair   []Rank         // Other ranks of some channels with which the rank rises; nil if none was found.
}

// RankFailure is a dependency on which a given rank does not rise, on the smallest
// network that has such a dependency.
type RankFailure struct {
	From, To         string
	Sides            []int
	FromTail, ToTail []int // the switches that the channels leave
	FromRank, ToRank []int64
}

// readGiven runs rank on symbols, for each direction, VC and wraparound.
func (p *prover) readGiven() error {
	p.given = ranks{}
	for dir := range p.numDirs() {
		wraps := []bool{false}
		if p.wraps(dir.Dim()) {
			wraps = append(wraps, true)
		}
		for vc := range p.program.VCs {
			for _, wrap := range wraps {
				if err := p.readNode(node{dir: dir, vc: vc, wrap: wrap}); err != nil {
					return err
				}
			}
		}
	}
	length := -1
	for n, pieces := range p.given {
		for _, piece := range pieces {
			if length >= 0 && len(piece.tuple) != length {
				return fmt.Errorf("cannot use the rank of %s: it returns tuples of %d and of %d numbers (%s)", p.program.Name, length, len(piece.tuple), n)
			}
			length = len(piece.tuple)
		}
	}
	return nil
}

func (p *prover) readNode(n node) error {
	f := p.family
	script, err := smt.NewScript()
	if err != nil {
		return err
	}
	tails := append(f.domain(), f.tailAtoms(n.dir, n.wrap)...)
	if err := script.Tell(f.declarations() + "(assert " + f.names.all(tails) + ")"); err != nil {
		return err
	}
	r := &run{family: f, ctx: p.ctx, script: script}
	var tuple []form
	var failed error
	r.execute = func() {
		instance, err := f.program.OnFaulty(r.sides(), r.works)
		if err != nil {
			failed = err
			return
		}
		values, err := instance.Rank(r.values(f.here), n.dir, n.vc, n.wrap)
		if r.dead {
			return
		}
		if err != nil {
			failed = err
			return
		}
		tuple = nil
		for _, v := range values {
			x, err := r.read(v)
			if err == nil && x.den != 1 {
				err = fmt.Errorf("cannot use the rank of %s: want integers, got the fraction %s", f.program.Name, x)
			}
			if err != nil {
				failed = err
				return
			}
			tuple = append(tuple, x.num)
		}
	}
	err = r.forEachPath(func() { p.given[n] = append(p.given[n], piece{r.guard, tuple}) })
	return cmp.Or(err, failed)
}

// planGiven returns a proof with the program's own rank. If the program gives none, or it does
// not rise, planGiven returns nil.
func (p *prover) planGiven() (*proof, string, error) {
	if !p.program.Ranked {
		return nil, "", nil
	}
	p.Progress(p.step("the rank that the program gives"))
	if err := p.readGiven(); err != nil {
		return nil, "", err
	}
	if err := p.findClasses(); err != nil {
		return nil, "", err
	}
	g := &GivenRank{Verdict: verify.Undecided}
	p.report.Given, p.checkingGiven = g, true
	defer func() { p.checkingGiven = false }()
	if g.Failures = p.failures(); len(g.Failures) > 0 {
		g.Verdict = verify.Refuted
		err := p.repair(g)
		p.preserved, p.classes = nil, nil
		return nil, "", err
	}
	for _, stage := range []func() error{func() error { return nil }, p.findInvariants} {
		if err := stage(); err != nil {
			return nil, "", err
		}
		made, fail, err := p.findRanks()
		if made != nil {
			g.Verdict, g.Left = verify.Proved, nil
			return made, "", nil
		}
		if err != nil {
			return nil, "", err
		}
		g.Left = nil
		for _, q := range fail.pairs {
			g.Left = append(g.Left, q.String())
		}
	}
	p.preserved, p.classes = nil, nil
	return nil, "", nil
}

// checkGiven asks Z3 whether the given rank rises as required.
func (p *prover) checkGiven(req requirement) (ranks, *failure, error) {
	return p.checkRanks(p.given, req)
}

func (p *prover) checkRanks(given ranks, req requirement) (ranks, *failure, error) {
	fail := &failure{reason: "the rank that the program gives could not be shown to rise"}
	for _, q := range req.pairs {
		_, result, err := p.counterexample(q, req, given)
		if err != nil {
			return nil, nil, err
		}
		if result != smt.Unsat {
			fail.pairs = append(fail.pairs, q)
		}
	}
	if len(fail.pairs) > 0 {
		return nil, fail, nil
	}
	return given, nil, nil
}

// failures returns the dependencies of small networks on which the given rank does not
// rise: one for each pair of nodes, on the smallest network.
func (p *prover) failures() (list []RankFailure) {
	seen := map[pair]bool{}
	must := func(dependency) bool { return true }
	if p.cyclic { // only dependencies of the escape
		next, stop := iter.Pull(p.escapes())
		defer stop()
		e, ok := next()
		must = func(d dependency) bool { return ok && e.has(d) }
	}
	for _, d := range p.facts.dependencies { // small networks first
		q := pair{d.from, d.to}
		from, to := p.given.at(d.from, d.fromTail), p.given.at(d.to, d.toTail)
		if seen[q] || slices.Compare(from, to) < 0 || !must(d) {
			continue
		}
		seen[q] = true
		at := func(point []int64) (tail []int) {
			for _, x := range point[:p.dims] {
				tail = append(tail, int(x))
			}
			return tail
		}
		list = append(list, RankFailure{p.nodeText(d.from), p.nodeText(d.to), p.setting(d.fromTail), at(d.fromTail), at(d.toTail), from, to})
	}
	return list
}

// repair searches for another rank of one direction and VC such that all ranks rise.
func (p *prover) repair(g *GivenRank) error {
	fixed := tuples{}
	for n, pieces := range p.given {
		if len(pieces) != 1 {
			return nil // ranks in pieces are not repaired
		}
		fixed[n] = pieces[0].tuple
	}
	if p.cyclic {
		return nil
	}
	for _, kept := range []bool{false, true} {
		if kept {
			if err := p.findInvariants(); err != nil {
				return err
			}
		}
		req := p.dependencies(nil)
		var tried []node
		for _, d := range p.given.notRising(p.facts.dependencies) {
			for _, n := range []node{d.to, d.from} {
				free := n.whole()
				if slices.Contains(tried, free) {
					continue
				}
				tried = append(tried, free)
				if found, err := p.replaceRank(free, fixed, req); err != nil || found != nil {
					g.Repair = found
					return err
				}
			}
		}
	}
	return nil
}

// replaceRank searches for other ranks of the nodes of one direction and VC.
func (p *prover) replaceRank(free node, fixed tuples, req requirement) (list []Rank, err error) {
	req.fixed = tuples{}
	length := 0
	var nodes []node
	for _, component := range strongComponents(req.pairs) {
		nodes = append(nodes, component...)
	}
	slices.SortFunc(nodes, compareNodes)
	for _, n := range nodes {
		length = len(fixed[n])
		if n.whole() != free {
			req.fixed[n] = fixed[n]
		}
	}
	t := p.newTemplate(nodes, req.pairs, req)
	for t.level = range levels {
		if t.length = length; t.declare() != nil {
			return nil, t.declare()
		}
		found, err := t.smallest()
		if err != nil {
			return nil, err
		}
		if found == nil {
			continue
		}
		if made, _, err := p.checkRanks(found.ranks(), req); made == nil || err != nil {
			return nil, err
		}
		for _, n := range nodes {
			if req.fixed[n] == nil {
				list = append(list, p.rows(n, []piece{{nil, found[n]}})...)
			}
		}
		return list, nil
	}
	return nil, nil
}

// String describes a failure in one line.
func (f RankFailure) String() string {
	return fmt.Sprintf("%s at %s has rank %s, %s at %s has rank %s, on %s", f.From, tupleText(f.FromTail), tupleText(f.FromRank), f.To,
		tupleText(f.ToTail), tupleText(f.ToRank), sidesText(f.Sides[:len(f.FromTail)]))
}

func tupleText[T any](list []T) string {
	parts := make([]string, len(list))
	for i, x := range list {
		parts[i] = fmt.Sprint(x)
	}
	return "(" + strings.Join(parts, ", ") + ")"
}
