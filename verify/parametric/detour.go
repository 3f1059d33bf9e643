package parametric

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/turnproof/turnproof/verify/smt"
)

// This file is wormhole switching with an escape (J. Duato, IEEE TPDS 4(12), 1993): a
// packet that left an escape channel at the ghost may take any number of hops that are
// no escape hops, a detour, before it asks for an escape channel again. Where it can be
// by then is over-approximated by clauses, found here for the program at hand and
// proved inductive as obligations.
//
// A clause speaks of one dimension. It says: if ghost and destination stand to each
// other like this, then place, ghost and destination like that. On a mesh ghost and
// destination can stand in 3 ways, on a ring in 7, told apart by which way round is
// shorter; that a detour gets no farther from the destination is one of the clauses.
// Found by Houdini like the invariants: all clauses, less those that a hop breaks.

// clause is premise ⇒ one of some conditions, on ghost, place and destination.
type clause struct {
	premise []atom
	either  [][]atom
}

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

// clauses are all candidates.
func (s *system) clauses() (list []clause) {
	for d := range s.dims {
		g, w, u, n := s.ghost(d), s.here(d), s.there(d), s.sides[d]
		ge := func(a, b form) []atom { return []atom{{form: a.plus(b, -1)}} }
		gt := func(a, b form) []atom { return []atom{{form: a.plus(b, -1).add(-1)}} }
		ahead := u.plus(g, -1)
		premises := [][]atom{equalTo(g, u)}
		for _, sign := range []int64{1, -1} {
			way := ahead.times(sign)
			if !s.program.Family.Wrap() {
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

// wander finds the clauses that detours keep. The escape must be known.
func (p *proof) wander() error {
	list := p.walked(p.clauses())
	for { // those that hold before any hop
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
		for _, key := range p.adrift() {
			forward := p.toHead(key.dir, key.wrap)
			var parts []string
			for _, c := range list {
				parts = append(parts, p.names.clause(c))
			}
			after = p.movedText(and(parts...), forward)
			ask := "(assert " + and(p.adriftText(key), p.names.clauses(list), p.elsewhere(forward), not(after)) + ")"
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
			moved := p.shifted(point, forward)
			left := slices.DeleteFunc(slices.Clone(list), func(c clause) bool { return !c.holds(moved) })
			if len(left) == len(list) {
				return fmt.Errorf("parametric: internal error: Z3's point breaks no clause")
			}
			list = left
		}
		if len(list) == len(p.detour) {
			return nil
		}
	}
}

// ghostHere puts the ghost where the place at hand is.
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

// adrift are the classes that hops of a detour lead to.
func (p *proof) adrift() (list []class) {
	for _, c := range p.classes[1:] {
		if !p.inEscape(c.node()) {
			list = append(list, c)
		}
	}
	return list
}

// onDetour are the classes that a packet on a detour may be on: any but the source.
// (On an escape class only at the ghost itself, which is left out of account.)
func (p *proof) onDetour() []class { return p.classes[1:] }

// adriftText says that a packet on a detour hops onto class b, no escape channel.
func (p *proof) adriftText(b class) string {
	var parts []string
	for _, a := range p.onDetour() {
		if step := p.step(a, b); step != "false" {
			parts = append(parts, and(p.invariant(a), step))
		}
	}
	return and(p.apply("domain", nil), p.ghostWithin(), or(parts...))
}

// ghostWithin says that the ghost is a place.
func (p *proof) ghostWithin() string {
	var parts []string
	for d := range p.dims {
		parts = append(parts, p.names.all(p.within(p.ghost(d), d)))
	}
	return and(parts...)
}

// walked leaves out clauses that a detour on a small network breaks.
func (p *proof) walked(list []clause) []clause {
	random := rand.New(rand.NewPCG(3, 4))
	for range min(walks, len(p.facts.states)) {
		start := p.facts.states[random.IntN(len(p.facts.states))]
		c, point := start.class, slices.Clone(start.point)
		copy(point[2*p.dims:3*p.dims], point[:p.dims])
		for range 30 {
			var next []class
			for i := range p.paths {
				if q := &p.paths[i]; q.from(c) && allHold(q.guard, point) {
					for _, o := range q.outputs {
						if !p.isEscape(o) {
							next = append(next, p.outputs(o)...)
						}
					}
				}
			}
			next = slices.DeleteFunc(next, func(b class) bool {
				return !allHold(p.edge(b.dir, b.wrap), point) || p.regionAt(b.node().whole(), point) != b.region
			})
			if len(next) == 0 {
				break
			}
			c = next[random.IntN(len(next))]
			point = p.shifted(point, p.toHead(c.dir, c.wrap))
			if !p.isElsewhere(point) {
				break
			}
			list = slices.DeleteFunc(list, func(k clause) bool { return !k.holds(point) })
		}
	}
	return list
}

// detourDefinition defines where detours lead, in terms of place and ghost.
func (p *proof) detourDefinition() string {
	if p.detour == nil {
		return ""
	}
	return "; the place at hand may be reached from the ghost by a detour\n" +
		fmt.Sprintf("(define-fun detour () Bool\n  %s)\n", p.names.clauses(p.detour))
}

// detours are the obligations that the clauses hold of all detours.
func (p *proof) detours() (list []Obligation) {
	list = append(list, Obligation{Kind: "detour", Name: "none",
		Text: "(assert " + and(p.apply("domain", nil), not(p.movedText(p.names.clauses(p.detour), p.ghostHere()))) + ")"})
	for _, b := range p.adrift() {
		forward := p.toHead(b.dir, b.wrap)
		var parts []string
		for _, a := range p.onDetour() {
			if step := p.step(a, b); step != "false" {
				parts = append(parts, and(p.apply(p.invariantName(a), nil), step))
			}
		}
		if len(parts) == 0 {
			continue
		}
		list = append(list, Obligation{Kind: "detour", Name: b.String(), Text: "(assert " +
			and(p.apply("domain", nil), p.ghostWithin(), "detour", or(parts...), p.elsewhere(forward), not(p.movedText(p.names.clauses(p.detour), forward))) + ")"})
	}
	return list
}

// detourPairs are the pairs of escape nodes of which the second may be asked for after
// leaving the first: all that formulas do not exclude at once.
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

// detourAsking says that a packet that left a channel of q.from at the ghost has come
// by a detour to the place at hand, and asks for a channel of q.to there.
func (p *proof) detourAsking(q pair) string { return p.detourText(q, "detour", p.invariantName) }

func (p *proof) detourText(q pair, detour string, invariant func(class) string) string {
	to := p.toGhost()
	var left, asks []string
	for _, a := range p.classes[1:] {
		if a.node() == q.from {
			left = append(left, p.apply(invariant(a), to))
		}
		for _, b := range p.classes[1:] {
			if b.node() == q.to {
				if step := p.step(a, b); step != "false" {
					asks = append(asks, and(p.apply(invariant(a), nil), step))
				}
			}
		}
	}
	return and(p.apply("domain", nil), p.apply("domain", to), or(left...), detour, or(asks...))
}

// afterDetours requires that what may be asked for after a detour has a higher rank.
func (p *proof) afterDetours() (requirement, error) {
	script, err := smt.NewScript()
	if err == nil {
		err = script.Tell(p.preamble())
	}
	if err != nil {
		return requirement{}, err
	}
	r := requirement{ghost: true, text: p.detourAsking, script: script}
	for _, q := range p.detourPairs() {
		result, _, _, err := script.Ask(p.ctx, "(assert "+p.detourAsking(q)+")", nil, smt.Limit{Time: p.limit})
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
