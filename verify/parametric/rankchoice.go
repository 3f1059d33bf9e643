package parametric

import (
	"slices"

	"github.com/turnproof/turnproof/verify/smt"
)

// This file chooses the ranks of a proof: those that the program gives, or those that are found.

// chooseRanks returns the program's own ranks while these are checked, otherwise synthesised ranks.
func (p *prover) chooseRanks(req requirement) (ranks, *failure, error) {
	if p.checkingGiven {
		return p.checkGiven(req)
	}
	found, fail, err := p.synthesise(req)
	if found == nil {
		return nil, fail, err
	}
	return found.ranks(), nil, nil
}

// zeros returns a rank of zeros, as long as the longest rank.
func (r ranks) zeros(f *family) []piece {
	longest := 1
	for _, list := range r {
		for _, p := range list {
			longest = max(longest, len(p.tuple))
		}
	}
	tuple := make([]form, longest)
	for i := range tuple {
		tuple[i] = f.number(0)
	}
	return []piece{{nil, tuple}}
}

// componentNumbers numbers the strongly connected components of the graph of classes.
func (p *prover) componentNumbers() map[class]int {
	index := map[class]int{}
	for i, c := range p.classes {
		index[c] = i
	}
	var pairs []pair // each class is a node with its own number
	for key := range p.edges {
		pairs = append(pairs, pair{node{vc: index[key[0]]}, node{vc: index[key[1]]}})
	}
	groups := map[class]int{}
	for number, nodes := range strongComponents(sortedUnique(pairs)) {
		for _, n := range nodes {
			groups[p.classes[n.vc]] = number
		}
	}
	return groups
}

func sortedUnique(pairs []pair) []pair {
	seen := map[pair]bool{}
	for _, p := range pairs {
		seen[p] = true
	}
	return sortedPairs(seen)
}

// unrankedNodes returns the whole nodes of the strongly connected components that have no
// rank of the template. It uses the dependencies of small networks only. If among is not
// nil, it considers only components with a node in among.
func (p *prover) unrankedNodes(e *escape, among map[node]bool) (map[node]bool, error) {
	req := requirement{}
	seen := map[pair]bool{}
	for _, d := range p.facts.dependencies {
		if e.has(d) {
			req.known = append(req.known, d)
			seen[pair{d.from, d.to}] = true
		}
	}
	req.pairs = sortedPairs(seen)
	open := map[node]bool{}
	for _, nodes := range strongComponents(req.pairs) {
		t := p.newTemplate(nodes, pairsInside(nodes, req.pairs), req)
		if len(t.pairs) == 0 || among != nil && !slices.ContainsFunc(nodes, func(n node) bool { return among[n.whole()] }) {
			continue
		}
		t.length, t.level = maxTuple, len(levels)-1
		if err := t.declare(); err != nil {
			return nil, err
		}
		found, err := t.cegis("")
		if err != nil {
			return nil, err
		}
		for _, n := range nodes {
			if found == nil {
				open[n.whole()] = true
			}
		}
	}
	return open, nil
}

// detourRequirement requires that a channel requested after a detour has a greater rank.
func (p *proof) detourRequirement() (requirement, error) {
	script, err := smt.NewScript()
	if err == nil {
		err = script.Tell(p.preamble())
	}
	if err != nil {
		return requirement{}, err
	}
	r := requirement{ghost: true, text: p.detourRequest, script: script}
	for _, q := range p.detourPairs() {
		result, _, _, err := script.Ask(p.ctx, "(assert "+p.detourRequest(q)+")", nil, smt.Limit{Time: p.limit})
		if err != nil {
			return r, err
		}
		if result != smt.Unsat {
			r.pairs = append(r.pairs, q)
		}
	}
	for _, d := range p.facts.dependencies {
		if p.inEscape(d.from) && p.inEscape(d.to) {
			r.known = append(r.known, d)
		}
	}
	return r, nil
}
