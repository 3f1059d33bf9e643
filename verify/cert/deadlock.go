package cert

import "slices"

// This file judges the claim deadlock-free: by an order of elimination, by a deadlock
// configuration, and by a deadlock of worms. escape.go judges escapes.
//
// A packet in a state that commits waits for one next hop. The hop is chosen when the
// packet arrives in the state, and it can be any of the next hops. A relation with
// such states is equal to a relation without them: replace each such state by one state
// for each of its next hops, with this hop alone. The rules for orders of elimination,
// escapes, configurations and worms apply to that second relation.

// elimination judges that the switching stores whole packets, or that the facts have the same effect under wormhole switching. Enumerate has compared
// every reachable state with the order.
//
// Why an order suffices: take the VC of greatest rank that holds packets. Its first
// packet has a next hop that is ejection or a VC of greater rank. That VC is empty, so
// the packet can move. Finitely many such moves empty the network, so no packet is
// blocked for ever. (If no order exists, a deadlocked configuration exists: J. Duato,
// IEEE Transactions on Parallel and Distributed Systems 6(10), 1995, and for these
// switchings 7(8), 1996.)
//
// Under wormhole switching let each packet fit into a buffer, and let a VC take a new packet only when it is empty or has room
// for all of it. Then a packet whose head does not move gathers on the VC of its head as a whole, so the same holds.
//
// Premises: a buffer has room for a whole packet, which vct and saf require. A packet waits
// for any permitted VC and keeps asking for all of them, or it commits to one of
// them. In a state that commits, every next hop is ejection or has a greater rank.
func (r *Routing) elimination(*Claim) error {
	if s := &r.Certificate.Subject; s.Switching == "wormhole" && (r.groups != nil || !s.Facts.storesWhole()) {
		return Reject(ClaimDeadlockFree, "an order of elimination shows nothing for wormhole switching")
	}
	return nil
}

// configuration judges a deadlock of packets that lie on one VC each. Each packet alone
// can reach its VC, and may then take only VCs that other packets of the set hold.
// Under wormhole switching these packets are short enough to fit one VC.
func (r *Routing) configuration(claim *Claim) error {
	held := make([]int32, len(claim.Packets)) // ascending
	waits := make([][]State, len(claim.Packets))
	for i := range claim.Packets {
		p := &claim.Packets[i]
		at, err := r.Follow(claim.Claim, i, p)
		if err != nil {
			return err
		}
		if held[i] = at.VC; int(at.VC) >= r.LinkVCs() {
			return Reject(claim.Claim, "packet %d waits on VC %d, which is not between switches", i, at.VC)
		}
		if i > 0 && held[i-1] >= at.VC {
			return Reject(claim.Claim, "packet %d waits on VC %d, which does not come after VC %d", i, at.VC, held[i-1])
		}
		if waits[i], err = r.awaited(claim, i, at); err != nil {
			return err
		}
	}
	awaited := make([]bool, len(held))
	for i, list := range waits {
		if claim.Packets[i].Group != nil {
			if list = heldOf(list, held); len(list) == 0 {
				return Reject(claim.Claim, "packet %d, on VC %d, has no copy that waits for a VC that a packet holds", i, held[i])
			}
		}
		for _, to := range list {
			at, ok := slices.BinarySearch(held, to.VC)
			if !ok {
				return Reject(claim.Claim, "packet %d, on VC %d, may take VC %d, which no packet holds", i, held[i], to.VC)
			}
			awaited[at] = true
		}
	}
	for i, wanted := range awaited {
		if !wanted {
			return Reject(claim.Claim, "packet %d is not part of the deadlock: no other waits for its VC %d", i, held[i])
		}
	}
	return nil
}

// waits returns what the packet at the end of its path waits for.
func (r *Routing) waits(p *Packet, at State) ([]State, error) {
	if p.Group != nil {
		return r.groups.waits(p, at)
	}
	return r.Next(p.Destination, at, nil), nil
}

// heldOf returns the states of list whose VCs are in held. Held is ascending.
func heldOf(list []State, held []int32) (of []State) {
	for _, s := range list {
		if _, ok := slices.BinarySearch(held, s.VC); ok {
			of = append(of, s)
		}
	}
	return of
}

// awaited returns the next hops that packet i of a deadlock waits for at the end of its
// path: the chosen one in a state that commits, else all.
func (r *Routing) awaited(claim *Claim, i int, at State) ([]State, error) {
	d := claim.Packets[i].Destination
	hops, err := r.waits(&claim.Packets[i], at)
	if err != nil {
		return nil, err
	}
	if len(hops) == 0 {
		return nil, Reject(claim.Claim, "packet %d has no next hop from VC %d, so is dropped and does not wait", i, at.VC)
	}
	if claim.Chosen == nil {
		return hops, nil
	}
	if len(*claim.Chosen) != len(claim.Packets) {
		return nil, Reject(claim.Claim, "%d packets, and for %d of them the chosen VC", len(claim.Packets), len(*claim.Chosen))
	}
	chosen := (*claim.Chosen)[i]
	if claim.Packets[i].Group != nil || !r.commits(d, at) {
		if chosen != -1 {
			return nil, Reject(claim.Claim, "packet %d waits for any next hop, but VC %d is said to be chosen", i, chosen)
		}
		return hops, nil
	}
	hops = slices.DeleteFunc(hops, func(to State) bool { return to.VC != chosen })
	if len(hops) == 0 {
		return nil, Reject(claim.Claim, "packet %d, on VC %d, waits for one next hop, and none leads to VC %d", i, at.VC, chosen)
	}
	return hops, nil
}

// worms judges a deadlock of packets that hold several VCs each: the last VCs of their
// paths. Each packet alone can reach its place (enterable). No VC has two holders,
// and every next hop of every packet leads to a VC that is held.
func (r *Routing) worms(claim *Claim) error {
	if r.Certificate.Subject.Switching != "wormhole" {
		return Reject(claim.Claim, "worms hold several VCs under wormhole switching only")
	}
	if len(*claim.Holds) != len(claim.Packets) {
		return Reject(claim.Claim, "%d packets, and for %d of them how many VCs they hold", len(claim.Packets), len(*claim.Holds))
	}
	holder := make(map[int32]int) // by VC
	waits := make([][]State, len(claim.Packets))
	last := int32(-1)
	for i := range claim.Packets {
		p, k := &claim.Packets[i], int((*claim.Holds)[i])
		at, err := r.Follow(claim.Claim, i, p)
		if err != nil {
			return err
		}
		if k < 1 || k > len(p.Path)/2 || at.VC <= last {
			return Reject(claim.Claim, "packet %d holds %d VCs of %d on its path, the last VC %d after VC %d", i, k, len(p.Path)/2, at.VC, last)
		}
		last = at.VC
		if err := r.enterable(claim.Claim, i, p, k); err != nil {
			return err
		}
		for j := len(p.Path) - 2*k; j < len(p.Path); j += 2 {
			v := p.Path[j]
			if other, taken := holder[v]; taken || int(v) >= r.LinkVCs() {
				return Reject(claim.Claim, "packet %d cannot hold VC %d, which is not between switches or held by packet %d", i, v, other)
			}
			holder[v] = i
		}
		if waits[i], err = r.awaited(claim, i, at); err != nil {
			return err
		}
	}
	awaited := make([]bool, len(waits))
	for i, list := range waits {
		for _, to := range list {
			j, held := holder[to.VC]
			if !held {
				return Reject(claim.Claim, "packet %d may take VC %d, which no packet holds", i, to.VC)
			}
			awaited[j] = true
		}
	}
	if i := slices.Index(awaited, false); i >= 0 {
		return Reject(claim.Claim, "packet %d is not part of the deadlock: no other waits for it", i)
	}
	return nil
}

// enterable judges that packet i, which holds k VCs at the end of its path, can get there.
//
// The flits of a packet that needs k VCs lie on the last k VCs of its path, wherever its
// head is, or on all of them while the path has fewer. A VC takes flits of one packet at
// a time, and a new packet only when it is empty. So each VC must differ from the k
// VCs before it on the path.
//
// If buffers have different sizes, it may lie on more VCs before its last place. Then no VC may occur twice on its path. The facts
// must permit that it holds k VCs.
func (r *Routing) enterable(claim string, i int, p *Packet, k int) error {
	facts := r.Certificate.Subject.Facts
	var held []int32
	for j := len(p.Path) - 2*k; j < len(p.Path); j += 2 {
		held = append(held, p.Path[j])
	}
	if int(slices.Max(held)) < r.LinkVCs() && !facts.canHold(held, int(r.VCs)) {
		return Reject(claim, "packet %d holds %d VCs, which takes more than the %d flits of the longest packet", i, k, facts.Packet)
	}
	if k > 1 && facts.sameShape() == False {
		k = len(p.Path)
	}
	for j := 2; j < len(p.Path); j += 2 {
		for b := max(0, j-2*k); b < j; b += 2 {
			if p.Path[b] == p.Path[j] {
				return Reject(claim, "packet %d enters VC %d, which its own flits hold: it was there %d VCs before, and it holds %d", i, p.Path[j], (j-b)/2, k)
			}
		}
	}
	return nil
}
