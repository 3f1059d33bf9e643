package engine

// This file chooses one of the output VCs that a head may have, where not all
// are asked for.
//
// Sources: the rules are those of W. Dally and B. Towles, Principles and Practices of
// Interconnection Networks, 2004, section 10.2 (least loaded, random), and of
// North-First+1's ordered preference (Matoyama, Miura and Watanabe, RC-005).

// selected returns the output VC that head v asks for in this clock, -1 if none is
// free.
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
	for _, w := range s.choice[1:] {
		if s.better(v, w, best) {
			best = w
		}
	}
	return best
}

// better reports whether w comes before other by the rule of selection.
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
	return s.outPlace(w) < s.outPlace(other)
}

// slots are the free slots of an output VC; a host has room for ever.
func (s *Sim) slots(w int32) int {
	if s.port[s.vc[w].in].eject {
		return maxBuffer + 1
	}
	return int(s.vc[w].credits)
}

// drawn returns one of the choice, by a number that depends on the seed, the VC and
// the clock only: candidate by candidate in the order of their places.
func (s *Sim) drawn(v int32) int32 {
	k := int(Draw(s.o.Seed, uint64(s.modelVC(v)), uint64(s.now)) % uint64(len(s.choice)))
	for i := range s.choice { // the k-th smallest, by selection
		least := i
		for j := i + 1; j < len(s.choice); j++ {
			if s.outPlace(s.choice[j]) < s.outPlace(s.choice[least]) {
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

// Draw returns a number that depends on its arguments only and looks random
// (splitmix64; G. Steele, D. Lea and C. Flood, OOPSLA 2014).
func Draw(seed, a, b uint64) uint64 {
	z := seed ^ a*0x9E3779B97F4A7C15 ^ b*0xBF58476D1CE4E5B9
	z += 0x9E3779B97F4A7C15
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}
