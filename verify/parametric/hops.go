package parametric

import "github.com/turnproof/turnproof/model/program"

// This file lists the hops of small networks from every state that the invariants permit, whether or not a packet reaches
// the state. The obligations about ranks are about these hops.

// maxExamples bounds the pairs of place and destination from which hops are listed, maxExampleSwitches the networks.
const (
	maxExamples        = 40_000
	maxExampleSwitches = 25
)

// examples returns the hops of pairs on the smallest networks.
func (s *system) examples(pairs []pair) (list []dependency) {
	wanted := map[pair]bool{}
	for _, p := range pairs {
		wanted[p] = true
	}
	count := 0
	for _, setting := range s.sizesUpTo(maxExampleSwitches, maxExampleSwitches) {
		if count += s.switches(setting) * s.switches(setting); count > maxExamples {
			break
		}
		for _, at := range eachPlace(setting[:s.dims]) {
			for _, to := range eachPlace(setting[:s.dims]) {
				if tail := s.point(at, to, setting); s.isRouted(tail) {
					list = append(list, s.hopsVia(tail, wanted)...)
				}
			}
		}
	}
	return list
}

// isRouted reports whether the program routes packets at a point.
func (s *system) isRouted(point []int64) bool {
	return s.isUndelivered(point) && allHold(s.domain(), point)
}

// hopsVia returns the hops of wanted pairs that follow a hop from tail.
func (s *system) hopsVia(tail []int64, wanted map[pair]bool) (list []dependency) {
	seen := map[class]bool{}
	for _, before := range s.classes {
		for _, a := range s.nextOf(before, tail) {
			head := s.shift(tail, s.toHead(a.dir, a.wrap))
			if seen[a] || !s.isRouted(head) || !allHold(s.preserved[a], head) {
				continue
			}
			seen[a] = true
			for _, b := range s.nextOf(a, head) {
				if p := (pair{s.nodeOf(a), s.nodeOf(b)}); wanted[p] {
					list = append(list, dependency{from: p.from, to: p.to, fromTail: tail, toTail: head})
				}
			}
		}
	}
	return list
}

// nextOf returns the classes that packets of class a at a point move to.
func (s *system) nextOf(a class, point []int64) (list []class) {
	for i := range s.paths {
		p := &s.paths[i]
		if !p.accepts(a) || !allHold(p.guard, point) {
			continue
		}
		for _, o := range p.outputs {
			for _, b := range s.outputs(o) {
				if b.dir != program.NoDir && s.edges[[2]class{a, b}] && allHold(s.tailAtoms(b.dir, b.wrap), point) &&
					s.regionAt(b.node().whole(), point) == b.region {
					list = append(list, b)
				}
			}
		}
	}
	return list
}

// permitted returns states of small networks that satisfy the invariants, by class.
func (s *system) permitted() map[class][][]int64 {
	found, count := map[class][][]int64{}, 0
	for _, setting := range s.sizesUpTo(maxExampleSwitches, maxExampleSwitches) {
		if count += s.switches(setting) * s.switches(setting); count > maxExamples {
			break
		}
		for _, at := range eachPlace(setting[:s.dims]) {
			for _, to := range eachPlace(setting[:s.dims]) {
				tail := s.point(at, to, setting)
				if !s.isRouted(tail) {
					continue
				}
				seen := map[class]bool{}
				for _, before := range s.classes {
					for _, a := range s.nextOf(before, tail) {
						head := s.shift(tail, s.toHead(a.dir, a.wrap))
						if !seen[a] && s.isRouted(head) && allHold(s.preserved[a], head) {
							seen[a] = true
							found[a] = append(found[a], head)
						}
					}
				}
			}
		}
	}
	return found
}
