package everysize

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file lists what must be proved, from the program alone. The certificate adds the classes
// that packets reach, conditions that hold on them, ranks, an escape, and the proofs.
//
// A class is the channels of a direction, VC, kind (wraparound or not) and part, with the packets on them that
// have one header state. Parts are given by conditions on the tail. A class that is not listed has no packets.
//
// Theorem. Let every formula below have no solution. Then for all sizes of the family:
//
//	inject     every source has a header state for each destination;
//	output     no packet takes a path with an error: nothing is known of its outputs. With the claim connected, none
//	           takes a path without an output, and none is delivered at a switch that is not its destination;
//	boundary   no packet is sent to a missing or failed channel;
//	move       packets move between listed classes only;
//	invariant  the conditions of each class hold after each hop, by induction over the hops of a packet;
//	rank       every dependency leads to a channel of greater rank. The graph of dependencies of each network is
//	           finite, so it has no cycle (Dally and Seitz 1987). Each packet moves to greater ranks, so
//	           it is delivered after finitely many hops.
//
// With an escape, rank is about the hops to escape channels only, and there are:
//
//	escape     every packet is permitted an escape channel, or is delivered. Of blocked packets on
//	           escape channels, that on the greatest rank can move (Duato 1996; vct and saf);
//	detour     with a detour, the rank rises also from the last escape channel of a packet to the next one, after
//	           any number of hops to other channels (Duato 1993; any switching). Clauses describe where these hops
//	           lead. They hold before the first hop, and are kept by each hop;
//	distance   classes have groups. No hop leads to a lower group, and a hop within a group decreases the distance to the
//	           destination. So each packet is delivered after finitely many hops.
//
// The claim minimal has one more kind:
//
//	minimal    no hop, including the first, leaves the distance to the destination as it is or increases it. A path that arrives
//	           has then as many hops as a shortest path. The distance is the sum of the distances in the dimensions, which
//	           is that of grids without failures. In a hexagonal grid it is that of choices.go.
//
// choices.go has the kinds of the claims deterministic and fully-adaptive.
//
// With flow control of rings, flow.go says what is proved.
// With failures, all of this is proved for each case of faults.go.
//
// A path of the program that the run leaves out has an obligation "path": no packet makes its choices.

// prove passes all obligations to the solver.
func (t *theorem) prove() error {
	if err := t.run(); err != nil {
		return err
	}
	for _, a := range append([]class{created}, t.classes...) {
		if err := t.packets(a); err != nil {
			return err
		}
	}
	if t.detour != nil {
		if err := t.detours(); err != nil {
			return err
		}
	}
	return t.rises()
}

// packets lists the obligations about the hops of packets of class a, except those of ranks.
func (t *theorem) packets(a class) error {
	known, name := t.known(a), a.String()
	stuck := t.taken(a, func(p *path) bool { return p.failed != nil })
	if t.claims[cert.ClaimConnected] {
		wrong := and(t.taken(a, func(p *path) bool { return p.ejects }), t.away())
		stuck = or(or(stuck, t.without(a, allOutputs)), wrong)
	}
	if err := t.refute("output", name, known, stuck); err != nil {
		return err
	}
	if err := t.boundary(a, known); err != nil {
		return err
	}
	if t.escape != noEscape {
		if err := t.refute("escape", name, known, t.without(a, t.escapeOf)); err != nil {
			return err
		}
	}
	if err := t.choices(a, known); err != nil {
		return err
	}
	for _, b := range t.targets(a) {
		if err := t.moves(a, b, known); err != nil {
			return err
		}
	}
	return nil
}

// boundary lists the obligations that packets of class a are sent to channels that exist. Without the claim connected, packets
// may be dropped there, unless they need an escape.
func (t *theorem) boundary(a class, known *Formula) error {
	name := a.String()
	if !t.claims[cert.ClaimConnected] && t.escape == noEscape {
		return nil
	}
	if t.complete() {
		if err := t.refute("boundary", name, known, t.astray(a)); err != nil {
			return err
		}
	}
	for dir := direction(0); int(dir) < 2*t.numAxes() && !t.complete(); dir++ {
		sent := t.taken(a, func(p *path) bool { return slices.ContainsFunc(p.outputs, func(o output) bool { return o.dir == dir }) })
		if err := t.refute("boundary", fmt.Sprintf("%s, direction %d", name, dir), known, sent, not(t.leaves(dir))); err != nil {
			return err
		}
	}
	return nil
}

// astray returns the formula: a packet of class a is sent to a value that no hop leads to.
func (t *theorem) astray(a class) *Formula {
	var list []*Formula
	for i := range t.paths {
		if p := &t.paths[i]; t.accepts(p, a) {
			for _, o := range p.outputs {
				list = append(list, and(p.guard, t.missing(o)))
			}
		}
	}
	return or(list...)
}

// isMeasured reports whether the classes of the group of a have ranks of packets. Then the ranks rise within the group, and no
// distance is needed.
func (t *theorem) isMeasured(a class) bool {
	if !t.ofPackets {
		return false
	}
	for _, b := range t.classes {
		if t.group[b] == t.group[a] && len(t.ranksOf(b)) == 0 {
			return false
		}
	}
	return true
}

// targets returns the classes that outputs of packets of class a name, sorted.
func (t *theorem) targets(a class) (list []class) {
	for i := range t.paths {
		if !t.accepts(&t.paths[i], a) {
			continue
		}
		for _, o := range t.paths[i].outputs {
			list = append(list, t.classesOf(o)...)
		}
	}
	slices.SortFunc(list, compareClasses)
	return slices.Compact(list)
}

// classesOf returns the classes that an output can lead to.
func (t *theorem) classesOf(o output) (list []class) {
	bits := 0
	for i, s := range t.splits {
		if slices.Contains(s.channels, [2]int{int(o.dir), o.vc}) {
			bits |= 1 << i
		}
	}
	for part := range 1 << len(t.splits) {
		if part&^bits != 0 {
			continue
		}
		list = append(list, class{o.dir, o.vc, false, part, o.state})
		if t.rings(o.dir.dim()) {
			list = append(list, class{o.dir, o.vc, true, part, o.state})
		}
	}
	return list
}

// moves lists the obligations about hops from class a to class b.
func (t *theorem) moves(a, b class, known *Formula) error {
	name := a.String() + " to " + b.String()
	step := t.stepBy(a, b, allOutputs)
	if !slices.Contains(t.classes, b) {
		return t.refute("move", name, known, step)
	}
	forward := t.toHead(b.dir, b.wrap)
	if err := t.refute("invariant", name, known, step, t.undelivered().move(forward), not(t.kept[b]).move(forward)); err != nil {
		return err
	}
	if t.claims[cert.ClaimMinimal] {
		if err := t.refute("minimal", name, known, step, t.longWay(b.dir, b.wrap)); err != nil {
			return err
		}
	}
	if a == created || !t.needsDistance() {
		return nil
	}
	if t.ofPackets {
		step = t.stepBy(a, b, t.escapeOf)
	}
	switch {
	case t.group[b] < t.group[a]:
		return t.refute("distance", name, known, step)
	case t.group[b] == t.group[a] && t.isMeasured(a):
		return t.refute("rank", name, known, step, t.notRising(a, b, t.toTail(a.dir, a.wrap)))
	case t.group[b] == t.group[a]:
		return t.refute("distance", name, known, step, t.fartherAfter(b.dir, b.wrap))
	}
	return nil
}
