package parametric

import (
	"iter"

	"github.com/turnproof/turnproof/model/program"
)

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
	s.eachExample(func(n *exampleNetwork, tail []int64) { list = append(list, n.hopsVia(tail, wanted)...) })
	return list
}

// exampleNetwork is a small network. It stores which paths fit, by place and destination.
type exampleNetwork struct {
	*system
	setting []int
	bounds  []atom // of all points
	known   [][]int
}

// eachExample calls visit with the points of small networks at which the program routes packets.
func (s *system) eachExample(visit func(n *exampleNetwork, tail []int64)) {
	count := 0
	for _, setting := range s.sizesUpTo(maxExampleSwitches, maxExampleSwitches) {
		switches := s.switches(setting)
		if count += switches * switches; count > maxExamples {
			return
		}
		n, places := &exampleNetwork{s, setting, s.domain(), make([][]int, switches*switches)}, eachPlace(setting[:s.dims])
		for _, at := range places {
			for _, to := range places {
				if tail := s.point(at, to, setting); n.isRouted(tail) {
					visit(n, tail)
				}
			}
		}
	}
}

// fitting returns the paths whose conditions hold at a point.
func (n *exampleNetwork) fitting(point []int64) []int {
	k := 0
	for v, x := range point[:2*n.dims] {
		k = k*n.setting[v%n.dims] + int(x)
	}
	if n.known[k] == nil {
		n.known[k] = []int{}
		for i := range n.paths {
			if allHold(n.paths[i].guard, point) {
				n.known[k] = append(n.known[k], i)
			}
		}
	}
	return n.known[k]
}

// isRouted reports whether the program routes packets at a point.
func (n *exampleNetwork) isRouted(point []int64) bool {
	return n.isUndelivered(point) && allHold(n.bounds, point)
}

// hopsVia returns the hops of wanted pairs that follow a hop from tail.
func (n *exampleNetwork) hopsVia(tail []int64, wanted map[pair]bool) (list []dependency) {
	for a, head := range n.hopsFrom(tail) {
		for _, b := range n.nextOf(a, head) {
			if p := (pair{n.nodeOf(a), n.nodeOf(b)}); wanted[p] {
				list = append(list, dependency{from: p.from, to: p.to, fromTail: tail, toTail: head})
			}
		}
	}
	return list
}

// hopsFrom yields the classes that packets at a point move to, and the point after the hop, if the program routes them there.
func (n *exampleNetwork) hopsFrom(tail []int64) iter.Seq2[class, []int64] {
	return func(yield func(class, []int64) bool) {
		seen := map[class]bool{}
		for _, before := range n.classes {
			for _, a := range n.nextOf(before, tail) {
				head := n.shift(tail, n.toHead(a.dir, a.wrap))
				if seen[a] || !n.isRouted(head) || !allHold(n.preserved[a], head) {
					continue
				}
				if seen[a] = true; !yield(a, head) {
					return
				}
			}
		}
	}
}

// nextOf returns the classes that packets of class a at a point move to.
func (n *exampleNetwork) nextOf(a class, point []int64) (list []class) {
	for _, i := range n.fitting(point) {
		p := &n.paths[i]
		if !p.accepts(a) {
			continue
		}
		for _, o := range p.outputs {
			for _, b := range n.outputs(o) {
				if b.dir != program.NoDir && n.edges[[2]class{a, b}] && allHold(n.tailAtoms(b.dir, b.wrap), point) &&
					n.regionAt(b.node().whole(), point) == b.region {
					list = append(list, b)
				}
			}
		}
	}
	return list
}

// permitted returns states of small networks that satisfy the invariants, by class.
func (s *system) permitted() map[class][][]int64 {
	found := map[class][][]int64{}
	s.eachExample(func(n *exampleNetwork, tail []int64) {
		for a, head := range n.hopsFrom(tail) {
			found[a] = append(found[a], head)
		}
	})
	return found
}
