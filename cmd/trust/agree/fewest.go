package agree

import "slices"

// This file finds by exhaustive search the fewest prohibited turns of a turn set that has no cycle and
// connects all switches with hosts.
//
// Method: iterative deepening. As long as the allowed turns close a cycle, one turn of a shortest cycle
// must be prohibited; the search tries each. A turn that was tried stays allowed on the later branches,
// since all sets without it were tried. If no cycle is left, the switches must be connected; to prohibit
// more turns does not help. Cost: at most the length of a cycle to the power of the number of turns.

// search searches for sets with a number of prohibited turns.
type search struct {
	*turnTable
	keep  map[[2]int]bool
	steps int // number of steps that are left
}

// fewestTurns returns the least number of prohibited turns, and false if the search needs more than most
// steps.
func fewestTurns(t *turnTable, most int) (int, bool) {
	for in := range t.may {
		for out := range t.may {
			t.may[in][out] = t.isTurn(in, out)
		}
	}
	s := &search{t, map[[2]int]bool{}, most}
	for k := 0; s.steps > 0; k++ {
		if s.within(k) {
			return k, true
		}
	}
	return 0, false
}

// within reports whether it is enough to prohibit k more turns.
func (s *search) within(k int) bool {
	if s.steps--; s.steps <= 0 {
		return false
	}
	cycle := s.shortest()
	if cycle == nil {
		return s.lost() == 0
	}
	if s.apart() > k {
		return false
	}
	var kept [][2]int
	found := false
	for i, in := range cycle {
		x := [2]int{in, cycle[(i+1)%len(cycle)]}
		if s.keep[x] {
			continue
		}
		s.may[x[0]][x[1]] = false
		found = s.within(k - 1)
		s.may[x[0]][x[1]] = true
		if found || s.steps <= 0 {
			break
		}
		s.keep[x] = true
		kept = append(kept, x)
	}
	for _, x := range kept {
		delete(s.keep, x)
	}
	return found
}

// apart returns a number of cycles that share no turn. Each needs a prohibited turn of its own.
func (s *search) apart() (k int) {
	var out [][2]int
	for cycle := s.shortest(); cycle != nil; cycle = s.shortest() {
		k++
		for i, in := range cycle {
			x := [2]int{in, cycle[(i+1)%len(cycle)]}
			s.may[x[0]][x[1]] = false
			out = append(out, x)
		}
	}
	for _, x := range out {
		s.may[x[0]][x[1]] = true
	}
	return k
}

// shortest returns the channels of a shortest cycle, or nil if there is no cycle.
func (s *search) shortest() (best []int) {
	for begin := range s.may {
		before := make([]int, len(s.may))
		for c := range before {
			before[c] = -1
		}
		list := []int{begin}
	search:
		for i := 0; i < len(list); i++ {
			for out, may := range s.may[list[i]] {
				if !may {
					continue
				}
				if out == begin {
					var cycle []int
					for c := list[i]; ; c = before[c] {
						if cycle = append(cycle, c); c == begin {
							break
						}
					}
					slices.Reverse(cycle)
					if best == nil || len(cycle) < len(best) {
						best = cycle
					}
					break search
				}
				if before[out] < 0 {
					before[out] = list[i]
					list = append(list, out)
				}
			}
		}
	}
	return best
}
