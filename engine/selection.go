package engine

// This file selects one of the permitted output VCs, for rules that do not request all of them.
//
// Sources: W. Dally and B. Towles, Principles and Practices of Interconnection Networks, 2004,
// section 10.2 (least loaded, random); the ordered preference of North-First+1 (Matoyama, Miura
// and Watanabe, RC-005).

// selection chooses without a state.
type selection func(s *kernel, v int32, list []int32) int32

func (f selection) choose(s *kernel, v int32, list []int32) int32 { return f(s, v, list) }

func (f selection) clone() mechanism { return f }

// newSelection returns the selection rule of the options, or nil if it has a state or heads request all VCs.
func newSelection(s *kernel) (mechanism, error) {
	switch s.o.Select {
	case SelectOrder:
		return selection(func(_ *kernel, _ int32, list []int32) int32 { return list[0] }), nil
	case SelectRandom:
		return selection(random), nil
	case SelectLowest:
		return best(func(s *kernel, _, w, other int32) bool { return s.vc[w].place < s.vc[other].place }), nil
	case SelectTurn:
		return best((*kernel).sooner), nil
	case SelectLoad:
		return best(func(s *kernel, _, w, other int32) bool { return lessLoaded(s, w, other) }), nil
	case SelectFreeVCs:
		return estimate(freeVCs), nil
	case SelectCrossbar:
		return estimate(crossbar), nil
	}
	return nil, nil
}

// best returns the rule that prefers w to other if better says so.
func best(better func(s *kernel, v, w, other int32) bool) selection {
	return func(s *kernel, v int32, list []int32) int32 {
		best := list[0]
		for _, w := range list[1:] {
			if better(s, v, w, best) {
				best = w
			}
		}
		return best
	}
}

// lessLoaded reports whether w has more free slots than other, or as many and a lower place.
func lessLoaded(s *kernel, w, other int32) bool {
	if a, b := slotsOf(s, w), slotsOf(s, other); a != b {
		return a > b
	}
	return s.vc[w].place < s.vc[other].place
}

// slotsOf returns the number of free slots of output VC w. A host always has room.
func slotsOf(s *kernel, w int32) int {
	if s.port[s.vc[w].in].eject {
		return maxBuffer + 1
	}
	return int(s.vc[w].credits)
}

// random returns a random choice among the VCs of list in the order of their places. It depends on
// the seed, the VC and the clock only.
func random(s *kernel, v int32, list []int32) int32 {
	k := int(Draw(s.o.Seed, uint64(s.modelVC(v)), uint64(s.now)) % uint64(len(list)))
	for i := range list { // selection of the k-th smallest
		least := i
		for j := i + 1; j < len(list); j++ {
			if s.vc[list[j]].place < s.vc[list[least]].place {
				least = j
			}
		}
		list[i], list[least] = list[least], list[i]
		if i == k {
			break
		}
	}
	return list[k]
}
