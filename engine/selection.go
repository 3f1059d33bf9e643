package engine

// This file selects one of the permitted output VCs, for rules that do not request all of them.
//
// Sources: W. Dally and B. Towles, Principles and Practices of Interconnection Networks, 2004,
// section 10.2 (least loaded, random); the ordered preference of North-First+1 (Matoyama, Miura
// and Watanabe, RC-005).

// selected returns the output VC that head v requests in this clock, or -1 if none is free.
func (s *Sim) selected(v int32) int32 {
	s.choice = s.choice[:0]
	s.eachFree(v, func(w int32) { s.choice = append(s.choice, w) })
	if len(s.choice) == 0 {
		return -1
	}
	best := s.choice[0]
	if s.o.Select == SelectOrder {
		return best
	}
	if s.o.Select == SelectRandom {
		return s.drawn(v)
	}
	if s.estimates != nil {
		return s.leastOf(v)
	}
	for _, w := range s.choice[1:] {
		if s.better(v, w, best) {
			best = w
		}
	}
	return best
}

// better reports whether the selection rule prefers w to other.
func (s *Sim) better(v, w, other int32) bool {
	switch s.o.Select {
	case SelectTurn:
		return s.sooner(v, w, other)
	case SelectAhead:
		if a, b := s.control.cost(s, w), s.control.cost(s, other); a != b {
			return a < b
		}
		if a, b := s.slots(w), s.slots(other); a != b {
			return a > b
		}
	case SelectLoad:
		if a, b := s.slots(w), s.slots(other); a != b {
			return a > b
		}
	}
	return s.vc[w].place < s.vc[other].place
}

// slots returns the number of free slots of output VC w. A host always has room.
func (s *Sim) slots(w int32) int {
	if s.port[s.vc[w].in].eject {
		return maxBuffer + 1
	}
	return int(s.vc[w].credits)
}

// drawn returns a random choice among the candidates in the order of their places. It depends on
// the seed, the VC and the clock only.
func (s *Sim) drawn(v int32) int32 {
	k := int(Draw(s.o.Seed, uint64(s.modelVC(v)), uint64(s.now)) % uint64(len(s.choice)))
	for i := range s.choice { // selection of the k-th smallest
		least := i
		for j := i + 1; j < len(s.choice); j++ {
			if s.vc[s.choice[j]].place < s.vc[s.choice[least]].place {
				least = j
			}
		}
		s.choice[i], s.choice[least] = s.choice[least], s.choice[i]
		if i == k {
			break
		}
	}
	return s.choice[k]
}

// Draw returns a pseudo-random number that depends only on its arguments (splitmix64; G. Steele,
// D. Lea and C. Flood, OOPSLA 2014).
func Draw(seed, a, b uint64) uint64 {
	z := seed ^ a*0x9E3779B97F4A7C15 ^ b*0xBF58476D1CE4E5B9
	z += 0x9E3779B97F4A7C15
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}
