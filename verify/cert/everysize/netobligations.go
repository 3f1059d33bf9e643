package everysize

import (
	"fmt"
	"maps"
	"slices"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file lists the obligations of nettheorem.go in order, and passes them to a solver.

// prove passes the obligations to the solver.
func (t *netTheorem) prove(delivers bool) error {
	t.count = map[string]int{}
	if err := t.provesStarts(delivers); err != nil {
		return err
	}
	for _, a := range t.classes {
		for i := range t.runs {
			if t.runs[i].class != a {
				continue
			}
			if err := t.proveRun(a, i, delivers); err != nil {
				return err
			}
		}
	}
	return nil
}

// refute asks for a proof that a formula contradicts the facts of networks.
func (t *netTheorem) refute(kind, name string, f *Formula, base []term) error {
	if f.isFalse() || contradictory(f) {
		return nil
	}
	t.count[kind]++
	if err := t.solver.Refute(kind, name, t.question(f, base)); err != nil {
		return fmt.Errorf("%s, %s: %w", kind, name, err)
	}
	return nil
}

// provesStarts lists the obligations about created packets.
func (t *netTheorem) provesStarts(delivers bool) error {
	pair := and(t.endpoint, t.replace(t.endpoint, map[term]term{atCur: atDst}), t.undeliveredAt(atCur), t.distant())
	base := []term{atCur, atDst}
	for i, s := range t.starts {
		name := fmt.Sprintf("run %d", i+1)
		known := and(pair, s.guard)
		if s.failed != nil {
			if err := t.refute("error", "inject, "+name, known, base); err != nil {
				return err
			}
			continue
		}
		if delivers {
			if err := t.refute("start", name, and(known, t.noOutput(s.outputs, func(*netOutput) bool { return true })), base); err != nil {
				return err
			}
		}
		for _, o := range s.outputs {
			f := and(known, t.place(o.binders), o.guard, not(t.startHolds(&o)))
			if err := t.refute("inject", name, f, base); err != nil {
				return err
			}
		}
	}
	return nil
}

// startHolds returns the formula: the condition of a created packet holds.
func (t *netTheorem) startHolds(o *netOutput) *Formula {
	f, ok := t.holds[o.classOf(-1)]
	if !ok {
		return never
	}
	return t.replace(f, map[term]term{atVia: o.via})
}

// proveRun lists the obligations about the packets of class a that take run i.
func (t *netTheorem) proveRun(a NetClass, i int, delivers bool) error {
	r := &t.runs[i]
	t.at = r.at
	known := and(t.arrived(a), r.guard)
	name := fmt.Sprintf("%s, run %d", a, i+1)
	base := a.names()
	if r.failed != nil {
		return t.refute("error", name+" ("+r.failed.Error()+")", known, base)
	}
	if delivers {
		stuck := t.noOutput(r.outputs, func(*netOutput) bool { return true })
		if err := t.refute("output", name, and(known, stuck), base); err != nil {
			return err
		}
	}
	if t.escape != nil {
		without := t.noOutput(r.outputs, func(o *netOutput) bool { return o.ejects || t.escapes(o) })
		if err := t.refute("escape", name, and(known, without), base); err != nil {
			return err
		}
	}
	if t.anyRise && !a.created() {
		if err := t.refute("some", name, and(known, t.noRise(a, r.outputs)), base); err != nil {
			return err
		}
	}
	for j := range r.outputs {
		if err := t.proveOutput(a, known, fmt.Sprintf("%s, output %d", name, j+1), &r.outputs[j], delivers); err != nil {
			return err
		}
	}
	return nil
}

// escapes reports whether all VCs of an output are of the escape.
func (t *netTheorem) escapes(o *netOutput) bool {
	for vc := o.vcs[0]; vc < o.vcs[1]; vc++ {
		if slices.Contains(t.escape, vc) {
			return true
		}
	}
	return false
}

// noRise returns the formula: no switch gives an output to a channel of greater rank than that of a packet of class a, and none delivers the packet.
func (t *netTheorem) noRise(a NetClass, outputs []netOutput) *Formula {
	list := slices.Clone(outputs)
	for i := range list {
		o := &list[i]
		if o.ejects {
			continue
		}
		var rises []*Formula
		for vc := o.vcs[0]; vc < o.vcs[1]; vc++ {
			rises = append(rises, not(t.notRisingTo(a.VC, vc, o.next)))
		}
		o.guard = and(o.guard, t.linked(atCur, o.next), or(rises...))
	}
	return t.noOutput(list, func(*netOutput) bool { return true })
}

// hop returns the formula: the switches at the binders give output o.
func (t *netTheorem) hop(known *Formula, o *netOutput) *Formula {
	return and(known, t.place(o.binders), o.guard)
}

func (t *netTheorem) proveOutput(a NetClass, known *Formula, name string, o *netOutput, delivers bool) error {
	base := append(a.names(), o.next)
	hop := t.hop(known, o)
	if o.ejects {
		if !delivers {
			return nil
		}
		return t.refute("output", name, and(hop, not(t.same(atCur, atDst))), a.names())
	}
	linked := t.linked(atCur, o.next)
	if err := t.refute("error", name+" is no neighbour", and(hop, not(linked)), base); err != nil {
		return err
	}
	hop = and(hop, linked)
	for vc := o.vcs[0]; vc < o.vcs[1]; vc++ {
		b := o.classOf(vc)
		to := name + " to " + b.String()
		if err := t.refute("invariant", to, and(hop, t.routedAfter(o), not(t.holdsAfter(b, o))), base); err != nil {
			return err
		}
		if t.needsRank(a, b) {
			if err := t.refute("rank", to, and(hop, t.notRisingTo(a.VC, vc, o.next)), base); err != nil {
				return err
			}
		}
		if t.worms && slices.Contains(t.escape, a.VC) && !slices.Contains(t.escape, vc) {
			if err := t.refute("stay", to, and(hop, t.routedAfter(o)), base); err != nil {
				return err
			}
		}
		if (t.paths || (t.escape != nil || t.anyRise) && delivers) && !a.created() && !t.ascends(a, b) {
			if err := t.refute("distance", to, and(hop, t.routedAfter(o), t.notFalling(a, b, o)), base); err != nil {
				return err
			}
		}
	}
	return nil
}

// needsRank reports whether the rank must rise from class a to class b.
func (t *netTheorem) needsRank(a, b NetClass) bool {
	return !a.created() && !t.paths && !t.anyRise && (t.escape == nil || slices.Contains(t.escape, a.VC) && slices.Contains(t.escape, b.VC))
}

// ascends reports whether classes a and b are of one group, all of whose classes are on escape VCs. Then every hop within the group
// increases the rank of the channel.
func (t *netTheorem) ascends(a, b NetClass) bool {
	if t.group[a] != t.group[b] || t.holds[a] == nil || t.holds[b] == nil {
		return false
	}
	for _, c := range t.classes {
		if t.group[c] == t.group[a] && !slices.Contains(t.escape, c.VC) {
			return false
		}
	}
	return true
}

// after replaces the terms of a packet by those after output o.
func (o *netOutput) after() map[term]term {
	return map[term]term{atPrev: atCur, atCur: o.next, atVia: o.via}
}

// routedAfter returns the formula: route is called for the packet after output o.
func (t *netTheorem) routedAfter(o *netOutput) *Formula { return t.undeliveredAt(o.next) }

// holdsAfter returns the formula: the condition of class b holds after output o.
func (t *netTheorem) holdsAfter(b NetClass, o *netOutput) *Formula {
	f, ok := t.holds[b]
	if !ok {
		return never
	}
	return t.replace(f, o.after())
}

// notRisingTo returns the formula: the rank of the next channel, on another VC, is not greater than that of the last one.
func (t *netTheorem) notRisingTo(from, to int, next term) *Formula {
	var list, covered, coveredTo []*Formula
	last := map[term]term{atTail: atPrev, atHead: atCur}
	coming := map[term]term{atTail: atCur, atHead: next}
	for _, x := range t.ranks[from] {
		when := t.replace(x.when, last)
		covered = append(covered, when)
		for _, y := range t.ranks[to] {
			list = append(list, and(when, t.replace(y.when, coming), notLess(t.replaceForms(x.rank, last), t.replaceForms(y.rank, coming))))
		}
	}
	for _, y := range t.ranks[to] {
		coveredTo = append(coveredTo, t.replace(y.when, coming))
	}
	return or(or(list...), not(or(covered...)), not(or(coveredTo...)))
}

func (t *netTheorem) replaceForms(list []Form, by map[term]term) []Form {
	moved := make([]Form, len(list))
	for i, f := range list {
		moved[i] = t.replaceForm(f, by)
	}
	return moved
}

// notFalling returns the formula: neither the group rises nor the measure falls.
func (t *netTheorem) notFalling(a, b NetClass, o *netOutput) *Formula {
	switch {
	case t.group[b] > t.group[a]:
		return never
	case t.group[b] < t.group[a] || len(t.measure[a]) != len(t.measure[b]):
		return always
	}
	return notLess(t.replaceForms(t.measure[b], o.after()), t.measure[a])
}

// readNet reads the evidence of a certificate, or if paths is set, that without a claim about deadlocks.
func (t *netTheorem) readNet(e *cert.EveryNetwork, paths bool) (err error) {
	if t.paths = paths; paths && (e.Some || len(e.Ranks) > 0 || len(e.Escape) > 0) {
		return fmt.Errorf("ranks or an escape in evidence about paths")
	}
	if len(e.Classes) > maxClasses || len(e.Ranks) > maxClasses {
		return fmt.Errorf("%d classes, %d ranks; want at most %d", len(e.Classes), len(e.Ranks), maxClasses)
	}
	t.holds, t.group, t.measure, t.ranks = map[NetClass]*Formula{}, map[NetClass]int{}, map[NetClass][]Form{}, map[int][]netRank{}
	for _, c := range e.Classes {
		a := NetClass{c.VC, c.State, c.Carries}
		if a.VC < -1 || a.VC >= t.vcs || a.State < 0 || a.State >= t.states || a.Carries && !t.carries || t.holds[a] != nil {
			return fmt.Errorf("class %s: out of range, or twice", a)
		}
		t.classes = append(t.classes, a)
		t.group[a] = c.Group
		if t.holds[a], err = t.holdsText(c.Holds, a.names()); err != nil {
			return err
		}
		if c.Measure != "" {
			if t.measure[a], err = t.formsText(c.Measure, a.names()); err != nil {
				return err
			}
		}
	}
	for _, x := range e.Ranks {
		if x.VC < 0 || x.VC >= t.vcs {
			return fmt.Errorf("a rank of VC %d", x.VC)
		}
		channel := []term{atTail, atHead}
		when, err := t.holdsText(x.When, channel)
		if err != nil {
			return err
		}
		rank, err := t.formsText(x.Rank, channel)
		if err != nil {
			return err
		}
		if len(rank) > maxRank || len(rank) != len(first(t.ranks, rank)) {
			return fmt.Errorf("a rank of %d numbers", len(rank))
		}
		t.ranks[x.VC] = append(t.ranks[x.VC], netRank{when, rank})
	}
	if t.anyRise = e.Some; t.anyRise && len(e.Escape) > 0 {
		return fmt.Errorf("some channel of greater rank, with an escape")
	}
	for _, vc := range e.Escape {
		if vc < 0 || int(vc) >= t.vcs || slices.Contains(t.escape, int(vc)) {
			return fmt.Errorf("escape VC %d", vc)
		}
		t.escape = append(t.escape, int(vc))
	}
	return nil
}

// first returns a rank that was read, or the given one if there is none.
func first(ranks map[int][]netRank, rank []Form) []Form {
	for _, vc := range slices.Sorted(maps.Keys(ranks)) {
		return ranks[vc][0].rank
	}
	return rank
}
