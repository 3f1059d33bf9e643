package cert

// This file judges a proof that packets which hold one VC each never block each other (evidence "unreachable"). It
// is the specification of the evidence, with wormstates.go, which numbers states.
//
// Theorem. Let a deadlock be packets that can all reach their places from the empty network, each on one VC between
// switches, no two on the same VC, such that each waits only for VCs that are held. If the clauses below have no
// model, no run reaches a deadlock.
//
// Variables, by number, from 1 on: for each VC between switches, h (it is held); for each state, x (a packet is in it).
//
// Clauses of kind 0, which follow from the relation:
//
//	some h;
//	h of a VC implies x of one of its states;
//	x of a state implies that the packet waits: in a state that permits ejection, or has no hops, never; in a
//	state that commits to one of several hops, h of one of the next VCs; in other states, h of each next VC.
//
// Steps is a list of clauses in the form of noworms.go. A step has kind 0, or kind 2: literals -x of states on
// different VCs. Packets in these states cannot come there together (wormback.go). The last step is an
// empty clause of kind 0.
//
// Proof. Take a deadlock that a run reaches, and let h and x be true for its VCs and for the states of its packets. The
// head of a packet of the deadlock waits, so the VCs that it may take are held, by packets of the deadlock: else it could
// move in some continuation. So the clauses of kind 0 are true. Take a clause of kind 2 that is false: packets of
// the deadlock are in its states. Remove all other packets from the run. This only frees VCs, so the packets reach
// these states together, a contradiction. The clauses of kind 2 hold in each state that a run reaches.
//
// Premises: a VC holds one packet at a time. A packet may stop in each VC for any time.

// neverMeet judges the evidence unreachable.
func (r *Routing) neverMeet(claim *Claim) error {
	if s := &r.Certificate.Subject; s.Switching == "wormhole" && !s.Facts.storesWhole() {
		return Reject(claim.Claim, "under wormhole switching a packet can hold several VCs")
	}
	if r.groups != nil {
		return Reject(claim.Claim, "a proof about packets with one destination proves nothing about multicast packets")
	}
	w := r.places.join(r.LinkVCs())
	p := &wormProof{wormStates: w, claim: claim.Claim, clauses: newClauses(w.vcs + len(w.at)), single: true}
	p.addPackets()
	return judgeSteps(p.claim, p.clauses, *claim.Steps, p.isShown)
}

// addPackets adds the clauses of kind 0 about packets that hold one VC each.
func (p *wormProof) addPackets() {
	p.addHeld()
	for i := range int32(len(p.at)) {
		var next []int32
		for _, vc := range p.nextVCs(i) {
			next = append(next, p.held(vc))
		}
		switch {
		case p.commits[i]:
			p.add(append(next, -p.lies(i)))
		case p.leaves[i]:
			p.add([]int32{-p.lies(i)})
		default:
			for _, h := range next {
				p.add([]int32{-p.lies(i), h})
			}
		}
	}
}
