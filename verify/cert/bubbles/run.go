package bubbles

import (
	"slices"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file judges the evidence bubble-run: a run of packets from empty buffers into a deadlock.
//
// The first move of a packet puts it on its injection channel, each further one on the next VC of its path. A
// packet on an ejection channel is consumed. Virtual cut-through: a VC holds whole packets, first come, first served,
// and a packet moves when it is the first of its VC and the next VC has room. Worms: a worm holds the last VCs of
// its path up to its head, as many as its flits fill; a VC holds one worm. Such a run is a run of the network: every
// packet moves entirely before the next one does.
//
// After the last move each packet that is left must be behind another one in its VC, or each hop of its state must be
// one that it cannot take; with waiting one, some hop, which it has chosen. More packets in the network do not permit more hops. So these packets never move.
//
// At least one packet is left. Every packet reaches the end of its path.

// runState is the state of the network in a run.
type runState struct {
	b     *bubbled
	claim *cert.Claim
	at    []int           // by packet: 1 + the index of its last state on its path; 0: not created
	queue map[int32][]int // by VC: its packets, the first one first
	count []int           // by ring: the packets in it
	ends  []int           // by packet: the last index of its path
}

// run judges Packets and Moves.
func (b *bubbled) run(claim *cert.Claim) error {
	s := &runState{b: b, claim: claim, at: make([]int, len(claim.Packets)), queue: map[int32][]int{}, count: make([]int, len(b.members))}
	for i := range claim.Packets {
		if _, err := b.Follow(claim.Claim, i, &claim.Packets[i]); err != nil {
			return err
		}
		s.ends = append(s.ends, len(claim.Packets[i].Path)/2)
	}
	for k, i := range *claim.Moves {
		if i < 0 || int(i) >= len(s.at) || s.at[i] == s.ends[i] {
			return cert.Reject(claim.Claim, "move %d is of packet %d, which has no further step", k, i)
		}
		if why := s.move(int(i)); why != "" {
			return cert.Reject(claim.Claim, "move %d, of packet %d to VC %d: %s", k, i, s.vc(int(i), s.at[i]), why)
		}
	}
	return s.judgeEnd()
}

// vc returns the VC of the state of packet i with an index on its path.
func (s *runState) vc(i, k int) int32 { return s.claim.Packets[i].Path[2*k] }

// holds returns the number of VCs that packet i holds.
func (s *runState) holds(i int) int { return min(s.b.each, s.at[i]) }

// refuses says why packet i cannot move from VC from, or its host (-1), to VC to, or returns "".
func (s *runState) refuses(from, to int32) string {
	b := s.b
	if int(to) >= b.LinkVCs() && to/b.VCs >= b.Ejection(0) {
		return ""
	}
	packets := len(s.queue[to])
	if b.Kind == worm {
		if packets > 0 {
			return "the VC is not empty"
		}
	} else if b.Buffer-packets*b.Packet < b.Packet {
		return "the VC has no room"
	}
	if from < 0 || !b.isGuarded(from, to) {
		return ""
	}
	if b.Kind == local && b.Buffer-packets*b.Packet < b.room {
		return "the VC has no room for a packet that enters the ring"
	}
	if s.count[b.ring[to]] > b.most[b.ring[to]] {
		return "the ring has no room for a packet that enters it"
	}
	return ""
}

// move takes the next step of packet i, or says why it cannot.
func (s *runState) move(i int) string {
	b, k := s.b, s.at[i]
	to, from := s.vc(i, k), int32(-1)
	if k > 0 {
		if from = s.vc(i, k-1); s.queue[from][0] != i {
			return "another packet is before it"
		}
	}
	if why := s.refuses(from, to); why != "" {
		return why
	}
	isOut := to/b.VCs >= b.Ejection(0)
	before := s.ringsOf(i)
	if s.at[i]++; isOut {
		for j := max(0, k-b.each); j < k; j++ {
			s.remove(i, s.vc(i, j))
		}
		s.recount(before, nil)
		return ""
	}
	s.queue[to] = append(s.queue[to], i)
	if k >= b.each {
		s.remove(i, s.vc(i, k-b.each))
	}
	s.recount(before, s.ringsOf(i))
	return ""
}

// remove removes packet i from VC v.
func (s *runState) remove(i int, v int32) {
	s.queue[v] = slices.DeleteFunc(s.queue[v], func(p int) bool { return p == i })
}

// ringsOf returns the rings in which packet i is: those of the VCs that it holds. A ring is listed once for each of the
// packet's entries to it.
func (s *runState) ringsOf(i int) (list []int32) {
	last := int32(-1)
	for j := s.at[i] - s.holds(i); j < s.at[i]; j++ {
		ring := int32(-1)
		if v := s.vc(i, j); int(v) < s.b.LinkVCs() {
			ring = s.b.ring[v]
		}
		if ring >= 0 && ring != last {
			list = append(list, ring)
		}
		last = ring
	}
	return list
}

// recount corrects the numbers of packets in rings.
func (s *runState) recount(before, after []int32) {
	for _, r := range before {
		s.count[r]--
	}
	for _, r := range after {
		s.count[r]++
	}
}

// judgeEnd judges that packets are left, and that none can move.
func (s *runState) judgeEnd() error {
	left := 0
	for i := range s.at {
		if s.at[i] != s.ends[i] {
			return cert.Reject(s.claim.Claim, "packet %d does not reach the end of its path", i)
		}
		head := s.vc(i, s.at[i]-1)
		if head/s.b.VCs >= s.b.Ejection(0) {
			continue
		}
		if left++; s.queue[head][0] != i {
			continue
		}
		path := s.claim.Packets[i].Path
		hops := s.b.Next(s.claim.Packets[i].Destination, cert.State{VC: head, Class: path[len(path)-1]}, nil)
		if len(hops) == 0 {
			return cert.Reject(s.claim.Claim, "packet %d has no next hop from VC %d, so is dropped and does not wait", i, head)
		}
		free := func(to cert.State) bool { return s.refuses(head, to.VC) == "" }
		if k := slices.IndexFunc(hops, free); k >= 0 && (!s.b.one || !slices.ContainsFunc(hops, func(to cert.State) bool { return !free(to) })) {
			return cert.Reject(s.claim.Claim, "packet %d, on VC %d, may take VC %d", i, head, hops[k].VC)
		}
	}
	if left == 0 {
		return cert.Reject(s.claim.Claim, "no packet is left in the network")
	}
	return nil
}
