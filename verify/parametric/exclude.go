package parametric

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/turnproof/turnproof/verify/smt"
)

// This file finds invariants by cases: sets of conditions that no packet of a class satisfies together. They show that no packet
// is in a state without a next hop, where the last hop and the conditions of houdini.go do not.
//
// A state that must be excluded comes from Z3. A set of the conditions that it satisfies is excluded if no state of a small
// network satisfies them all: the fewest such conditions. If a packet can hop into an excluded set, the state before the hop is
// excluded next. If that is a state of a small network, or that of a created packet, the set was too large: the state after the
// hop becomes a further example of states that packets reach, and the sets with this state are no longer excluded. The search ends
// with sets that no hop leads into, or with a state that must be excluded and cannot be distinguished from those that packets reach.
// Obligations prove the sets again, as invariants.
//
// Sources: A. R. Bradley, SAT-based model checking without unrolling, VMCAI 2011, for states before a hop; P. Garg, C. Löding,
// P. Madhusudan and D. Neider, ICE: a robust framework for learning invariants, CAV 2014, for examples.

// excluder is a search for invariants by cases.
type excluder struct {
	*proof
	conditions []atom
	before     map[class][]atom // preserved conditions that were known
	reached    map[class][]spot
	seen       map[string]bool // spots in reached
	sets       map[class][][]literal
}

// maxExcluded bounds the questions of a search that Z3 answers by a state.
const maxExcluded = 2_000

// exclude adds invariants by cases that exclude states without a next hop. It reports whether it has found them; else the
// invariants are as before.
func (s *proof) exclude() (bool, error) {
	if s.complete() {
		return false, nil
	}
	x := s.newExcluder()
	done, err := x.search(x.findBad)
	if done && err == nil {
		err = x.shorten()
	}
	return x.finish(done, err)
}

// excludeStray adds invariants by cases that exclude states of small networks which the invariants permit and no packet reaches.
func (s *proof) excludeStray() error {
	x := s.newExcluder()
	permitted := s.permitted()
	for _, a := range s.classes {
		for _, point := range permitted[a] {
			if p := x.spot(point); !slices.ContainsFunc(x.sets[a], p.isIn) {
				x.excludeAt(a, point)
			}
		}
	}
	_, err := x.finish(x.search(func() (class, []int64, error) { return class{}, nil, nil }))
	return err
}

// newExcluder returns a search whose examples are the states of small networks.
func (s *proof) newExcluder() *excluder {
	x := &excluder{proof: s, conditions: s.nearDifferences(), before: s.preserved, reached: map[class][]spot{}, seen: map[string]bool{},
		sets: map[class][][]literal{}}
	s.preserved = maps.Clone(x.before)
	if s.preserved == nil {
		s.preserved = map[class][]atom{}
	}
	for _, f := range s.facts.states {
		x.reach(f.class, x.spot(f.point))
	}
	return x
}

// finish takes the invariants back if the search failed. It reports whether it did not.
func (x *excluder) finish(done bool, err error) (bool, error) {
	if err != nil || !done {
		x.preserved = x.before
	}
	if errors.Is(err, errUnknown) {
		return false, nil
	}
	return done, err
}

// search excludes states until find finds none that must be excluded, and no hop leads into an excluded set. It returns false if it fails.
func (x *excluder) search(find func() (class, []int64, error)) (bool, error) {
	for range maxExcluded {
		a, point, err := find()
		if err != nil {
			return false, err
		}
		if point != nil {
			if a == injected || !x.excludeAt(a, point) {
				return false, nil
			}
			continue
		}
		a, b, point, err := x.findEntry()
		if err != nil || point == nil {
			return err == nil, err
		}
		if a != injected && x.excludeAt(a, point) {
			continue
		}
		x.reach(b, x.spot(x.shift(point, x.toHead(b.dir, b.wrap))))
	}
	return false, nil
}

// findBad returns a class and a state in which a packet has no next hop, or nil.
func (x *excluder) findBad() (class, []int64, error) {
	for _, a := range x.classes {
		bad := []string{x.stuck(a)}
		if x.wants("connected") || x.escape != nil {
			bad = append(bad, x.overEdge(a))
		}
		if x.escape != nil {
			bad = append(bad, x.unescaped(a))
		}
		if bad = slices.DeleteFunc(bad, func(f string) bool { return f == "false" }); len(bad) == 0 {
			continue
		}
		if point, err := x.state(and(x.onFormula(a), or(bad...))); point != nil || err != nil {
			return a, point, err
		}
	}
	return class{}, nil, nil
}

// state asks Z3 for a state that satisfies a formula, or nil. An unknown answer is an error.
func (x *excluder) state(formula string) ([]int64, error) {
	result, point, err := x.ask(formula)
	if err == nil && result == smt.Unknown {
		err = errUnknown
	}
	return point, err
}

var errUnknown = errors.New("no answer to a question about states")

// findEntry returns a state of a packet of class a from which a hop leads into an excluded set of class b, or nil.
func (x *excluder) findEntry() (a, b class, point []int64, err error) {
	for _, b = range x.classes[1:] {
		if len(x.sets[b]) == 0 {
			continue
		}
		forward := x.toHead(b.dir, b.wrap)
		var after []string
		for _, set := range x.sets[b] {
			after = append(after, x.names.all(x.substituted(set, forward)))
		}
		for _, a = range x.classes {
			step := x.stepTo(a, b)
			if step == "false" {
				continue
			}
			point, err = x.state(and(x.onFormula(a), step, x.undelivered(forward), or(after...)))
			if point != nil || err != nil {
				return a, b, point, err
			}
		}
	}
	return a, b, nil, nil
}

// atoms returns the conditions of a set.
func (x *excluder) atoms(set []literal) (list []atom) {
	for _, l := range set {
		a := x.conditions[l.condition]
		if !l.holds {
			a = a.contrary()
		}
		list = append(list, a)
	}
	return list
}

func (x *excluder) substituted(set []literal, by []form) (list []atom) {
	for _, a := range x.atoms(set) {
		list = append(list, a.substitute(by))
	}
	return list
}

// spot returns which conditions hold at a point.
func (x *excluder) spot(point []int64) spot { return spotAt(0, x.conditions, point) }

// reach records that packets of a class are at a spot. Excluded sets with this spot are no longer excluded.
func (x *excluder) reach(c class, s spot) {
	if key := fmt.Sprint(c, s.bits); !x.seen[key] {
		x.seen[key] = true
		x.reached[c] = append(x.reached[c], s)
	}
	if len(x.sets[c]) > 0 {
		x.sets[c] = slices.DeleteFunc(x.sets[c], s.isIn)
		x.apply(c)
	}
}

// apply makes the excluded sets of a class part of its invariant.
func (x *excluder) apply(c class) {
	x.preserved[c] = slices.Clone(x.before[c])
	for _, set := range x.sets[c] {
		switch list := x.atoms(set); len(list) {
		case 0: // no packet is known to reach the class
			x.preserved[c] = append(x.preserved[c], x.never()...)
		case 1:
			x.preserved[c] = append(x.preserved[c], list[0].contrary())
		default:
			x.preserved[c] = append(x.preserved[c], atom{none: list})
		}
	}
}

// excludeAt excludes a set of conditions that hold at a state. It returns false if packets reach the spot of the state.
func (x *excluder) excludeAt(c class, point []int64) bool {
	s := x.spot(point)
	if x.seen[fmt.Sprint(c, s.bits)] {
		return false
	}
	x.sets[c] = append(x.sets[c], x.tellApart(s, x.reached[c]))
	x.apply(c)
	return true
}

// tellApart returns few conditions that hold at a spot, and at none of the others together. It takes the condition that most of the others
// violate, then that which most of those left violate; last it removes conditions that are not needed.
func (x *excluder) tellApart(s spot, others []spot) (set []literal) {
	left := slices.Clone(others)
	for len(left) > 0 {
		best, most := literal{}, 0
		for i := range x.conditions {
			n := 0
			for k := range left {
				if left[k].has(i) != s.has(i) {
					n++
				}
			}
			if n > most {
				best, most = literal{i, s.has(i)}, n
			}
		}
		set = append(set, best)
		left = slices.DeleteFunc(left, func(o spot) bool { return o.has(best.condition) != best.holds })
	}
	for i := 0; i < len(set); {
		fewer := slices.Delete(slices.Clone(set), i, i+1)
		if slices.ContainsFunc(others, func(o spot) bool { return o.isIn(fewer) }) {
			i++
			continue
		}
		set = fewer
	}
	return set
}

// shorten removes excluded sets that are not needed.
func (x *excluder) shorten() error {
	for _, c := range x.classes {
		for i := 0; i < len(x.sets[c]); {
			all := x.sets[c]
			x.sets[c] = slices.Delete(slices.Clone(all), i, i+1)
			x.apply(c)
			_, bad, err := x.findBad()
			if err != nil {
				return err
			}
			if bad == nil {
				if _, _, bad, err = x.findEntry(); err != nil {
					return err
				}
			}
			if bad != nil {
				x.sets[c] = all
				x.apply(c)
				i++
			}
		}
	}
	return nil
}
