package cert

import "slices"

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

// checkEscapes judges the flags: one for each next hop, an escape hop to each ranked VC, and no
// escape hop to another VC.
func (r *relation) checkEscapes(o *escapeOrder) error {
	states := len(r.from) - 1
	if len(o.flags) != r.hopsBefore(states) {
		return Reject(ClaimDeadlockFree, "%d escape flags for %d next hops", len(o.flags), r.hopsBefore(states))
	}
	reached := make([]bool, len(o.ranks))
	for i := range states {
		hops := r.hops(i)
		for j, flag := range o.flags[r.hopsBefore(i):r.hopsBefore(i+1)] {
			vc := hops[2*j]
			switch {
			case flag != 0 && flag != 1:
				return Reject(ClaimDeadlockFree, "escape flag %d of state %d", flag, i)
			case flag == 1 && (int(vc) >= r.LinkVCs() || o.ranks[vc] < 0):
				return Reject(ClaimDeadlockFree, "an escape hop leads to VC %d, which has no rank", vc)
			case flag == 1:
				reached[vc] = true
			}
		}
	}
	for vc, rank := range o.ranks {
		if rank >= 0 && !reached[vc] {
			return Reject(ClaimDeadlockFree, "VC %d has a rank, but no escape hop leads there", vc)
		}
	}
	return nil
}

// hopsBefore returns the number of next hops of the states before state i. A state has four
// numbers, and two for each hop.
func (r *relation) hopsBefore(i int) int { return (r.from[i] - 4*i) / 2 }

// request is an escape hop of a state.
type request struct {
	rank int32
	at   int // the number of the state, counted from lo
}

// escape judges (1) and (2) for the states of one destination. It finds the least request that
// each state can reach: it goes backwards from the requests, lowest first, along hops that
// are no escape hops.
func (s *reach) escape() error {
	o := s.escapes
	if o == nil {
		return nil
	}
	var requests []request
	for i := s.lo; i < s.hi; i++ {
		outs, after := 0, s.after(i-s.lo)
		flags := o.flags[s.hopsBefore(i):s.hopsBefore(i+1)]
		for j, to := range after {
			if flags[j] == 1 {
				requests = append(requests, request{o.ranks[s.hops(i)[2*j]], i - s.lo})
			}
			if to < 0 || flags[j] == 1 {
				outs++
			}
		}
		if s.commitsAt(i) && outs < len(after) {
			return Reject(ClaimDeadlockFree, "%v to destination %d waits for one next hop, and one of them is neither an escape hop "+
				"nor ejection", s.key(i), s.d)
		}
		if outs == 0 {
			return Reject(ClaimDeadlockFree, "no escape hop leaves %v to destination %d", s.key(i), s.d)
		}
	}
	slices.SortFunc(requests, func(a, b request) int { return int(a.rank) - int(b.rank) })
	first := s.hopsBefore(s.lo)
	s.reverse(func(k int) bool { return o.flags[first+k] == 0 })
	s.fresh()
	for _, q := range requests {
		n := len(s.queue)
		for s.visit(q.at); n < len(s.queue); n++ {
			i := s.queue[n]
			if err := s.below(q.rank, i); err != nil {
				return err
			}
			for _, from := range s.before[s.firstIn[i]:s.firstIn[i+1]] {
				s.visit(from)
			}
		}
	}
	return nil
}

// below judges that the VC of state i, if ranked, has a rank below rank, the least request that
// its packets can reach.
func (s *reach) below(rank int32, i int) error {
	at := s.key(s.lo + i)
	if int(at.VC) >= s.LinkVCs() || s.escapes.ranks[at.VC] < rank {
		return nil
	}
	return Reject(ClaimDeadlockFree, "rank %d of VC %d is not below rank %d, which packets on it to destination %d may request as their escape",
		s.escapes.ranks[at.VC], at.VC, rank, s.d)
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
