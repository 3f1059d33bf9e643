package cert

import "slices"

// This file judges that a run from the empty network reaches the deadlock that refutes deadlock-free (evidence
// "moves").
//
// The model: each packet has the path of the evidence of deadlock-free, and holds k VCs at its end: the number of
// Holds, or one. Its first move takes its head from its host to the injection VC, and on to the second VC of its
// path. Each further move takes its head to the next VC of the path. A head enters a VC that no packet holds, itself
// included. The packet holds the last k VCs between switches up to its head. If its path has at most k of them so
// far, it also holds its injection VC, because its tail is there.
//
// Premises: a VC holds flits of one packet at a time. A packet may stop in each VC for any time. A packet of k VCs has
// the flits to fill them. With buffers for several packets, take as many packets as a VC holds in place of each.

// makeMoves judges the evidence moves.
func (r *Routing) makeMoves(claim *Claim) error {
	free := r.Certificate.Claim(ClaimDeadlockFree)
	if free == nil || free.Verdict != Refuted || free.Evidence != EvidenceConfiguration && free.Evidence != EvidenceWorms {
		return Reject(claim.Claim, "rests on packets that refute %s, which the certificate does not have", ClaimDeadlockFree)
	}
	run := moves{holder: map[int32]int{}}
	for i := range free.Packets {
		p := &free.Packets[i]
		if p.Group != nil {
			return Reject(claim.Claim, "packet %d is of a multicast group, whose copies do not move one after the other", i)
		}
		m := mover{holds: 1}
		if free.Holds != nil {
			m.holds = int((*free.Holds)[i])
		}
		for j := 0; j < len(p.Path); j += 2 {
			m.path = append(m.path, p.Path[j])
		}
		run.packets = append(run.packets, m)
	}
	for n, i := range *claim.Moves {
		if i < 0 || int(i) >= len(run.packets) {
			return Reject(claim.Claim, "move %d is of packet %d of %d", n, i, len(run.packets))
		}
		if vc, by, ok := run.move(int(i)); !ok {
			return Reject(claim.Claim, "move %d: packet %d cannot enter VC %d, which packet %d holds, or has no further VC", n, i, vc, by)
		}
	}
	if i := slices.IndexFunc(run.packets, func(m mover) bool { return m.at < len(m.path)-1 }); i >= 0 {
		return Reject(claim.Claim, "after the last move packet %d is not at the end of its path", i)
	}
	return nil
}

// moves is packets on their paths.
type moves struct {
	packets []mover
	holder  map[int32]int // by VC: the packet that holds it
}

// mover is a packet.
type mover struct {
	path  []int32 // VCs, the injection VC first
	holds int     // the number of VCs between switches that it fills
	at    int     // the place of its head on the path; 0 before its first move
}

// move takes the head of packet i one VC on. If another packet holds this VC, or the injection VC that the
// packet starts on, or the path has ended, it returns false with the VC and its holder.
func (m *moves) move(i int) (vc int32, by int, ok bool) {
	p := &m.packets[i]
	if p.at == 0 {
		if by, held := m.holder[p.path[0]]; held {
			return p.path[0], by, false
		}
		m.holder[p.path[0]] = i
	}
	if p.at+1 >= len(p.path) {
		return p.path[p.at], i, false
	}
	p.at++
	if by, held := m.holder[p.path[p.at]]; held {
		return p.path[p.at], by, false
	}
	m.holder[p.path[p.at]] = i
	if p.at >= p.holds {
		delete(m.holder, p.path[p.at-p.holds])
	}
	return 0, 0, true
}
