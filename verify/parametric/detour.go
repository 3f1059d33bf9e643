package parametric

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/turnproof/turnproof/verify/smt"
)

// This file handles wormhole switching with an escape (J. Duato, IEEE Transactions on Parallel and
// Distributed Systems 4(12), 1993). A packet that left an escape channel at the ghost may
// take any number of non-escape hops, a detour, before it requests an escape channel again.
// Clauses over-approximate its place by then. They are found here, and obligations
// prove that they are inductive.
//
// A clause concerns one dimension: if ghost and destination have a certain relation,
// then place, ghost and destination have another one. On a mesh ghost and destination have 3
// possible relations. A ring has 7, because the shorter direction counts. One
// clause is that a detour does not increase the distance to the destination. Houdini finds the
// clauses as it finds the invariants: all candidates, except those that a hop violates.

func (c clause) holds(point []int64) bool {
	return !allHold(c.premise, point) || slices.ContainsFunc(c.either, func(list []atom) bool { return allHold(list, point) })
}

func (n names) clause(c clause) string {
	parts := []string{not(n.all(c.premise))}
	for _, list := range c.either {
		parts = append(parts, n.all(list))
	}
	return or(parts...)
}

// clauses returns all candidates.
func (s *system) clauses() (list []clause) {
	for d := range s.dims {
		g, w, u, n := s.ghost(d), s.here(d), s.there(d), s.sides[d]
		if s.complete() {
			list = append(list, clause{equalTo(g, u), [][]atom{equalTo(w, u)}}, clause{nil, [][]atom{equalTo(w, u), equalTo(w, g)}})
			continue
		}
		ge := func(a, b form) []atom { return []atom{{form: a.plus(b, -1)}} }
		gt := func(a, b form) []atom { return []atom{{form: a.plus(b, -1).add(-1)}} }
		ahead := u.plus(g, -1)
		premises := [][]atom{equalTo(g, u)}
		for _, sign := range []int64{1, -1} {
			way := ahead.times(sign)
			if !s.wraps(d) {
				premises = append(premises, []atom{{form: way.add(-1)}})
				continue
			}
			premises = append(premises,
				append([]atom{{form: way.add(-1)}}, gt(n, way.times(2))...),
				equalTo(n, way.times(2)),
				gt(way.times(2), n))
		}
		for _, p := range premises {
			for _, either := range [][][]atom{
				{equalTo(w, u)}, {equalTo(w, g)}, {ge(w, g)}, {ge(g, w)}, {ge(w, u)}, {ge(u, w)},
				{ge(w, g), ge(u, w)}, {ge(g, w), ge(w, u)},
			} {
				list = append(list, clause{p, either})
			}
		}
	}
	return list
}

// findDetourClauses finds the clauses that detours preserve. The escape must be set.
func (p *proof) findDetourClauses() error {
	list := p.dropWalked(p.clauses())
	for { // keep the clauses that hold before any hop
		result, point, err := p.ask(and(p.apply("domain", nil), not(p.movedText(p.names.clauses(list), p.ghostHere()))))
		if err != nil {
			return err
		}
		if result != smt.Sat {
			break
		}
		copy(point[2*p.dims:3*p.dims], point[:p.dims])
		list = slices.DeleteFunc(list, func(c clause) bool { return !c.holds(point) })
	}
	for {
		p.detour = list
		after := ""
		for _, key := range p.detourTargets() {
			forward := p.toHead(key.dir, key.wrap)
			var parts []string
			for _, c := range list {
				parts = append(parts, p.names.clause(c))
			}
			after = p.movedText(and(parts...), forward)
			ask := "(assert " + and(p.detourHopFormula(key), p.names.clauses(list), p.undelivered(forward), not(after)) + ")"
			result, point, _, err := p.script.Ask(p.ctx, ask, p.names, smt.Limit{Time: p.limit})
			if err != nil {
				return err
			}
			if result == smt.Unknown {
				p.detour = []clause{}
				return nil
			}
			if result == smt.Unsat {
				continue
			}
			moved := p.shift(point, forward)
			left := slices.DeleteFunc(slices.Clone(list), func(c clause) bool { return !c.holds(moved) })
			if len(left) == len(list) {
				return fmt.Errorf("internal error: the point of Z3 violates no clause")
			}
			list = left
		}
		if len(list) == len(p.detour) {
			return nil
		}
	}
}

// ghostHere returns the substitution of the ghost by the current place.
func (f *family) ghostHere() []form {
	by := make([]form, f.variables())
	for d := range f.dims {
		by[2*f.dims+d] = f.here(d)
	}
	return by
}

func (n names) clauses(list []clause) string {
	parts := make([]string, len(list))
	for i, c := range list {
		parts[i] = n.clause(c)
	}
	return and(parts...)
}

// detourTargets returns the classes that hops of a detour lead to.
func (p *proof) detourTargets() (list []class) {
	for _, c := range p.classes[1:] {
		if !p.inEscape(c.node()) {
			list = append(list, c)
		}
	}
	return list
}

// detourClasses returns the classes that a packet on a detour may be on: all except injected.
// A packet is on an escape class only at the ghost itself; this is not used.
func (p *proof) detourClasses() []class { return p.classes[1:] }

// detourHopFormula returns the formula: a packet on a detour moves to class b outside the escape.
func (p *proof) detourHopFormula(b class) string {
	var parts []string
	for _, a := range p.detourClasses() {
		if step := p.stepTo(a, b); step != "false" {
			parts = append(parts, and(p.invariant(a), step))
		}
	}
	return and(p.apply("domain", nil), p.ghostWithin(), or(parts...))
}

// ghostWithin returns the formula: the ghost is on the network.
func (p *proof) ghostWithin() string {
	var parts []string
	for d := range p.dims {
		parts = append(parts, p.names.all(p.within(p.ghost(d), d)))
	}
	return and(parts...)
}

// dropWalked removes the clauses that a random detour on a small network violates.
func (p *proof) dropWalked(list []clause) []clause {
	if p.complete() {
		return list // a walk would have to choose values
	}
	random := rand.New(rand.NewPCG(3, 4))
	for range min(numWalks, len(p.facts.states)) {
		start := p.facts.states[random.IntN(len(p.facts.states))]
		c, point := start.class, slices.Clone(start.point)
		copy(point[2*p.dims:3*p.dims], point[:p.dims])
		for range 30 {
			var next []class
			for i := range p.paths {
				if q := &p.paths[i]; q.accepts(c) && allHold(q.guard, point) {
					for _, o := range q.outputs {
						if !p.isEscape(o) {
							next = append(next, p.outputs(o)...)
						}
					}
				}
			}
			next = slices.DeleteFunc(next, func(b class) bool {
				return !allHold(p.tailAtoms(b.dir, b.wrap), point) || p.regionAt(b.node().whole(), point) != b.region
			})
			if len(next) == 0 {
				break
			}
			c = next[random.IntN(len(next))]
			point = p.shift(point, p.toHead(c.dir, c.wrap))
			if !p.isUndelivered(point) {
				break
			}
			list = slices.DeleteFunc(list, func(k clause) bool { return !k.holds(point) })
		}
	}
	return list
}

// detourDefinition returns the definition of the formula detour on place and ghost.
func (p *proof) detourDefinition() string {
	if p.detour == nil {
		return ""
	}
	return "; a detour from the ghost can reach the current place\n" +
		fmt.Sprintf("(define-fun detour () Bool\n  %s)\n", p.names.clauses(p.detour))
}

// detourObligations returns the obligations that the clauses hold for all detours.
func (p *proof) detourObligations() (list []Obligation) {
	list = append(list, Obligation{Kind: "detour", Name: "none",
		Text: "(assert " + and(p.apply("domain", nil), not(p.movedText(p.names.clauses(p.detour), p.ghostHere()))) + ")"})
	for _, b := range p.detourTargets() {
		forward := p.toHead(b.dir, b.wrap)
		var parts []string
		for _, a := range p.detourClasses() {
			if step := p.stepTo(a, b); step != "false" {
				parts = append(parts, and(p.apply(p.invariantName(a), nil), step))
			}
		}
		if len(parts) == 0 {
			continue
		}
		list = append(list, Obligation{Kind: "detour", Name: b.String(), Text: "(assert " +
			and(p.apply("domain", nil), p.ghostWithin(), "detour", or(parts...), p.undelivered(forward),
				not(p.movedText(p.names.clauses(p.detour), forward))) + ")"})
	}
	return list
}

// detourPairs returns all pairs of escape nodes. A packet may request the second after it leaves
// the first, unless Z3 excludes this.
func (p *proof) detourPairs() (list []pair) {
	var nodes []node
	for _, c := range p.classes[1:] {
		if p.inEscape(c.node()) && !slices.Contains(nodes, c.node()) {
			nodes = append(nodes, c.node())
		}
	}
	for _, a := range nodes {
		for _, b := range nodes {
			list = append(list, pair{a, b})
		}
	}
	return list
}

// detourRequest returns the formula: a packet left a channel of q.from at the ghost, came by a
// detour to the current place, and requests a channel of q.to.
func (p *proof) detourRequest(q pair) string { return p.detourText(q, "detour", p.invariantName) }

func (p *proof) detourText(q pair, detour string, invariant func(class) string) string {
	to := p.toGhost()
	var left, asks []string
	for _, a := range p.classes[1:] {
		if a.node() == q.from {
			left = append(left, p.apply(invariant(a), to))
		}
		for _, b := range p.classes[1:] {
			if b.node() == q.to {
				if step := p.stepTo(a, b); step != "false" {
					asks = append(asks, and(p.apply(invariant(a), nil), step))
				}
			}
		}
	}
	return and(p.apply("domain", nil), p.apply("domain", to), or(left...), detour, or(asks...))
}
