package cert

// This file judges the claim connected by the counts of the enumeration.

// connected judges the number of pairs, and that no packet of any pair can get lost.
func (r *Routing) connected(claim *Claim) error {
	if err := r.count(claim); err != nil {
		return err
	}
	if r.unreachable != 0 {
		return Reject(claim.Claim, "packets of %d of %d pairs can get lost", r.unreachable, r.pairs)
	}
	return nil
}

// count judges the number of pairs.
func (r *Routing) count(claim *Claim) error {
	if *claim.Pairs != r.pairs {
		return Reject(claim.Claim, "%d pairs of source and destination, not %d", r.pairs, *claim.Pairs)
	}
	return nil
}

// lostPacket judges the counts, and that the packet shown is lost as claimed.
func (r *Routing) lostPacket(claim *Claim) error {
	if err := r.count(claim); err != nil {
		return err
	}
	if *claim.Unreachable != r.unreachable {
		return Reject(claim.Claim, "packets of %d pairs can get lost, not of %d", r.unreachable, *claim.Unreachable)
	}
	p, err := Single(claim)
	if err != nil {
		return err
	}
	if claim.End == EndNoClass {
		return r.noClass(claim.Claim, p)
	}
	at, err := r.Follow(claim.Claim, 0, p)
	if err != nil {
		return err
	}
	if end := r.endOf(p.Destination, at); end != claim.End {
		return Reject(claim.Claim, "the packet is %s at VC %d, not %.80q", end, at.VC, claim.End)
	}
	return nil
}

// endOf returns what happens to a packet at the end of its path.
func (r *Routing) endOf(d int, at State) string {
	_, ends := r.Traffic()
	switch c := at.VC / r.VCs; {
	case c == r.Ejection(ends[d]):
		return "arrived"
	case c >= r.Ejection(0):
		return EndWrongHost
	case len(r.Next(d, at, nil)) == 0:
		return EndDropped
	case r.arrives(d, at):
		return "not lost"
	}
	return EndLooping
}

// noClass judges a packet that cannot be sent, because its pair has no class.
func (r *Routing) noClass(claim string, p *Packet) error {
	if err := r.pair(claim, 0, p); err != nil {
		return err
	}
	if p.Class != -1 || len(p.Path) != 0 {
		return Reject(claim, "packet 0 has no class, so neither class %d nor a path", p.Class)
	}
	if r.starts(p.Source, p.Destination, -1) {
		return Reject(claim, "there is a class from %s to destination %d", r.EndpointName(int32(p.Source)), p.Destination)
	}
	return nil
}
