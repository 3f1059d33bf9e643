package parametric

import (
	"slices"

	"github.com/turnproof/turnproof/verify"
)

// This file plans a proof with the rank that a program gives (given.go). If the rank does not rise, a repair is searched for that
// changes the rank of one direction and VC only.

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
