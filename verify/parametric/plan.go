package parametric

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/verify/smt"

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

// bubbleProof returns a proof in which straight dependencies need no rank.
func (p *prover) bubbleProof() (*proof, *failure, error) {
	var between []pair
	for _, x := range p.dependencies(nil).pairs {
		if !x.isStraight() {
			between = append(between, pair{x.from.whole(), x.to.whole()})
		}
	}
	number := map[node]int64{}
	for k, nodes := range strongComponents(sortedUnique(between)) {
		if len(nodes) > 1 {
			return nil, &failure{reason: fmt.Sprintf("rings depend on each other: %s and %s", nodes[0], nodes[1])}, nil
		}
		number[nodes[0]] = int64(k)
	}
	made := &proof{system: p.system, flow: p.Flow, ranks: ranks{}, needsDistance: true, groups: p.componentNumbers()}
	for _, c := range p.classes[1:] {
		made.ranks[c.node()] = []piece{{nil, []form{p.family.number(number[c.node().whole()])}}}
	}
	return made, nil, nil
}

// checkExtra returns a failure if a claim of ExtraClaims is wanted, and the invariants do not show it. It finds the adaptive classes.
func (p *prover) checkExtra() (*failure, error) {
	if !slices.ContainsFunc(ExtraClaims, p.wantsExtra) {
		return nil, nil
	}
	p.adaptive = map[class]bool{}
	made := &proof{system: p.system}
	script, err := smt.NewScript()
	if err == nil {
		err = script.Tell(made.preamble())
	}
	if err != nil {
		return nil, err
	}
	fails := func(formula string) (bool, error) {
		if formula == "false" {
			return false, nil
		}
		result, point, _, err := script.Ask(p.ctx, "(assert "+formula+")", p.names, smt.Limit{Time: p.limit})
		if result == smt.Sat {
			p.hints = append(p.hints, p.setting(point))
		}
		return err == nil && result != smt.Unsat, err
	}
	if p.wantsExtra("minimal") {
		if fail, err := made.farHop(fails); fail != nil || err != nil {
			return fail, err
		}
	}
	if p.wantsExtra("deterministic") {
		for _, a := range p.classes {
			if found, err := fails(made.choiceOf(a)); found || err != nil {
				return &failure{reason: fmt.Sprintf("packets of class %s may have a choice", a)}, err
			}
		}
	}
	if p.wantsExtra("fully-adaptive") {
		return made.findAdaptive(fails)
	}
	return nil, nil
}
