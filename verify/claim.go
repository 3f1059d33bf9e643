package verify

import (
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/cert"
)

// Verdict is proved, refuted or undecided.
type Verdict string

// The verdicts. Refuted is a result, not an error.
const (
	Proved    Verdict = cert.Proved
	Refuted   Verdict = cert.Refuted
	Undecided Verdict = "undecided"
)

// Claim is a claim with its verdict.
type Claim struct {
	Name     string // one of the constants cert.Claim...
	Verdict  Verdict
	Theorem  string   // why the evidence suffices; empty if undecided
	Premises []string // what the theorem assumes
	Reason   string   // why the claim is refuted or undecided, as one sentence
	Note     string   // why a condition proves the claim, in a few words
}

// Holds returns a pointer to true or false. If the claim is undecided, it returns nil.
func (c Claim) Holds() *bool {
	if c.Verdict == Undecided {
		return nil
	}
	h := c.Verdict == Proved
	return &h
}

// ByUnreachable reports whether the evidence unreachable proves the claim.
func (c Claim) ByUnreachable() bool { return c.Theorem == theoremUnreachable }

// ByElimination reports whether an order of elimination proves the claim.
func (c Claim) ByElimination() bool { return c.Theorem == TheoremElimination }

// ByNoWorms reports whether the evidence no-worms proves the claim.
func (c Claim) ByNoWorms() bool { return c.Theorem == theoremNoWorms }

// The theorems, as reports print them.
const (
	theoremNumbering   = "Dally and Seitz 1987: every dependency leads to a VC of greater rank, so no dependency cycle exists"
	theoremCycle       = "each dependency of the cycle is used by the packet beside it"
	TheoremAcyclic     = "Dally and Seitz 1987: no cyclic channel dependencies, no deadlock"
	TheoremElimination = "every waiting packet has a permitted next VC of greater rank, so in any blocked set the packet " +
		"on the VC of greatest rank could move"
	theoremEscape = "Duato 1993: each state permits an escape, and the extended dependencies of the escape have no cycle"
	theoremWorms  = "a set of packets: each holds the last VCs of its path, no two hold the same VC, and each waits " +
		"only for VCs that packets of the set hold"
	theoremQueues = "the run itself: the sizes and the routers permit each move, and at its end each packet waits behind another " +
		"one, for room or for VCs that packets of the run hold"
	theoremNoWorms = "a refutation by clauses: no packets of any lengths can reach places where each waits only for VCs " +
		"that the others hold"
	theoremUnreachable = "packets that block each other exist, but an inductive invariant of clauses shows that none of these " +
		"sets can come together from the empty network"
	theoremConfiguration = "Duato 1996: a set of VCs, each holding a packet all of whose permitted next VCs lie in the set"
	theoremWalk          = "from every state that a packet can reach, some path leads to its destination"
	theoremLost          = "the packet's path through the tables"
	theoremLongest       = "no packet can return to a state, so every path is finite"
	theoremLoop          = "the packet's path returns to a state"
	theoremChosen        = "a set of VCs, each holding a packet that has chosen a next VC of the set, or all of whose " +
		"permitted next VCs lie in the set (Duato 1996, with a state for each choice)"
	theoremTurnCycle     = "each turn of the cycle is allowed"
	theoremTurnTree      = "a tree joins all switches with hosts, and all turns along it are allowed"
	theoremTurnSearch    = "paths of allowed turns lead from each switch with hosts to all others"
	theoremTurnUnreached = "a search along all allowed turns does not reach the destination"
)

// premiseAtomic is the premise of an escape under wormhole switching.
const premiseAtomic = "a VC takes a new packet only when it is empty, or has room for all of it"

// premiseCopies is the premise of a subject with multicast groups.
const premiseCopies = "a multicast packet keeps its buffer until each of its copies has been given the next one; " +
	"a copy goes on in its next buffer, whatever the others wait for"

// premiseWhole is the premise of virtual cut-through and store-and-forward.
const premiseWhole = "a whole packet fits into the buffer of a VC"

// PremiseShort is the premise of a deadlock of single VCs under wormhole switching.
const PremiseShort = "packets may be short enough to fit into the buffer of one VC"

// PremiseWorms is the premise of a deadlock of worms.
const PremiseWorms = "packets may be of any length, and a VC holds flits of one packet at a time"

// PremiseAlone and PremiseEqual are the premises of a proof that no worms block each other.
const (
	PremiseAlone = "a VC holds flits of one packet at a time"
	PremiseEqual = "the buffers of all VCs between switches have the same size"
)

// PremisesOf returns the premises of deadlock-free under s. If worms is true, it adds the
// premise of an escape under wormhole switching.
func PremisesOf(s model.Switching, worms bool) []string {
	if worms {
		return append([]string{premiseAtomic}, switchingPremises(s, model.WaitAny)...)
	}
	return switchingPremises(s, model.WaitAny)
}

// switchingPremises returns the premises of deadlock-free under s, for packets that wait as w says.
func switchingPremises(s model.Switching, w model.Waiting) []string {
	common := []string{
		waitingPremise(w),
		"packets that have arrived are consumed",
		"no message waits for another (no dependence between requests and replies)",
		"a packet without a permitted next VC is dropped",
	}
	if s == model.Wormhole {
		return common
	}
	return append([]string{premiseWhole}, common...)
}

// waitingPremise returns the premise about waiting packets.
func waitingPremise(w model.Waiting) string {
	const anyOf = "a packet waits for any VC that the routing permits, and keeps asking"
	switch w {
	case model.WaitOne:
		return "a packet waits for one of the VCs that the routing permits, chosen when the packet arrives, and any of them can be chosen"
	case model.WaitMixed:
		return anyOf + ", or in some states for the one that was chosen when the packet arrived, and any of them can be chosen"
	}
	return anyOf
}
