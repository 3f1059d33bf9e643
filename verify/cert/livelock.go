package cert

// This file judges the claim livelock-free.

// longest judges the largest number of switches that a packet passes. If no packet can
// come back to a state, every path is finite.
func (r *Routing) longest(claim *Claim) error {
	if r.loops >= 0 {
		return Reject(claim.Claim, "a packet to destination %d can come back to a state it was in", r.loops)
	}
	if r.groups != nil {
		if g, err := r.groups.loops(); err != nil {
			return err
		} else if g >= 0 {
			return Reject(claim.Claim, "a copy in multicast group %d can come back to a VC that it was on", g)
		}
	}
	if *claim.Hops != r.hops {
		return Reject(claim.Claim, "a packet passes %d switches at most, not %d", r.hops, *claim.Hops)
	}
	return nil
}

// loop judges a packet that comes back to a state at the end of its path, and only there.
func (r *Routing) loop(claim *Claim) error {
	p, err := Single(claim)
	if err != nil {
		return err
	}
	if _, err := r.Follow(claim.Claim, 0, p); err != nil {
		return err
	}
	seen := make(map[State]bool, len(p.Path)/2)
	for i := 0; i < len(p.Path); i += 2 {
		at := State{p.Path[i], p.Path[i+1]}
		if again, last := seen[at], i == len(p.Path)-2; again != last {
			if last {
				return Reject(claim.Claim, "the packet ends in %v, where it was not before", at)
			}
			return Reject(claim.Claim, "the packet is in %v again before its path ends", at)
		}
		seen[at] = true
	}
	return nil
}
