package parametric

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/internal/parallel"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/smt"
)

// This file proves claims about paths without deadlock-freedom: connected and livelock-free.
//
// Ranks then belong to packets: they may use the destination, and differ by header state. A hop keeps the destination, and a
// network has finitely many states of packets with a destination. So ranks that rise along the hops need no bound.
//
//	livelock-free  every hop leads to a later group of classes, or increases the rank within its group, or decreases the
//	               distance within a group that has no ranks;
//	connected      the same, and every state has a next hop. Or every state permits a hop of an escape, and the rank
//	               increases from escape hop to escape hop, or each escape hop decreases the distance. So a path of escape
//	               hops leads to the destination.

// measure returns a proof about paths: by distances, by ranks of all hops, or by ranks of an escape if only "connected" is wanted.
func (p *prover) measure() (*proof, *failure, error) {
	if !p.endsPaths() {
		return &proof{system: p.system}, nil, nil
	}
	made := &proof{system: p.system, needsDistance: true, groups: p.componentNumbers()}
	far, err := made.farGroups()
	if err != nil {
		return nil, nil, err
	}
	req := p.dependencies(nil)
	req.pairs = slices.DeleteFunc(req.pairs, func(q pair) bool {
		group := made.groups[q.from.class()]
		return group != made.groups[q.to.class()] || !far[group]
	})
	found, fail, err := p.chooseRanks(req)
	if found == nil && err == nil {
		found, err = p.piecewise(req)
	}
	if found != nil {
		made.ranks = found
		return made, nil, nil
	}
	if err != nil || p.wants("livelock-free") {
		return nil, fail, err
	}
	for e := range p.escapes() {
		made := &proof{system: p.system, escape: e, needsDistance: true, groups: map[class]int{}}
		far, err := made.farGroups()
		if len(far) == 0 || err != nil {
			return made, nil, err
		}
		found, why, err := p.chooseRanks(p.dependencies(e))
		if err != nil {
			return nil, nil, err
		}
		if found == nil {
			fail = why
			continue
		}
		for _, c := range p.classes[1:] {
			if n := p.nodeOf(c); found[n] == nil && e.isRanked(n) {
				found[n] = found.zeros(p.family)
			}
		}
		return &proof{system: p.system, escape: e, ranks: found}, nil, nil
	}
	return nil, fail, nil
}

// farGroups returns the groups of classes within which some hop, or some hop of the escape, does not decrease the distance.
func (s *proof) farGroups() (map[int]bool, error) {
	far := map[int]bool{}
	for _, a := range s.classes[1:] {
		for _, b := range s.classes[1:] {
			step := s.nearing(a, b)
			if s.groups[a] != s.groups[b] || far[s.groups[a]] || step == "false" || len(s.moves[[2]class{a, b}]) == 0 {
				continue
			}
			result, _, err := s.ask(and(s.onFormula(a), step, s.notNearer(b)))
			if err != nil {
				return nil, err
			}
			if result != smt.Unsat {
				far[s.groups[a]] = true
			}
		}
	}
	return far, nil
}

// maxPathSwitches bounds the switches of the networks on which claims about paths are checked again.
const maxPathSwitches = 49

// recheckPaths checks the claims on networks one by one. The checker accepts the evidence of each.
func (p *prover) recheckPaths() error {
	list := p.sizesToRecheck(maxPathSwitches)
	p.Progress(p.step("claims on small networks"))
	err := parallel.Do(p.ctx, parallel.Workers(len(list)), len(list), func(_, i int) error {
		n, err := p.network(list[i])
		if err != nil {
			return err
		}
		r, _, err := p.program.Relation(p.ctx, n)
		if err != nil {
			return err
		}
		rep, err := verify.Check(p.ctx, r, verify.Options{Switching: p.Switching, NoPairs: true, NoSearch: true})
		if err != nil {
			return err
		}
		for _, c := range rep.Claims() {
			if p.wants(c.Name) && c.Verdict != verify.Proved {
				return fmt.Errorf("internal error: %s is proved for every size, but %s on %s: %s", c.Name, c.Verdict, p.spec(list[i]), c.Reason)
			}
		}
		for _, claim := range ExtraClaims {
			if !p.wantsExtra(claim) {
				continue
			}
			if found, err := exampleOf(p.ctx, claim, r); found != nil || err != nil {
				return cmp.Or(err, fmt.Errorf("internal error: %s is proved for every size, but not on %s", claim, p.spec(list[i])))
			}
		}
		return nil
	})
	if err == nil {
		p.report.Rechecked = append(p.report.Rechecked, list...)
	}
	return err
}
