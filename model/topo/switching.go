package topo

import (
	"cmp"
	"math/rand/v2"
	"slices"
)

// This file exchanges links in pairs: a-b and c-d become a-c and b-d. The degrees do not change
// (McKay, Wormald 1990; see random.go).

// edge is a link, given by its two switches.
type edge [2]int32

func (e edge) key() uint64 { return uint64(min(e[0], e[1]))<<32 | uint64(max(e[0], e[1])) }

// switcher exchanges links in pairs.
type switcher struct {
	edges  []edge
	simple bool
	count  map[uint64]int32 // if simple: the number of links between two switches
	rng    *rand.Rand
}

// newSwitcher pairs ports at random.
func newSwitcher(degree []int32, simple bool, rng *rand.Rand) *switcher {
	var ports []int32
	for u, k := range degree {
		for range k {
			ports = append(ports, int32(u))
		}
	}
	rng.Shuffle(len(ports), func(i, j int) { ports[i], ports[j] = ports[j], ports[i] })
	s := &switcher{simple: simple, rng: rng}
	for i := 0; i < len(ports); i += 2 {
		s.edges = append(s.edges, edge{ports[i], ports[i+1]})
	}
	if simple {
		s.count = make(map[uint64]int32, len(s.edges))
		for _, e := range s.edges {
			s.count[e.key()]++
		}
	}
	return s
}

// repair removes loops and double links. It returns false if no exchange removes one of them.
func (s *switcher) repair() bool {
	for i, e := range s.edges {
		if e[0] != e[1] && (!s.simple || s.count[e.key()] == 1) {
			continue
		}
		if !s.tryRandom(i) && (s.simple || !s.tryAll(i)) {
			return false
		}
	}
	return true
}

func (s *switcher) tryRandom(i int) bool {
	for range 100 {
		if s.exchange(i, s.rng.IntN(len(s.edges)), s.rng.IntN(2)) {
			return true
		}
	}
	return false
}

func (s *switcher) tryAll(i int) bool {
	for j := range s.edges {
		if s.exchange(i, j, 0) {
			return true
		}
	}
	return false
}

// exchange replaces links a-b and c-d by a-c and b-d. If turn is 1, c and d change places
// first. It does nothing and returns false if a new link is a loop or, in a simple network,
// exists already.
func (s *switcher) exchange(i, j, turn int) bool {
	e, f := s.edges[i], s.edges[j]
	e2, f2 := edge{e[0], f[turn]}, edge{e[1], f[1-turn]}
	if i == j || e2[0] == e2[1] || f2[0] == f2[1] {
		return false
	}
	if s.simple {
		if s.count[e2.key()] > 0 || s.count[f2.key()] > 0 || e2.key() == f2.key() {
			return false
		}
		s.drop(e)
		s.drop(f)
		s.count[e2.key()], s.count[f2.key()] = 1, 1
	}
	s.edges[i], s.edges[j] = e2, f2
	return true
}

func (s *switcher) drop(e edge) {
	if s.count[e.key()]--; s.count[e.key()] == 0 {
		delete(s.count, e.key())
	}
}

// havelHakimi builds a simple network with the given degrees and shuffles it. The switch with
// most free ports is linked to the switches with most free ports. A network with these degrees
// must exist. Cost: O(switches² log switches). Only networks of a few thousand switches are
// dense enough to need it.
func (s *switcher) havelHakimi(degree []int32) {
	s.edges = s.edges[:0]
	clear(s.count)
	left := make([][2]int32, len(degree)) // free ports, switch
	for u, k := range degree {
		left[u] = [2]int32{k, int32(u)}
	}
	for len(left) > 0 {
		slices.SortFunc(left, func(a, b [2]int32) int { return cmp.Or(cmp.Compare(b[0], a[0]), cmp.Compare(a[1], b[1])) })
		k, u := int(left[0][0]), left[0][1]
		left = left[1:]
		for i := range left[:k] {
			left[i][0]--
			e := edge{u, left[i][1]}
			s.edges = append(s.edges, e)
			s.count[e.key()] = 1
		}
	}
	for range min(10*len(s.edges), 10_000_000) {
		s.exchange(s.rng.IntN(len(s.edges)), s.rng.IntN(len(s.edges)), s.rng.IntN(2))
	}
}

// complement replaces the links by the missing links.
func (s *switcher) complement(switches int) {
	s.edges = s.edges[:0]
	for u := range int32(switches) {
		for v := u + 1; v < int32(switches); v++ {
			if e := (edge{u, v}); s.count[e.key()] == 0 {
				s.edges = append(s.edges, e)
			}
		}
	}
}
