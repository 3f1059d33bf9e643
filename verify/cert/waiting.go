package cert

import "slices"

// This file says for which of several next hops a packet waits.
//
// A packet in a state that commits waits for one next hop. This hop is chosen when the packet
// arrives in the state and can be any of the next hops. A relation with such states is
// equal to a relation in which each of these states is replaced by one state for each of its
// next hops, with this hop alone. The rules for elimination, escapes, configurations and worms are the
// rules for packets that wait for any next hop, applied to that relation.

// The values of Subject.Waiting.
const (
	WaitingOne   = "one"
	WaitingMixed = "mixed"
)

// checkWaiting judges the value of Waiting, and that the subject is one that has Waiting.
func checkWaiting(s *Subject) error {
	switch s.Waiting {
	case "":
		return nil
	case WaitingOne, WaitingMixed:
	default:
		return reject("subject", "waiting %.80q, not one or mixed", s.Waiting)
	}
	switch {
	case s.Relation == nil && (s.Product == nil || s.Waiting == WaitingMixed):
		return reject("subject", "waiting %q without a relation", s.Waiting)
	case s.Multicast != nil:
		return reject("subject", "multicast groups are judged with packets that wait for any next hop, not with waiting %q", s.Waiting)
	case s.Gates != nil:
		return reject("subject", "gates are judged of packets that wait for any next hop, not with waiting %q", s.Waiting)
	}
	return nil
}

// readWaiting judges Commits.
func (r *relation) readWaiting(waiting string) error {
	r.one = waiting == WaitingOne
	if (waiting == WaitingMixed) != (r.Commits != nil) {
		return reject("subject", "commits belong to waiting mixed, not to %q", waiting)
	}
	if r.Commits == nil {
		return nil
	}
	states := len(r.from) - 1
	if r.flags = *r.Commits; len(r.flags) != states {
		return reject("subject", "commits: %d flags for %d states", len(r.flags), states)
	}
	several := [2]bool{}
	for i, flag := range r.flags {
		hops := len(r.hops(i)) / 2
		switch {
		case flag != 0 && flag != 1:
			return reject("subject", "commits: flag %d of state %d", flag, i)
		case hops > 1:
			several[flag] = true
		case flag == 1:
			return reject("subject", "commits: state %d has %d next hops, so nothing is chosen there", i, hops)
		}
	}
	if !several[0] || !several[1] {
		return reject("subject", "commits: all states with several next hops have the same flag, which is no mixture")
	}
	return nil
}

// commitsAt reports whether packets in state i wait for one next hop.
func (r *relation) commitsAt(i int) bool { return r.one || r.flags != nil && r.flags[i] == 1 }

func (r *relation) commits(d int, at state) bool {
	i := r.find(r.firstOf[d], r.firstOf[d+1], at)
	return i >= 0 && r.commitsAt(i)
}

func (t *table) commits(int, state) bool { return false } // a table gives at most one next hop

// awaited gives the next hops that packet i of a deadlock waits for at the end of its path, the
// chosen one where the packet commits.
func (e *evidence) awaited(claim *Claim, i int, at state) ([]state, error) {
	d := claim.Packets[i].Destination
	hops, err := e.waits(&claim.Packets[i], at)
	if err != nil {
		return nil, err
	}
	if len(hops) == 0 {
		return nil, reject(claim.Claim, "packet %d has no next hop from VC %d, so is dropped and does not wait", i, at.vc)
	}
	if claim.Chosen == nil {
		return hops, nil
	}
	if len(*claim.Chosen) != len(claim.Packets) {
		return nil, reject(claim.Claim, "%d packets, and for %d of them the chosen VC", len(claim.Packets), len(*claim.Chosen))
	}
	chosen := (*claim.Chosen)[i]
	if !e.commits(d, at) {
		if chosen != -1 {
			return nil, reject(claim.Claim, "packet %d waits for any next hop, but VC %d is said to be chosen", i, chosen)
		}
		return hops, nil
	}
	hops = slices.DeleteFunc(hops, func(to state) bool { return to.vc != chosen })
	if len(hops) == 0 {
		return nil, reject(claim.Claim, "packet %d, on VC %d, waits for one next hop, and none leads to VC %d", i, at.vc, chosen)
	}
	return hops, nil
}
