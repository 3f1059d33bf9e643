package bubbles

import "github.com/turnproof/turnproof/verify/cert"

// This file judges the evidence bubble. These rules must hold:
//
//  1. The VCs of a ring have one rank, and no other VC has it. VCs in no ring have different ranks.
//  2. Packets cannot fill a ring so that none of them can move in it (tiles.go).
//  3. Bubble: an entry with the rule is free in tiles.go unless, whenever a buffer has room by the rule for a packet that
//     enters, it has room for another packet afterwards.
//  4. Every hop onto an empty VC can be taken: an entry to a ring without packets is permitted by its conditions.
//  5. Every state with a hop has a good one: to an ejection channel, to a VC of greater rank, or, on a ring, to
//     the next VC of the ring in a state that has a good hop. The last kind must not go round for ever. A state on
//     an injection channel needs any hop. Worm-bubble: every hop of a state between switches is to an ejection
//     channel, to a greater rank, or to the next VC of the ring. Waiting one: every hop of a state between switches is
//     good, those to the next VC of the ring in a state all of whose hops are good.
//
// Proof. Let no new packets come, and let packets move until none can. Then take the greatest rank of a VC that holds
// flits. VCs of greater rank are empty, so by rule 4 the first packet of a VC in no ring moves by its good hop. In a ring, a
// packet that has a good hop to a greater rank moves. Otherwise every first packet waits. If a VC of the ring has room for
// a packet, then, going back from it, the first VC that holds packets has a first packet whose good hop leads to the next
// VC. That VC is the one with room, or is empty. So the packet moves. By rule 2 a VC of the ring has room. By rule
// 5 finitely many such moves empty the network. So no packet is blocked for ever, and no packet waits at a host
// for ever. The steps in full: docs/theorems/bubbles.md.
//
// Additional premises: the conditions see the room and the packets of the moment, and a packet that has been given its next
// VC moves there in finite time.

// proof judges Ranks.
func (b *bubbled) proof(claim *cert.Claim) error { return b.Protected(claim.Claim, *claim.Ranks) }

// Protected judges ranks by VC between switches.
func (b *bubbled) Protected(claim string, ranks []int32) error {
	if err := b.checkRanks(claim, ranks); err != nil {
		return err
	}
	for r := range b.members {
		if err := b.mayEnter(claim, r); err != nil {
			return err
		}
	}
	if err := b.keepSlots(claim, ranks); err != nil {
		return err
	}
	for d := range b.destinations() {
		if err := b.checkStates(claim, d, ranks); err != nil {
			return err
		}
	}
	return nil
}

// Refuses reports whether a packet is refused on a hop onto a VC of a ring, while the ring has one free slot, which is in that VC. It is not
// known of worms, or of packets of other lengths than the rule supposes.
func (b *bubbled) Refuses(from, to int32) bool {
	return b.isGuarded(from, to) && b.Kind != worm && b.Assumed == b.Packet && b.Buffer >= 2*b.Packet
}

// checkRanks judges rule 1.
func (b *bubbled) checkRanks(claim string, ranks []int32) error {
	if len(ranks) != b.LinkVCs() {
		return cert.Reject(claim, "%d ranks for %d VCs between switches", len(ranks), b.LinkVCs())
	}
	owner := make([]int32, len(ranks)) // by rank: 1 + the first VC that has it
	for v, k := range ranks {
		if k < 0 || int(k) >= len(ranks) {
			return cert.Reject(claim, "VC %d has rank %d; want 0 to %d", v, k, len(ranks)-1)
		}
		if first := owner[k] - 1; first >= 0 && (b.ring[v] < 0 || b.ring[first] != b.ring[v]) {
			return cert.Reject(claim, "VCs %d and %d have the same rank and are in no common ring", first, v)
		}
		if owner[k] == 0 {
			owner[k] = int32(v) + 1
		}
	}
	for r, ring := range b.members {
		for _, v := range ring {
			if ranks[v] != ranks[ring[0]] {
				return cert.Reject(claim, "VC %d of ring %d has rank %d, another VC of the ring %d", v, r, ranks[v], ranks[ring[0]])
			}
		}
	}
	return nil
}

// mayEnter judges rule 4 for a ring.
func (b *bubbled) mayEnter(claim string, r int) error {
	switch {
	case b.room > b.Buffer && b.Kind == local:
		return cert.Reject(claim, "ring %d: an entry needs room for %d flits, a buffer has %d", r, b.room, b.Buffer)
	case b.most[r] < 0:
		return cert.Reject(claim, "ring %d: no packet can ever enter", r)
	}
	return nil
}

// leavesSlot reports whether each packet that enters a buffer by the rule of kind bubble leaves room for another one there.
func (b *bubbled) leavesSlot() bool {
	for n := 0; b.Buffer-n*b.Packet >= b.room; n++ {
		if b.Buffer-(n+1)*b.Packet < b.Packet {
			return false
		}
	}
	return true
}

// checkStates judges rule 5 for the packets to a destination.
func (b *bubbled) checkStates(claim string, d int, ranks []int32) error {
	lo, hi := b.StatesTo(d)
	good := make([]bool, hi-lo)
	left := 0
	for i := lo; i < hi; i++ {
		v, hops := b.State(i).VC, b.Hops(i)
		some, all := false, true
		for j := 0; j < len(hops); j += 2 {
			w := hops[j]
			rises := b.rises(v, w, ranks)
			some, all = some || rises, all && rises
			if (b.Kind == worm || b.one) && !rises && w != b.next[v] {
				return cert.Reject(claim, "a packet to destination %d on VC %d may wait for VC %d, which has no greater rank", d, v, w)
			}
		}
		if good[i-lo] = some && !b.one || all; !good[i-lo] {
			left++
		}
	}
	for more := true; more && left > 0; {
		more = false
		for i := lo; i < hi; i++ {
			if !good[i-lo] && b.followsGood(i, lo, hi, good, ranks) {
				good[i-lo], more = true, true
				left--
			}
		}
	}
	for i := lo; i < hi; i++ {
		if !good[i-lo] {
			return cert.Reject(claim, "a packet to destination %d may wait on VC %d: no hop leads to a greater rank, or round the ring to one",
				d, b.State(i).VC)
		}
	}
	return nil
}

// rises reports whether a hop leads from an injection channel, to an ejection channel or to a greater rank.
func (b *bubbled) rises(v, w int32, ranks []int32) bool {
	n := b.LinkVCs()
	return int(v) >= n || int(w) >= n || ranks[w] > ranks[v]
}

// followsGood reports whether a hop of state i leads to the next VC of its ring, in a good state; with waiting one, whether each hop
// that does not rise does so.
func (b *bubbled) followsGood(i, lo, hi int, good []bool, ranks []int32) bool {
	v, hops := b.State(i).VC, b.Hops(i)
	for j := 0; j < len(hops); j += 2 {
		if b.one && b.rises(v, hops[j], ranks) {
			continue
		}
		follows := false
		if hops[j] == b.next[v] {
			to := b.Find(lo, hi, cert.State{VC: hops[j], Class: hops[j+1]})
			follows = to >= 0 && good[to-lo]
		}
		if follows != b.one {
			return follows
		}
	}
	return b.one
}

// destinations returns the number of destinations.
func (b *bubbled) destinations() int {
	_, ends := b.Traffic()
	return len(ends)
}
