package parametric

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model/program"
)

// This file proves the claims deterministic and fully-adaptive. The checker's choices.go has the theorem.
//
// The classes whose packets are permitted each hop that leads nearer are the greatest set in which each such hop leads to a class of the set
// again. It is found by removing classes.

// choiceObligations lists the obligations of both claims.
func (s *proof) choiceObligations(add func(kind, name, text string, p *pair)) {
	if s.wantsExtra("deterministic") {
		for i, guard := range s.drawn {
			add("choice", fmt.Sprintf("inject, path %d", i+1), and(s.apply("domain", nil), s.names.all(guard)), nil)
		}
		for _, a := range s.classes {
			add("choice", a.String(), s.choiceOf(a), nil)
		}
	}
	if s.wantsExtra("fully-adaptive") {
		for _, a := range s.classes {
			if a == injected || s.adaptive[a] {
				add("adaptive", a.String(), s.barredFrom(a), nil)
			}
		}
	}
}

// choiceOf returns the formula: a packet of class a is permitted two hops, or a hop and delivery.
func (s *proof) choiceOf(a class) string {
	var list []string
	for i := range s.paths {
		p := &s.paths[i]
		if !p.accepts(a) {
			continue
		}
		var pairs []string
		for k, x := range p.outputs {
			if p.ejects {
				pairs = append(pairs, s.permits(x, false))
			}
			for j, y := range p.outputs[:k+1] {
				switch {
				case !s.complete() && j < k:
					pairs = append(pairs, and(s.permits(x, false), s.permits(y, false)))
				case s.complete():
					two := and(s.permits(x, false), s.permits(y, true))
					if x.Dir == y.Dir && x.VC == y.VC && x.State == y.State {
						two = and(two, not("(= "+s.names.term(s.onto())+" "+s.names.term(s.gold())+")"))
					}
					pairs = append(pairs, two)
				}
			}
		}
		if len(pairs) > 0 {
			list = append(list, and(s.apply(pathName(i), nil), or(pairs...)))
		}
	}
	if len(list) == 0 {
		return "false"
	}
	return and(s.known(a), or(list...))
}

// permits returns the formula: an output permits a hop over a channel of the network. In a HyperX network the hop leads to onto, or to gold.
func (s *proof) permits(o program.Output, other bool) string {
	if !s.complete() {
		return not(s.absent(o))
	}
	d := o.Dir.Dim()
	by := make([]form, s.variables())
	if other {
		by[s.firstExtra()+1] = s.gold()
	}
	all := func(list []atom) string {
		var moved []atom
		for _, a := range list {
			moved = append(moved, a.substitute(by))
		}
		return s.names.all(moved)
	}
	var hops []string
	for _, list := range s.hops(o) {
		hops = append(hops, all(list))
	}
	stays := "(= " + s.names.term(s.onto().substitute(by)) + " " + s.names.term(s.here(d)) + ")"
	return and(all(s.within(s.onto(), d)), not(stays), or(hops...))
}

// barredFrom returns the formula: a hop leads nearer to the destination, and a packet of class a is not permitted it to an adaptive class.
func (s *proof) barredFrom(a class) string {
	var list []string
	for _, dir := range s.directions() {
		for _, wrap := range []bool{false, true} {
			if wrap && !s.wraps(dir.Dim()) {
				continue
			}
			list = append(list, and(s.names.all(s.tailAtoms(dir, wrap)), s.nearerBy(dir, wrap), s.bars(a, dir, wrap)))
		}
	}
	return and(s.known(a), or(list...))
}

// nearerBy returns the formula: the hop over a channel in this direction decreases the distance to the destination.
func (s *proof) nearerBy(dir program.Dir, wrap bool) string {
	if s.isHexagonal() {
		return s.hexNearer(dir)
	}
	return not(s.notNearer(class{dir: dir, wrap: wrap}))
}

// bars returns the formula: a packet of class a takes a path that loses it, or without the hop over the channel in this direction to an
// adaptive class. Created packets can have any header state.
func (s *proof) bars(a class, dir program.Dir, wrap bool) string {
	var list []string
	for i := range s.paths {
		if !s.paths[i].accepts(a) {
			continue
		}
		var open []string
		for _, b := range s.classes[1:] {
			if b.dir == dir && b.wrap == wrap && s.adaptive[b] && slices.ContainsFunc(s.paths[i].outputs, b.isOf) {
				open = append(open, and(s.hopTo([]int{i}, b, nil, allOutputs), s.region(b)))
			}
		}
		list = append(list, and(s.apply(pathName(i), nil), or(s.loses(&s.paths[i]), not(or(open...)))))
	}
	return or(list...)
}

// loses returns the formula: a path sends the packet to a missing channel, or delivers it away from its destination. The packet is then lost.
func (s *proof) loses(p *path) string {
	var list []string
	if p.ejects {
		list = append(list, s.notAtDestination(nil))
	}
	for _, o := range p.outputs {
		list = append(list, s.absent(o))
	}
	return or(list...)
}

// absent returns the formula: the network has no channel for an output that names one.
func (s *proof) absent(o program.Output) string {
	if s.complete() {
		return s.noTarget(o)
	}
	var missing []string
	for _, condition := range s.missing(o.Dir) {
		missing = append(missing, s.names.all(condition))
	}
	return or(missing...)
}

// farHop returns a failure if a hop may not decrease the distance.
func (s *proof) farHop(fails func(string) (bool, error)) (fail *failure, err error) {
	s.eachHop(func(a, b class, formula string) {
		if fail != nil || err != nil {
			return
		}
		var found bool
		if found, err = fails(formula); found {
			fail = &failure{reason: fmt.Sprintf("the hop from %s to %s may not decrease the distance", a, b)}
		}
	})
	return fail, err
}

// findAdaptive removes classes from the adaptive ones until each hop that leads nearer leads to an adaptive class. It returns a failure if
// created packets may not be permitted such a hop.
func (s *proof) findAdaptive(fails func(string) (bool, error)) (*failure, error) {
	for _, a := range s.classes[1:] {
		s.adaptive[a] = true
	}
	for changed := true; changed; {
		changed = false
		for _, a := range s.classes {
			if a != injected && !s.adaptive[a] {
				continue
			}
			found, err := fails(s.barredFrom(a))
			if err != nil {
				return nil, err
			}
			if found && a == injected {
				return &failure{reason: "created packets may not be permitted a hop that leads nearer to the destination"}, nil
			}
			if found {
				changed = true
				delete(s.adaptive, a)
			}
		}
	}
	return nil, nil
}
