package parametric

import (
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file finds what to prove: ranks on all channels or on an escape, and the
// invariants that these need. It splits classes only if nothing else helps.

// plan returns a proof with ranks on all channels or on an escape. It tries the last hop as
// the invariant, then preserved conditions, then split classes. If nothing works, it
// returns nil and the reason.
func (p *prover) plan() (*proof, string, error) {
	why := ""
	if !p.readsHistory() {
		p.Progress(p.step("ranks"))
		if err := p.findClasses(); err != nil {
			return nil, "", err
		}
		made, reason, err := p.attempt(why)
		if why = reason; made != nil || err != nil {
			return made, why, err
		}
	}
	p.Progress(p.step("what every hop keeps"))
	if err := p.findInvariants(); err != nil {
		return nil, "", err
	}
	made, why, err := p.attempt(why)
	if made != nil || err != nil || p.Flow != nil {
		return made, why, err
	}
	if len(p.faults) > 0 && !p.cyclic && !p.pathsOnly {
		p.Progress(p.step("ranks in pieces"))
		if err := (&proof{system: p.system}).excludeStray(); err != nil {
			return nil, "", err
		}
		if found, err := p.piecewise(p.dependencies(nil)); found != nil || err != nil {
			return &proof{system: p.system, ranks: found}, why, err
		}
	}
	return p.planSplit(why)
}

// attempt looks for ranks with the present invariants. If there are none, it notes hints, and returns the reason; why is
// the reason known before.
func (p *prover) attempt(why string) (*proof, string, error) {
	made, fail, err := p.findRanks()
	if fail != nil {
		why = fail.reason
		for _, d := range fail.points {
			p.hints = append(p.hints, p.setting(d.toTail))
		}
	}
	return made, why, err
}

// planSplit splits classes for each escape until there are ranks, or for all channels if no escape is needed. why is the reason known before.
func (p *prover) planSplit(why string) (*proof, string, error) {
	escapes := p.escapes()
	if !p.cyclic || p.pathsOnly {
		escapes = slices.Values([]*escape{nil})
	}
	for e := range escapes {
		open, err := p.unrankedNodes(e, nil)
		if err != nil {
			return nil, "", err
		}
		if len(open) == 0 { // splitting cannot help
			why = "no rank rises on all dependencies that the invariants permit, although one rises on those of small networks"
			continue
		}
		p.Progress(p.step("splitting classes"))
		if split, err := p.split(e, open); err != nil {
			return nil, "", err
		} else if split == nil {
			continue
		}
		p.classes, p.preserved = nil, nil
		if err := p.findInvariants(); err != nil {
			return nil, "", err
		}
		var made *proof
		if made, why, err = p.attempt(why); made != nil || err != nil {
			return made, why, err
		}
	}
	return nil, why, nil
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

// findInvariants finds the preserved conditions, and the classes that are left.
func (p *prover) findInvariants() error {
	p.findMoves()
	if err := p.findPreserved(); err != nil {
		return err
	}
	return p.findClasses()
}

// readsHistory reports whether the program reads the VC or state of a packet. Then the last
// hop is too weak as an invariant.
func (p *prover) readsHistory() bool {
	return slices.ContainsFunc(p.paths, func(q path) bool { return q.vc >= 0 || q.state >= 0 })
}

// findRanks searches for ranks with the current classes and invariants.
func (p *prover) findRanks() (*proof, *failure, error) {
	if fail, err := p.checkExtra(); fail != nil || err != nil {
		return nil, fail, err
	}
	if p.pathsOnly {
		return p.measure()
	}
	if p.Flow != nil {
		return p.bubbleProof()
	}
	if !p.cyclic {
		found, fail, err := p.chooseRanks(p.dependencies(nil))
		if found == nil {
			return nil, fail, err
		}
		return &proof{system: p.system, ranks: found}, nil, nil
	}
	fail := &failure{reason: "the dependency graph has cycles, and no escape was found"}
	worms := p.Switching == model.Wormhole
	for e := range p.escapes() {
		made := &proof{system: p.system, escape: e}
		req := p.dependencies(e)
		if worms {
			var err error
			if err = made.findDetourClauses(); err == nil {
				req, err = made.detourRequirement()
			}
			if err != nil {
				return nil, nil, err
			}
		}
		found, why, err := p.chooseRanks(req)
		if err != nil {
			return nil, nil, err
		}
		if found == nil {
			fail = why
			continue
		}
		for _, c := range p.classes[1:] { // channels that no pair names
			if n := p.nodeOf(c); found[n] == nil && e.isRanked(n) {
				found[n] = found.zeros(p.family)
			}
		}
		made.ranks = found
		if p.wants("livelock-free") {
			made.needsDistance, made.groups = true, p.componentNumbers()
		}
		return made, nil, nil
	}
	return nil, fail, nil
}

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
