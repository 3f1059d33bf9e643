package messages

import (
	"slices"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file judges protocols whose virtual networks have flow control of rings.
//
// Why ranks suffice: let no new transactions begin, and let messages take good hops, as in package bubbles, and be consumed. Each takes finitely
// many. At the end take the greatest rank of a place that holds something. All places of greater rank are empty. So a transaction
// in a table finds its messages, a message at the front of a queue may enter, and a host has room for what follows from a message that has
// arrived. The others are packets of the virtual network, all of whose ejection hops lead to a host with room, as the proof for packets supposes.
//
// Why a deadlock that leaves a slot of each ring free is one: its places can be full, except for this slot, so no rule of a ring is broken. Flow control
// refuses the slot to those messages of the deadlock that enter the ring, and none of them is before it in the ring.

// rings is a subject with flow control.
type rings interface {
	// Protected judges that ranks of the VCs between switches prove a network in which hosts consume all packets.
	Protected(claim string, ranks []int32) error
	// Refuses reports whether a VC of a ring that has only one free slot, in this VC, refuses a packet.
	Refuses(from, to int32) bool
}

// withRings makes a judge of a function for subjects with flow control, or without: then rings is nil.
func withRings(judge func(*cert.Routing, rings, *cert.Claim) error) cert.Judge {
	return func(opened any, claim *cert.Claim) error {
		r, _ := opened.(rings)
		return cert.JudgeRouting(func(e *cert.Routing, claim *cert.Claim) error { return judge(e, r, claim) })(opened, claim)
	}
}

// judgeRings judges the ranks of each virtual network alone, and that they are one block.
func (x *protocol) judgeRings(r rings, claim *cert.Claim) error {
	ranks := *claim.Ranks
	switch {
	case slices.ContainsFunc(x.Classes, func(k cert.MessageClass) bool { return k.Multicast }):
		return cert.Reject(claim.Claim, "flow control of rings, and copies of messages")
	case len(*claim.Tables) > 0 || len(ranks) != x.places():
		return cert.Reject(claim.Claim, "%d ranks for %d places, %d tables alone; want one rank for each place", len(ranks), x.places(), len(*claim.Tables))
	}
	x.inRings = true
	for v := range x.Networks {
		own := slices.Clone(ranks[v*x.links : (v+1)*x.links])
		list := slices.Compact(slices.Sorted(slices.Values(own)))
		for i, k := range own {
			at, _ := slices.BinarySearch(list, k)
			own[i] = int32(at)
		}
		if err := r.Protected(claim.Claim, own); err != nil {
			return err
		}
	}
	return nil
}

// leavesSlots judges that each ring that the deadlock holds can have a free slot that none of its messages may take.
func (x *protocol) leavesSlots(r rings, claim *cert.Claim, fronts []int, at []cert.State, held map[int]bool) error {
	if x.Certificate.Subject.Switching == "wormhole" {
		return cert.Reject(x.claim, "a deadlock of messages that hold one VC each, where flow control is for worms")
	}
	for list := x.Certificate.Subject.Bubbles.Rings; len(list) > 0; list = list[1+list[0]:] {
		ring := list[1 : 1+list[0]]
		for v := range x.Networks {
			free := func(vc int32) bool {
				slot := v*x.links + int(vc)
				return !held[slot] || !slices.ContainsFunc(fronts, func(i int) bool {
					c, d := int((*claim.Carries)[i]), claim.Packets[i].Destination
					return x.Classes[c].Network == v && !r.Refuses(at[i].VC, vc) &&
						slices.ContainsFunc(x.Next(d, at[i], nil), func(to cert.State) bool { return to.VC == vc })
				})
			}
			if !slices.ContainsFunc(ring, free) {
				return cert.Reject(x.claim, "the deadlock holds all slots of a ring, which flow control protects")
			}
		}
	}
	return nil
}
