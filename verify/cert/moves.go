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
// The path of a multicast packet follows one copy. With each move the other copies that the switch makes go on, one after the other, until
// hosts consume them. No packet holds the VCs that they pass, and no copy comes back to a VC. Then the tail of the packet leaves.
//
// Premises: a VC holds flits of one packet at a time. A packet may stop in each VC for any time. A packet of k VCs has
// the flits to fill them. With buffers for several packets, take as many packets as a VC holds in place of each.

// makeMoves judges the evidence moves.
func (r *Routing) makeMoves(claim *Claim) error {
	free := r.Certificate.Claim(ClaimDeadlockFree)
	if free == nil || free.Verdict != Refuted || free.Evidence != EvidenceConfiguration && free.Evidence != EvidenceWorms {
		return Reject(claim.Claim, "rests on packets that refute %s, which the certificate does not have", ClaimDeadlockFree)
	}
	if err := r.checkShapes(claim, free); err != nil {
		return err
	}
	run := moves{holder: map[int32]int{}, groups: r.groups}
	for i := range free.Packets {
		p := &free.Packets[i]
		m := mover{holds: 1, group: -1}
		if p.Group != nil {
			m.group = *p.Group
		}
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
		if vc, err := run.deliverCopies(int(i)); err != nil || vc >= 0 {
			return Reject(claim.Claim, "move %d: another copy of packet %d cannot pass VC %d (%v)", n, i, vc, err)
		}
		run.leaveTail(int(i))
	}
	if i := slices.IndexFunc(run.packets, func(m mover) bool { return m.at < len(m.path)-1 }); i >= 0 {
		return Reject(claim.Claim, "after the last move packet %d is not at the end of its path", i)
	}
	return nil
}

// checkShapes rejects moves that buffers of different sizes do not permit: packets that hold several VCs, or several packets in
// place of each one.
func (r *Routing) checkShapes(claim, free *Claim) error {
	facts := r.Certificate.Subject.Facts
	if facts.equalBuffers() == False && facts.onePacket() != True {
		return Reject(claim.Claim, "the buffers have different sizes, and a VC may hold several packets")
	}
	if free.Holds != nil && slices.Max(*free.Holds) > 1 && facts.sameShape() == False {
		return Reject(claim.Claim, "the buffers have different sizes, and a packet holds several VCs")
	}
	return nil
}

// moves is packets on their paths.
type moves struct {
	packets []mover
	holder  map[int32]int // by VC: the packet that holds it
	groups  *multicast
}

// mover is a packet.
type mover struct {
	path  []int32 // VCs, the injection VC first
	group int     // its multicast group, or -1
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
	return 0, 0, true
}

// leaveTail takes the tail of packet i, whose head has moved, out of the oldest VC if the packet holds more than it fills.
func (m *moves) leaveTail(i int) {
	if p := &m.packets[i]; p.at >= p.holds {
		delete(m.holder, p.path[p.at-p.holds])
	}
}

// deliverCopies delivers the copies of packet i that were made with its last move, except the one on its path. It
// returns a VC that a packet holds and a copy must pass, or that a copy comes back to, or -1.
func (m *moves) deliverCopies(i int) (int32, error) {
	p := &m.packets[i]
	if p.group < 0 {
		return -1, nil
	}
	m.groups.open(p.group)
	return m.deliver(p.group, p.path[p.at-1], p.path[p.at], map[int32]bool{}, map[int32]bool{})
}

// deliver delivers the copies of a packet on VC x one after the other, except the one on VC except. on has the VCs that copies
// behind them hold, done those whose copies have been delivered.
func (m *moves) deliver(group int, x, except int32, on, done map[int32]bool) (int32, error) {
	list, err := m.groups.copies(group, x/m.groups.VCs, nil)
	if err != nil {
		return -1, err
	}
	for _, y := range list {
		if y == except || int(y) >= m.groups.LinkVCs() || done[y] {
			continue
		}
		if _, held := m.holder[y]; held || on[y] {
			return y, nil
		}
		on[y] = true
		if vc, err := m.deliver(group, y, -1, on, done); vc >= 0 || err != nil {
			return vc, err
		}
		on[y], done[y] = false, true
	}
	return -1, nil
}
