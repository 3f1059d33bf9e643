package engine

// This file compares heads and flits that compete.

// older reports whether the front packet of v precedes that of w. With OldestFirst, the packet
// created earlier precedes; on a tie, the one with the lower source. With FirstCome, the packet
// that arrived earlier precedes; on a tie, the one next after the pointer.
func (s *state) older(v, w int32, place, other, pointer int16) bool {
	if s.o.Arbiter == FirstCome {
		if s.came[v] != s.came[w] {
			return s.came[v] < s.came[w]
		}
		return after(place, pointer, maxPairs) < after(other, pointer, maxPairs)
	}
	a, b := &s.packet[s.front(v)], &s.packet[s.front(w)]
	switch {
	case a.created != b.created:
		return a.created < b.created
	case a.source != b.source:
		return a.source < b.source
	}
	return a.id < b.id
}

// sooner reports whether head v prefers to accept w rather than other.
func (s *state) sooner(v, w, other int32) bool {
	all, from := s.port[s.vc[v].in].ports*int16(s.vcs), s.vc[v].accept
	return after(s.vc[w].place, from, all) < after(s.vc[other].place, from, all)
}
