package cert

import "slices"

// This file judges refutations of the claims deterministic and fully-adaptive.

// twoHops judges two packets from one source to one destination that have different hops in the same state, or that are created in different
// classes.
func (r *Routing) twoHops(claim *Claim) error {
	if len(claim.Packets) != 2 {
		return Reject(claim.Claim, "%d packets; want 2", len(claim.Packets))
	}
	p, q := &claim.Packets[0], &claim.Packets[1]
	for i, x := range claim.Packets {
		if _, err := r.Follow(claim.Claim, i, &x); err != nil {
			return err
		}
	}
	last := len(p.Path) - 2
	if p.Source != q.Source || p.Destination != q.Destination || len(q.Path) != len(p.Path) || !slices.Equal(p.Path[:last], q.Path[:last]) {
		return Reject(claim.Claim, "the packets are not of one pair, or differ before the end of their paths")
	}
	if slices.Compare(p.Path, q.Path) >= 0 {
		return Reject(claim.Claim, "the packets have the same path, or are not ascending by the last state")
	}
	return nil
}

// barred judges a path of channels that leads nearer to the destination with each hop, and that no packet can take. It has the VCs with
// number 0 of its channels, all in class 0; the packets may have any VCs and classes.
func (r *Routing) barred(claim *Claim) error {
	p, err := Single(claim)
	if err != nil {
		return err
	}
	if p.Group != nil || p.Class != 0 {
		return Reject(claim.Claim, "a packet with a multicast group or a class")
	}
	if err := r.pair(claim.Claim, 0, p); err != nil {
		return err
	}
	if len(p.Path) < 2 || len(p.Path)%2 != 0 || p.Path[0] != r.Injection(int32(p.Source))*r.VCs {
		return Reject(claim.Claim, "the path does not begin at the source")
	}
	at := map[State]bool{} // where packets that follow the path can be
	for _, k := range r.Injections(p.Source, p.Destination) {
		at[State{p.Path[0], k}] = true
	}
	_, ends := r.Traffic()
	distance := r.distances(r.Head[r.Injection(ends[p.Destination])])
	for j := 0; j < len(p.Path); j += 2 {
		vc := p.Path[j]
		if vc < 0 || vc%r.VCs != 0 || p.Path[j+1] != 0 {
			return Reject(claim.Claim, "VC %d, class %d; want the first VC of a channel, and class 0", vc, p.Path[j+1])
		}
		if j == 0 {
			continue
		}
		if int(vc) >= r.LinkVCs() {
			return Reject(claim.Claim, "a hop that does not lead to another switch")
		}
		u := r.Head[p.Path[j-2]/r.VCs]
		if c := vc / r.VCs; r.Head[r.Back(c)] != u || distance[u] < 0 || distance[r.Head[c]] != distance[u]-1 {
			return Reject(claim.Claim, "VC %d does not lead nearer to the destination from the end of the path before", vc)
		}
		next := map[State]bool{}
		for s := range at {
			for _, to := range r.Next(p.Destination, s, nil) {
				if to.VC/r.VCs == vc/r.VCs {
					next[to] = true
				}
			}
		}
		at = next
	}
	if len(at) > 0 {
		return Reject(claim.Claim, "a packet can take this path")
	}
	return nil
}
