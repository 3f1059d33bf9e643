package cert

import (
	"math"
	"slices"
)

// checkAsked judges that an escape hop leads to each ranked VC. asked has the VCs that escape hops lead to.
func (o *escapeOrder) checkAsked(asked []bool) error {
	if o == nil {
		return nil
	}
	for vc, rank := range o.ranks {
		if rank >= 0 && !asked[vc] {
			return Reject(ClaimDeadlockFree, "VC %d has a rank, but no escape hop leads there", vc)
		}
	}
	return nil
}

// escape judges (1) and (2) for the states of a block.
func (s *reach) escape() error {
	if s.escapes == nil {
		return nil
	}
	for i := range s.VCs {
		if err := s.checkEscapes(i); err != nil {
			return err
		}
	}
	if len(s.sorted) < len(s.VCs) {
		return s.checkRequests()
	}
	// The least request that each state can reach, from the last state to the first.
	s.least = resized(s.least, len(s.VCs))
	for _, i := range slices.Backward(s.sorted) {
		least := int32(math.MaxInt32)
		for k, to := range s.after(i) {
			if j := int(s.first[i]) + k; s.Escape[j] == 1 {
				least = min(least, s.escapes.ranks[s.Hops[j]])
			} else if to >= 0 {
				least = min(least, s.least[to])
			}
		}
		s.least[i] = least
		if err := s.below(least, int(i)); err != nil {
			return err
		}
	}
	return nil
}

// checkEscapes judges (1) for state i.
func (s *reach) checkEscapes(i int) error {
	outs, after := 0, s.after(int32(i))
	for k, to := range after {
		j := int(s.first[i]) + k
		flag, vc := s.Escape[j], s.Hops[j]
		switch {
		case flag != 0 && flag != 1:
			return Reject(ClaimDeadlockFree, "escape flag %d of %v to destination %d", flag, s.key(i), s.firstDest())
		case flag == 1 && (to < 0 || s.escapes.ranks[vc] < 0):
			return Reject(ClaimDeadlockFree, "an escape hop leads to VC %d, which has no rank", vc)
		case flag == 1:
			s.asked[vc] = true
			outs++
		case to < 0:
			outs++
		}
	}
	if s.commitsAt(i) && outs < len(after) {
		return Reject(ClaimDeadlockFree, "%v to destination %d waits for one next hop, and one of them is neither an escape hop "+
			"nor ejection", s.key(i), s.firstDest())
	}
	if outs == 0 {
		return Reject(ClaimDeadlockFree, "no escape hop leaves %v to destination %d", s.key(i), s.firstDest())
	}
	return nil
}

// checkRequests judges (2) for states that packets can come back to. It goes backwards from the requests, lowest
// first, along hops that are no escape hops.
func (s *reach) checkRequests() error {
	s.then, s.source = resized(s.then, len(s.Hops)), resized(s.source, len(s.Hops))
	least, most := int32(len(s.by)), int32(-1)
	defer func() {
		for rank := least; rank <= most; rank++ {
			s.by[rank] = 0
		}
	}()
	for i := range s.VCs {
		for j := s.first[i]; j < s.first[i+1]; j++ {
			if s.Escape[j] == 1 {
				rank := s.escapes.ranks[s.Hops[j]]
				s.source[j], s.then[j], s.by[rank] = int32(i), s.by[rank], j+1
				least, most = min(least, rank), max(most, rank)
			}
		}
	}
	s.reverse(func(k int) bool { return s.Escape[k] == 0 })
	s.fresh()
	for rank := least; rank <= most; rank++ {
		for j := s.by[rank]; j > 0; j = s.then[j-1] {
			n := len(s.queue)
			for s.visit(s.source[j-1]); n < len(s.queue); n++ {
				i := s.queue[n]
				if err := s.below(rank, int(i)); err != nil {
					return err
				}
				for _, from := range s.before[s.firstIn[i]:s.firstIn[i+1]] {
					s.visit(from)
				}
			}
		}
	}
	return nil
}

// below judges that the VC of state i, if ranked, has a rank below rank, the least request that
// its packets can reach.
func (s *reach) below(rank int32, i int) error {
	at := s.key(i)
	if int(at.VC) >= s.LinkVCs() || s.escapes.ranks[at.VC] < rank {
		return nil
	}
	return Reject(ClaimDeadlockFree, "rank %d of VC %d is not below rank %d, which packets on it to destination %d may request as their escape",
		s.escapes.ranks[at.VC], at.VC, rank, s.firstDest())
}

// An escapeOrder is the escape of a claim.
type escapeOrder struct {
	ranks []int32 // by VC between switches; -1: no escape hop leads there
	flags []int32 // by next hop, in the order of States: 1 for an escape hop
}
