package cert

// This file follows the packets that evidence shows.

// Follow follows packet i of a claim along its path, hop by hop, and returns the
// last state. It rejects the claim unless each hop is permitted, so every state on
// the path is reachable.
func (r *Routing) Follow(claim string, i int, p *Packet) (State, error) {
	if p.Group != nil {
		return r.groups.follow(claim, i, p)
	}
	if err := r.pair(claim, i, p); err != nil {
		return State{}, err
	}
	if int(int32(p.Class)) != p.Class || p.Class < 0 || !r.starts(p.Source, p.Destination, int32(p.Class)) {
		return State{}, Reject(claim, "packet %d: %s may not send to destination %d with class %d",
			i, r.EndpointName(int32(p.Source)), p.Destination, p.Class)
	}
	at := State{r.Injection(int32(p.Source)) * r.VCs, int32(p.Class)}
	if len(p.Path) < 2 || len(p.Path)%2 != 0 || (State{p.Path[0], p.Path[1]}) != at {
		return State{}, Reject(claim, "packet %d: the path does not begin with %v", i, at)
	}
	for j := 2; j < len(p.Path); j += 2 {
		to := State{p.Path[j], p.Path[j+1]}
		if !r.permits(p.Destination, at, to) {
			return State{}, Reject(claim, "packet %d: %v is no next hop of %v to destination %d", i, to, at, p.Destination)
		}
		at = to
	}
	return at, nil
}

// pair rejects packet i unless its source may send to its destination at all.
func (r *Routing) pair(claim string, i int, p *Packet) error {
	sources, ends := r.Traffic()
	switch {
	case p.Source < 0 || p.Source >= sources:
		return Reject(claim, "packet %d: source %d of %d", i, p.Source, sources)
	case p.Destination < 0 || p.Destination >= len(ends):
		return Reject(claim, "packet %d: destination %d of %d", i, p.Destination, len(ends))
	case int(ends[p.Destination]) == p.Source:
		return Reject(claim, "packet %d: destination %d is its own source", i, p.Destination)
	case !r.talks(int32(p.Source), int32(p.Destination)):
		return Reject(claim, "packet %d: %s does not send to destination %d", i, r.EndpointName(int32(p.Source)), p.Destination)
	}
	return nil
}

// Single returns the only packet of a claim. It rejects a claim with another number of packets.
func Single(claim *Claim) (*Packet, error) {
	if len(claim.Packets) != 1 {
		return nil, Reject(claim.Claim, "%d packets, where one is shown", len(claim.Packets))
	}
	return &claim.Packets[0], nil
}
