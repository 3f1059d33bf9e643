package cert

// This file judges the claim acyclic-cdg. It also judges deadlock-free by that claim.

// numbering accepts a numbering. Enumerate has compared every dependency with
// the ranks: each leads to a greater rank, so none closes a cycle.
func (r *Routing) numbering(*Claim) error { return nil }

// cycle judges a cycle of dependencies. Each dependency is the last hop of one packet.
func (r *Routing) cycle(claim *Claim) error {
	visited := make(map[int32]bool, len(claim.Packets))
	first, last := int32(-1), int32(-1)
	for i := range claim.Packets {
		p := &claim.Packets[i]
		at, err := r.Follow(claim.Claim, i, p)
		if err != nil {
			return err
		}
		if len(p.Path) < 4 {
			return Reject(claim.Claim, "packet %d has passed one VC only, and shows no dependency", i)
		}
		from := p.Path[len(p.Path)-4]
		if i == 0 {
			first = from
		} else if from != last {
			return Reject(claim.Claim, "packet %d depends from VC %d, but the packet before it led to VC %d", i, from, last)
		}
		if last = at.VC; visited[last] {
			return Reject(claim.Claim, "the cycle visits VC %d twice", last)
		}
		visited[last] = true
	}
	if first != last {
		return Reject(claim.Claim, "the dependencies begin at VC %d and end at VC %d: no cycle", first, last)
	}
	for vc := range visited {
		if vc < first {
			return Reject(claim.Claim, "the cycle begins at VC %d, though it visits VC %d, which is smaller", first, vc)
		}
	}
	return nil
}

// RestsOnAcyclic judges deadlock-free by the claim acyclic-cdg of the same certificate.
//
// Theorem (W. J. Dally and C. L. Seitz, IEEE Transactions on Computers C-36(5),
// 1987): no deadlock arises if the channel dependency graph has no cycle.
//
// Premises: a packet waits for VCs that its routing permits at its head; a packet
// that arrives is consumed; a VC is emptied by the one packet, or the queue of
// packets, that holds it. Multicast packets under wormhole switching fit into every buffer (otherwise: copyorder.go).
//
// The theorem holds for each switching of Subject.Switching, and for one or several
// next hops. Proof: take the VC with the greatest number among the VCs that are
// held. Its packet waits only for VCs with greater numbers, and none of these is held.
func RestsOnAcyclic(c *Certificate) error {
	if first := &c.Claims[0]; first.Claim != ClaimAcyclic || first.Verdict != Proved {
		return Reject(ClaimDeadlockFree, "rests on %s, which the certificate does not prove", ClaimAcyclic)
	}
	return nil
}

// restsOnAcyclic rejects multicast groups under wormhole switching, unless packets fit into all buffers. A packet longer than a buffer
// holds the VCs of a branch, without flits there, while another branch waits. Such a VC of greater number does not move its packet on.
func (r *Routing) restsOnAcyclic(*Claim) error {
	if s := &r.Certificate.Subject; s.Multicast != nil && s.Switching == "wormhole" && !s.Facts.HoldsCopies() {
		return Reject(ClaimDeadlockFree, "%s shows nothing for multicast packets under wormhole switching that may be longer than a buffer", ClaimAcyclic)
	}
	return RestsOnAcyclic(r.Certificate)
}
