package agree

import "slices"

// This file finds by exhaustive search how few turns a set without cycles that joins all
// switches with hosts must prohibit.
//
// Method: as long as the allowed turns close a cycle, one turn of a shortest one must go; each
// is tried, as many deep as turns may be prohibited, one more each time. A turn that was tried
// before is kept on the branches after it, since sets without it have been looked at. Where no
// cycle is left the switches must be joined; if they are not, prohibiting more does not help.
// Cost: up to the length of a cycle to the power of the turns prohibited.

// search is a search for sets of so many prohibited turns.
type search struct {
	*turnTable
	keep  map[[2]int]bool
	steps int // that are left
}

// fewestTurns returns the least number of prohibited turns, false if more steps than most
// are needed to find it.
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

// within reports whether prohibiting k turns more is enough.
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

// apart is how many cycles without a turn in common are found one after the other.
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

// shortest returns the channels of a shortest cycle, nil if there is none.
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
