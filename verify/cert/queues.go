package cert

import "slices"

// This file judges a run from the empty network into a deadlock of packets that share VCs (evidence "queued-run").
// docs/theorems/queues.md has the theorem.
//
// The rules: all packets have as many flits as the longest one. Each move gives a packet the next VC of its path; the first move of
// a packet gives it the second VC of the path, out of its host. The packet must be able to ask: the tail of the host's packet
// before has left the host, or the packet's head is at the front of its VC. The VC must be free: the tail of the last packet that
// was given it has come, and Facts.Reuse permits the next one. Then flits follow their heads as far as there is room. A VC
// keeps the order in which packets were given it.
//
// At the end no packet may be able to ask for a VC that is free, or to leave the network. Other packets take room and VCs, and free
// none. So none of these packets ever moves.

// queuedRun judges the evidence queued-run.
func (r *Routing) queuedRun(claim *Claim) error {
	s := &r.Certificate.Subject
	if s.Switching != "wormhole" || r.groups != nil {
		return Reject(claim.Claim, "a run of packets that share VCs is for wormhole switching without multicast")
	}
	if s.Facts == nil || s.Facts.Packet == 0 || s.Facts.Reuse == "" || len(s.Facts.Buffers) == 0 || slices.Contains(s.Facts.Buffers, 0) {
		return Reject(claim.Claim, "a run of packets that share VCs needs the sizes of packets and all buffers, and the reuse of VCs")
	}
	if claim.Chosen != nil && len(*claim.Chosen) != len(claim.Packets) {
		return Reject(claim.Claim, "%d packets, and for %d of them the chosen VC", len(claim.Packets), len(*claim.Chosen))
	}
	q := &queues{Routing: r, claim: claim, of: map[int32][]place{}, taken: map[int32]int{}, given: make([]int, len(claim.Packets)), leaving: map[int32]int{}}
	for i := range claim.Packets {
		p := &claim.Packets[i]
		if p.Group != nil {
			return Reject(claim.Claim, "packet %d is a multicast packet", i)
		}
		if _, err := r.Follow(claim.Claim, i, p); err != nil {
			return err
		}
		for j := 2; j < len(p.Path); j += 2 {
			if int(p.Path[j]) >= r.LinkVCs() {
				return Reject(claim.Claim, "packet %d takes VC %d, which is not between switches", i, p.Path[j])
			}
		}
		q.come = append(q.come, make([]int, len(p.Path)/2))
		q.come[i][0] = s.Facts.Packet
	}
	for n, i := range *claim.Moves {
		if i < 0 || int(i) >= len(claim.Packets) || q.given[i]+1 >= len(q.come[i]) {
			return Reject(claim.Claim, "move %d is of packet %d, which has no further VC on its path", n, i)
		}
		if why := q.give(int(i)); why != "" {
			return Reject(claim.Claim, "move %d: packet %d cannot be given VC %d: %s", n, i, q.vc(int(i), q.given[i]+1), why)
		}
	}
	return q.judgeEnd()
}

// place is a place on the path of a packet.
type place struct{ packet, at int }

// queues is the state of a run.
type queues struct {
	*Routing
	claim   *Claim
	come    [][]int           // by packet and place: the flits that have come there; all are at the host at first
	given   []int             // by packet: the last place that it has been given; 0 for its host
	of      map[int32][]place // by VC: what has been given to packets and has flits there or to come, the first one first
	taken   map[int32]int     // by VC: flits
	leaving map[int32]int     // by injection VC: 1 + the packet that leaves it
}

func (q *queues) vc(i, at int) int32 { return q.claim.Packets[i].Path[2*at] }

// buffer returns the size of the buffer of a VC.
func (q *queues) buffer(vc int32) int { return q.Certificate.Subject.Facts.bufferOf(int(vc / q.VCs)) }

// isFree reports whether a VC can be given to a packet.
func (q *queues) isFree(vc int32) bool {
	facts := q.Certificate.Subject.Facts
	if list := q.of[vc]; len(list) > 0 {
		if last := list[len(list)-1]; q.come[last.packet][last.at] < facts.Packet {
			return false
		}
	}
	switch facts.Reuse {
	case "empty":
		return q.taken[vc] == 0
	case "not full":
		return q.taken[vc] < q.buffer(vc)
	}
	return true
}

// isFirst reports whether the head of packet i is at the front of its VC.
func (q *queues) isFirst(i int) bool {
	at := q.given[i]
	return q.come[i][at] > 0 && q.of[q.vc(i, at)][0] == place{i, at}
}

// give gives packet i the next VC of its path, or says why it cannot.
func (q *queues) give(i int) string {
	at := q.given[i]
	vc := q.vc(i, at+1)
	switch from := q.vc(i, 0); {
	case at == 0 && q.leaving[from] > 0:
		return "another packet is leaving its host"
	case at == 0:
		q.leaving[from] = i + 1
	case !q.isFirst(i):
		return "its head is not at the front of a VC"
	}
	if !q.isFree(vc) {
		return "the VC is not free"
	}
	q.given[i]++
	q.of[vc] = append(q.of[vc], place{i, at + 1})
	for work := []place{{i, at + 1}}; len(work) > 0; {
		next := work[len(work)-1]
		work = append(work[:len(work)-1], q.follow(next)...)
	}
	return ""
}

// follow moves flits of a packet to a place from the one before, as many as there is room for. It returns the places to which
// flits may move then.
func (q *queues) follow(to place) (more []place) {
	come, vc := q.come[to.packet], q.vc(to.packet, to.at)
	flits := min(come[to.at-1]-come[to.at], q.buffer(vc)-q.taken[vc])
	if flits == 0 {
		return nil
	}
	come[to.at] += flits
	q.taken[vc] += flits
	if to.at < q.given[to.packet] {
		more = append(more, place{to.packet, to.at + 1})
	}
	from, all := q.vc(to.packet, to.at-1), come[to.at] == q.Certificate.Subject.Facts.Packet
	if to.at == 1 {
		if all {
			q.leaving[from] = 0
		}
		return more
	}
	if q.taken[from] -= flits; all {
		q.of[from] = q.of[from][1:]
	}
	if list := q.of[from]; len(list) > 0 {
		more = append(more, list[len(list)-1])
	}
	return more
}

// judgeEnd judges that no packet can ask for a free VC or leave the network.
func (q *queues) judgeEnd() error {
	claim := q.claim
	for i := range claim.Packets {
		path, at := claim.Packets[i].Path, q.given[i]
		if at == 0 || at+1 < len(q.come[i]) {
			return Reject(claim.Claim, "packet %d is not given all VCs of its path", i)
		}
		if q.come[i][at] == 0 || !q.isFirst(i) { // it waits for room, or behind another packet
			if claim.Chosen != nil && (*claim.Chosen)[i] != -1 {
				return Reject(claim.Claim, "packet %d has chosen a VC before it can ask for one", i)
			}
			continue
		}
		hops, why := q.waitsFor(i, State{path[2*at], path[2*at+1]})
		if why != "" {
			return Reject(claim.Claim, "packet %d, on VC %d, %s", i, path[2*at], why)
		}
		for _, to := range hops {
			if int(to.VC) >= q.LinkVCs() || q.isFree(to.VC) {
				return Reject(claim.Claim, "packet %d, on VC %d, may take VC %d", i, path[2*at], to.VC)
			}
		}
	}
	return nil
}

// waitsFor returns the hops that packet i waits for in its last state, or says why it waits for none.
func (q *queues) waitsFor(i int, at State) (hops []State, why string) {
	chosen, d := int32(-1), q.claim.Packets[i].Destination
	if q.claim.Chosen != nil {
		chosen = (*q.claim.Chosen)[i]
	}
	hops = q.Next(d, at, nil)
	other := func(to State) bool { return to.VC != hops[0].VC }
	switch {
	case len(hops) == 0:
		return nil, "has no next hop, so is dropped"
	case chosen < 0 && q.commits(d, at) && slices.ContainsFunc(hops, other):
		return nil, "waits for one next hop, and none is said to be chosen"
	case chosen < 0:
		return hops, ""
	case !q.commits(d, at):
		return nil, "waits for any next hop, but one is said to be chosen"
	}
	if hops = slices.DeleteFunc(hops, func(to State) bool { return to.VC != chosen }); len(hops) == 0 {
		return nil, "has chosen a VC that is no next hop"
	}
	return hops, ""
}
