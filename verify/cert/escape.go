package cert

import (
	"math"
	"slices"
)

// This file judges an escape (evidence "escape"). An escape proves adaptive routing
// deadlock-free under wormhole switching, where a packet may hold many VCs.
//
// Theorem (after J. Duato, IEEE Transactions on Parallel and Distributed Systems 4(12),
// 1993, and 6(10), 1995). Select some hops of each state as its escape hops, and give the
// VCs that escape hops lead to ranks. Suppose that
//
//	(1) each reachable state has an escape hop or a hop to an ejection channel. A state
//	    where a packet waits for one next hop has no other hops;
//	(2) if a packet on a ranked VC a takes any number of hops that are no escape hops, and
//	    its state then has an escape hop to b, the rank of b is greater than that of a.
//
// Then no deadlock exists.
//
// Proof. Let heads move by escape hops and to ejection only. By (2) each packet takes finitely
// many escape hops, so these moves end. Suppose that packets are left. Let P be one whose head
// waits, b the VC of an escape hop of P, and Q the first packet in b. Consider the path of Q
// from b to its head. Let c be the last VC that Q reached on it by an escape hop, or b if there
// is none. By (2) the rank of c is at least that of b. After c, Q took no escape hop. Q cannot
// move, so by (1) it has an escape hop, to a VC e. By (2) the rank of e is greater than that of
// c, and so greater than that of b. The same holds for Q in place of P, so ranks increase
// without end, a contradiction. So some continuation empties the network.
//
// Premises: a VC takes a new packet only when it is empty, or only when it has room for all of
// it. A packet waits for any permitted VC and keeps asking. Otherwise a head could wait behind
// another packet while its flits hold other VCs. That packet would have no escape.

// escapeOf returns the escape of a claim, or nil if no claim has one.
func escapeOf(c *Certificate, wires *Wiring) (*escapeOrder, error) {
	for i := range c.Claims {
		claim := &c.Claims[i]
		if claim.Evidence != EvidenceEscape {
			continue
		}
		if c.Subject.Relation == nil {
			return nil, Reject(claim.Claim, "an escape needs a relation, not a table")
		}
		return &escapeOrder{*claim.Ranks, *claim.Escape}, checkRanks(claim, wires)
	}
	return nil, nil
}

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

// hopsBefore returns the number of next hops of the states before state i. A state has four
// numbers, and two for each hop.
func (r *listed) hopsBefore(i int) int { return (r.from[i] - 4*i) / 2 }

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

// checkRanks judges that the ranks of an escape that are not -1 are a permutation of 0..k-1.
func checkRanks(c *Claim, wires *Wiring) error {
	if len(*c.Ranks) != wires.LinkVCs() {
		return Reject(c.Claim, "%d ranks for %d VCs between switches", len(*c.Ranks), wires.LinkVCs())
	}
	taken, count := make([]bool, len(*c.Ranks)), 0
	for vc, rank := range *c.Ranks {
		switch {
		case rank == -1:
			continue
		case rank < 0 || int(rank) >= len(taken):
			return Reject(c.Claim, "rank %d of VC %d is out of range", rank, vc)
		case taken[rank]:
			return Reject(c.Claim, "rank %d of VC %d is that of another VC too", rank, vc)
		}
		taken[rank] = true
		count++
	}
	for rank := range count {
		if !taken[rank] {
			return Reject(c.Claim, "%d VCs have ranks, but none has rank %d", count, rank)
		}
	}
	return nil
}

// escape accepts an escape, which Enumerate has compared with every state.
func (r *Routing) escape(claim *Claim) error {
	if r.groups != nil {
		return Reject(claim.Claim, "an escape proves nothing about multicast packets")
	}
	return nil
}
