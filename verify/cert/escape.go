package cert

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
