package everysize

import (
	"fmt"
	"slices"
)

// This file lists the obligations about ranks, escapes and detours.

// escapeOf returns the outputs of a path that belong to the escape. Without an escape, all do.
func (t *theorem) escapeOf(p *path) []output {
	switch {
	case t.escape == noEscape:
		return p.outputs
	case t.escape == escapeSet:
		return slices.DeleteFunc(slices.Clone(p.outputs), func(o output) bool { return !t.inSet(o.dir, o.vc) })
	case len(p.outputs) == 0:
		return nil
	case t.escape == escapeFirst:
		return p.outputs[:1]
	}
	return p.outputs[len(p.outputs)-1:]
}

func (t *theorem) inSet(dir direction, vc int) bool {
	return slices.Contains(t.set, [2]int{int(dir), vc})
}

// isRanked reports whether channels of a class need a rank.
func (t *theorem) isRanked(a class) bool { return t.escape != escapeSet || t.inSet(a.dir, a.vc) }

// rises lists the obligations that ranks rise.
func (t *theorem) rises() error {
	if t.ofPackets && (t.needsDistance() || !t.endsPaths()) {
		return nil
	}
	for _, a := range t.classes {
		for _, b := range t.classes {
			var err error
			switch {
			case !t.isRanked(a) || t.flow != nil && isStraight(a, b):
			case t.detour != nil && t.isRanked(b):
				err = t.risesAfter(a, b)
			case t.detour == nil:
				step := t.stepBy(a, b, t.escapeOf)
				back := t.toTail(a.dir, a.wrap)
				err = t.refute("rank", a.String()+" to "+b.String(), t.known(a), step, t.notRising(a, b, back))
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// notRising returns the formula: the rank of the channel of class b that leaves the place is not greater than
// that of the channel of class a, whose tail back gives. A channel without a rank does not rise.
func (t *theorem) notRising(a, b class, back []Form) *Formula {
	var list, covered, coveredB []*Formula
	for _, from := range t.ranksOf(a) {
		covered = append(covered, from.when.move(back))
		for _, to := range t.ranksOf(b) {
			before := make([]Form, len(from.rank))
			for i, f := range from.rank {
				before[i] = f.move(back)
			}
			list = append(list, and(from.when.move(back), to.when, notLess(before, to.rank)))
		}
	}
	for _, to := range t.ranksOf(b) {
		coveredB = append(coveredB, to.when)
	}
	return or(or(list...), not(or(covered...)), not(or(coveredB...)))
}

// notLess returns the formula: a is not less than b in lexicographic order.
func notLess(a, b []Form) *Formula {
	if len(a) == 0 {
		return always
	}
	return or(lessThan(b[0], a[0]), and(equal(a[0], b[0]), notLess(a[1:], b[1:])))
}

// detours lists the obligations that the clauses hold wherever hops outside of the escape lead. The other place is
// the head of the last escape channel.
func (t *theorem) detours() error {
	clauses := and(t.detour...)
	if err := t.refute("detour", "no hop", t.domain(), not(clauses.move(t.otherHere()))); err != nil {
		return err
	}
	for _, b := range t.classes {
		if t.isRanked(b) {
			continue
		}
		forward := t.toHead(b.dir, b.wrap)
		hop := and(t.hopTo(b), t.undelivered().move(forward))
		for i, clause := range t.detour {
			name := fmt.Sprintf("%s, clause %d", b, i+1)
			if err := t.refute("detour", name, t.domain(), t.onGrid(t.other), clauses, hop, not(clause.move(forward))); err != nil {
				return err
			}
		}
	}
	return nil
}

// hopTo returns the formula: a packet at the place, on some class, moves to class b. Classes whose packets take the same paths
// share their steps.
func (t *theorem) hopTo(b class) *Formula {
	var steps []string
	on := map[string][]*Formula{}
	step := map[string]*Formula{}
	for _, a := range t.classes {
		var paths []int
		for i := range t.paths {
			if t.accepts(&t.paths[i], a) {
				paths = append(paths, i)
			}
		}
		key := fmt.Sprint(paths)
		if step[key] == nil {
			steps = append(steps, key)
			step[key] = t.stepBy(a, b, allOutputs)
		}
		on[key] = append(on[key], t.invariant(a))
	}
	var list []*Formula
	for _, key := range steps {
		list = append(list, and(step[key], or(on[key]...)))
	}
	return or(list...)
}

// risesAfter lists the obligation: the rank rises from a channel of class a to the next escape channel, of class b, after
// a detour from the head of the first, the other place, to the place.
func (t *theorem) risesAfter(a, b class) error {
	toOther := t.toOther()
	back := t.toTail(a.dir, a.wrap)
	for v := range back {
		if back[v] == nil && v < t.dims {
			back[v] = t.here(v)
		}
		if back[v] != nil {
			back[v] = back[v].move(toOther)
		}
	}
	return t.refute("rank", a.String()+" by detour to "+b.String(), t.domain(), t.domain().move(toOther), t.invariant(a).move(toOther), and(t.detour...),
		t.hopTo(b), t.notRising(a, b, back))
}
