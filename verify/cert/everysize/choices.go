package everysize

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file lists the obligations of the claims deterministic and fully-adaptive.
//
// Theorem. Let every formula of a kind have no solution, and those of all-size proofs in general (obligations.go). Then for all sizes:
//
//	choice     no packet has a choice: a source creates all packets to a destination in one header state, and no reachable state has two next
//	           hops. A hop is a channel, VC and header state; the delivery of a packet by EJECT counts as one;
//	adaptive   some classes are adaptive, created packets among them. A packet of such a class is permitted, for each channel that leads nearer
//	           to the destination, a hop over this channel that leads to an adaptive class, and is not lost. So packets can take every path
//	           whose hops all lead nearer, by induction over its hops; by "inject" some packet is created for each pair.
//
// Created packets count as in every header state in which some source creates packets. So these claims can fail to be proved where a source
// creates packets of several header states for different destinations.

// drawsOnce lists the obligation that path number i of inject returns one header state.
func (t *theorem) drawsOnce(i int, p *path, states []int, failed error) error {
	if !t.claims[cert.ClaimDeterministic] || failed == nil && len(slices.Compact(slices.Sorted(slices.Values(states)))) < 2 {
		return nil
	}
	return t.refute("choice", fmt.Sprintf("inject, path %d", i), t.domain(), p.guard)
}

// choices lists the obligations about the choices of packets of class a.
func (t *theorem) choices(a class, known *Formula) error {
	if t.claims[cert.ClaimDeterministic] {
		var list []*Formula
		for i := range t.paths {
			if p := &t.paths[i]; t.accepts(p, a) {
				list = append(list, and(p.guard, t.chooses(p)))
			}
		}
		if err := t.refute("choice", a.String(), known, or(list...)); err != nil {
			return err
		}
	}
	if !t.claims[cert.ClaimFullyAdaptive] || a != created && !t.adaptive[a] {
		return nil
	}
	for dir := direction(0); int(dir) < 2*t.numAxes(); dir++ {
		for _, wrap := range []bool{false, true} {
			if t.complete() && dir%2 == 1 || wrap && !t.rings(dir.dim()) {
				continue
			}
			nearer := and(t.isTail(dir, wrap), t.nearerAfter(dir, wrap))
			if err := t.refute("adaptive", fmt.Sprintf("%s, direction %d", a, dir), known, nearer, t.bars(a, dir, wrap)); err != nil {
				return err
			}
		}
	}
	return nil
}

// chooses returns the formula: a path permits two hops at the place.
func (t *theorem) chooses(p *path) *Formula {
	var list []*Formula
	for i, x := range p.outputs {
		first := t.permits(x, nil)
		if p.ejects {
			list = append(list, first)
		}
		if !t.complete() {
			for _, y := range p.outputs[:i] {
				list = append(list, and(first, t.permits(y, nil)))
			}
			continue
		}
		for _, y := range p.outputs[:i+1] { // x = y: hops to two values
			second := make([]Form, t.variables())
			second[t.firstHop()+1] = t.far()
			distinct := always
			if x.dir == y.dir && x.vc == y.vc && x.state == y.state {
				distinct = differ(t.onto(), t.far())
			}
			list = append(list, and(first, t.permits(y, second), distinct))
		}
	}
	return or(list...)
}

// permits returns the formula: an output permits a hop over a channel of the network, after substitution by. In a HyperX network the hop
// leads to onto.
func (t *theorem) permits(o output, by []Form) *Formula {
	if !t.complete() {
		return t.leaves(o.dir)
	}
	d := o.dir.dim()
	f := and(t.inLine(t.onto(), d), differ(t.onto(), t.here(d)), t.reaches(o))
	if by == nil {
		return f
	}
	return f.move(by)
}

// bars returns the formula: a packet of class a takes a path that loses it, or has no hop over the channel of this direction to an adaptive class.
func (t *theorem) bars(a class, dir direction, wrap bool) *Formula {
	var list []*Formula
	for i := range t.paths {
		p := &t.paths[i]
		if !t.accepts(p, a) {
			continue
		}
		var open []*Formula
		for _, b := range t.classes {
			if b.dir == dir && b.wrap == wrap && t.adaptive[b] && p.failed == nil && leadsTo(p.outputs, b) {
				open = append(open, and(t.hop(p.outputs, b), t.inPart(b)))
			}
		}
		list = append(list, and(p.guard, or(t.loses(p), not(or(open...)))))
	}
	return or(list...)
}

// loses returns the formula: a path sends the packet to a missing channel, or delivers it away from its destination. The packet is then lost:
// it makes no other hop of the path either.
func (t *theorem) loses(p *path) *Formula {
	var list []*Formula
	if p.ejects {
		list = append(list, t.away())
	}
	for _, o := range p.outputs {
		if t.complete() {
			list = append(list, t.missing(o))
		} else {
			list = append(list, not(t.leaves(o.dir)))
		}
	}
	return or(list...)
}

// nearerAfter returns the formula: the hop over a channel of this direction decreases the distance to the destination.
func (t *theorem) nearerAfter(dir direction, wrap bool) *Formula {
	switch d := dir.dim(); {
	case t.complete():
		return and(differ(t.here(d), t.there(d)), equal(t.onto(), t.there(d)))
	case t.kind == hexGrid:
		return t.hexNearer(dir)
	}
	var list []*Formula
	forward := t.toHead(dir, wrap)
	for _, a := range t.distances(dir.dim()) {
		for _, b := range t.distances(dir.dim()) {
			list = append(list, and(a.when, b.when.move(forward), lessThan(b.hops.move(forward), a.hops)))
		}
	}
	return or(list...)
}

// hexParts returns forms whose maximum is the distance to the destination in a hexagonal grid. With the differences a and b of the coordinates
// it is |a + b| if they have the same sign, else max(|a|, |b|): the links are (1, 0), (0, 1) and (-1, 1).
func (f *family) hexParts() (list []Form) {
	a, b := f.there(0).plus(f.here(0), -1), f.there(1).plus(f.here(1), -1)
	for _, x := range []Form{a, b, a.plus(b, 1)} {
		list = append(list, x, number(0).plus(x, -1))
	}
	return list
}

// hexNearer returns the formula: the hop decreases the distance: some part before it is greater than all parts after it.
func (f *family) hexNearer(dir direction) *Formula {
	var some []*Formula
	forward := f.alongAxis(dir)
	for _, before := range f.hexParts() {
		var all []*Formula
		for _, after := range f.hexParts() {
			all = append(all, lessThan(after.move(forward), before))
		}
		some = append(some, and(all...))
	}
	return or(some...)
}

// longWay returns the formula: the hop over a channel of this direction does not decrease the distance to the destination.
func (t *theorem) longWay(dir direction, wrap bool) *Formula {
	if t.kind != hexGrid {
		return t.fartherAfter(dir, wrap)
	}
	var some []*Formula
	forward := t.alongAxis(dir)
	for _, after := range t.hexParts() {
		var all []*Formula
		for _, before := range t.hexParts() {
			all = append(all, atMost(before, after.move(forward)))
		}
		some = append(some, and(all...))
	}
	return or(some...)
}
