package cert

// This file specifies the parts of a certificate that concern turns: sets of allowed turns, sets of class turns on the networks of
// a family, and lower bounds on prohibited turns. The judges are in the packages turns, family and bounds.

// Turns is a set of allowed turns. A turn is a pair of VCs between switches; the second leaves
// the switch that the first enters. A packet starts on any VC out of the switch of its source,
// or is at its destination at once. Then it takes allowed turns, and may end whenever it is at the
// switch of its destination. Each host sends to all other hosts; management endpoints do not send.
//
// Subject.Switching has no effect. A VC depends on the VCs that may follow it, whether or not
// some packet needs the turn (acyclic-cdg). A pair is connected if some path of allowed turns leads
// from the switch of the source to the switch of the destination (connected).
type Turns struct {
	// Next holds, for each VC between switches in order, how many VCs may follow it, then
	// these VCs, ascending.
	Next Ints `json:"next"`
	// Closed holds VCs between switches that no packet takes, ascending. No VC of Next is closed, and
	// no packet starts on a closed VC. If absent, no VC is closed.
	Closed *Ints `json:"closed,omitempty"`
}

// Family is a set of class turns on all networks of a family. Subject.Network is empty, and Subject.Switching
// has no effect. Two claims are possible. acyclic-cdg: on no network of the family do
// the allowed turns close a cycle. connected: on every network, some path of allowed
// turns leads from every switch to every other. One network refutes either.
//
// A class is a direction of channels. A turn to the same direction is always allowed. A turn
// back over the same cable is allowed only if UTurns is true. family/family.go defines the
// kinds of families, their directions, and the coordinates of switches.
type Family struct {
	Kind    string   `json:"kind"` // "mesh", "torus", "hv", "updown", "given"
	Dims    int      `json:"dims"` // of meshes and tori, else 0
	VCs     int      `json:"vcs"`  // of tori 1 or 2, else 0
	Rule    string   `json:"rule"` // of tori with two VCs
	Tree    string   `json:"tree"` // of H/V graphs
	UTurns  bool     `json:"u_turns"`
	Given   *Given   `json:"given,omitempty"`
	Allowed []string `json:"allowed"` // class turns, written A>B, in the order of A, then B
}

// Given defines a family by its directions: it has all networks whose switches have integer
// coordinates and whose channels each fulfil the rows of one direction.
type Given struct {
	Coordinates int              `json:"coordinates"`
	Directions  []GivenDirection `json:"directions"`
}

// GivenDirection is one direction of a given family. Each row of Rows has one coefficient for
// each coordinate, then a bound. A channel fulfils a row if the sum of the coefficients times the differences of
// the coordinates, head minus tail, is at least the bound.
type GivenDirection struct {
	Name string `json:"name"`
	Rows Ints   `json:"rows"`
}

// Member is a network of a family.
type Member struct {
	Sides Ints `json:"sides"` // of a mesh or torus
	Links Ints `json:"links"` // of other families: two switches each
	At    Ints `json:"at"`    // of other families: the coordinates of the switches, by switch
	// From and To are two switches that are not connected. Cycle holds channels, three
	// numbers each: the switch that the channel leaves, the switch that it enters, and its VC. Each channel may
	// follow the one before, and the first may follow the last.
	From  int  `json:"from"`
	To    int  `json:"to"`
	Cycle Ints `json:"cycle"`
}

// Packing is a list of weighted cycles.
type Packing struct {
	Denominator int  `json:"denominator"`
	Weights     Ints `json:"weights"` // by cycle, at least 1
	// Cycles holds, for each cycle, its length, then its VCs. Each VC leaves the switch that the VC before it enters,
	// and the first leaves the switch that the last enters.
	Cycles Ints `json:"cycles"`
}

// Entries of Claim.Tree that are no VCs.
const (
	TreeRoot    = -1
	TreeOutside = -2 // the switch is not in the tree
)

// The kinds of evidence for sets of turns. EvidenceNumbering is another: every turn leads to a greater rank.
const (
	// EvidenceTurnCycle: acyclic-cdg refuted. Cycle, different VCs. Each may follow the one before,
	// and the first may follow the last. The first is the smallest.
	EvidenceTurnCycle = "turn-cycle"
	// EvidenceTurnTree: connected proved. Pairs; and Tree: by switch, the VC that leads to its
	// parent, TreeRoot at one switch, or TreeOutside. The tree consists of the switches with
	// hosts and the switches between them and the root. The VC down to a child has the index of the VC up, on
	// the other channel of the cable. All turns between VCs of the tree, up or down, are
	// allowed, except turns back over the same cable.
	EvidenceTurnTree = "turn-tree"
	// EvidenceTurnSearch: connected proved. Pairs. The checker searches for the paths.
	EvidenceTurnSearch = "turn-search"
	// EvidenceTurnUnreached: connected refuted. Pairs, Unreachable, and one packet with End. Its
	// source and destination are the first pair that is not connected, by source, then destination; its class is -1, its path empty.
	EvidenceTurnUnreached = "turn-unreached"
)

// The kinds of evidence for bounds on sets of turns, on networks with one VC per channel. All but cycle-packing hold for sets that close
// no cycle and connect all hosts. Those ending in "-both" hold for sets that allow a turn together with
// its reverse or not at all, as the subject's set does; the reverse of a turn is the same path backwards.
const (
	// EvidencePacking: lower-bound proved. Packing, cycles without U-turns, and Bound. On no turn is the
	// sum of weights greater than the denominator. Every set that closes no cycle prohibits a turn of each
	// cycle. So Bound is the sum of all weights over the denominator, rounded up.
	EvidencePacking = "cycle-packing"
	// EvidenceGossip: lower-bound proved. Bound is 2(m-n+1), at least 2, on a connected network of m links and n
	// switches with a host at every switch. bounds/gossip.go has the proof.
	EvidenceGossip = "one-way-gossip"
	// EvidenceRefutation: lower-bound proved. Bound; Packing as above, whose weights alone show
	// less; and Steps. Each step is a kind (0 cycle, 1 path, 2 budget, 3 derived), the number of its literals, and the
	// literals, ascending. Kind 1 then has two switches. Kind 3 then has the number of its hints and the hints:
	// how many steps back each clause is. bounds/refutation.go states the rules. A later step names
	// every step except the last, which has no literals.
	EvidenceRefutation = "refutation"
	// EvidenceNoSet: unroutable proved. Steps as above, without budgets.
	EvidenceNoSet = "no-set"
	// EvidencePackingBoth counts a weight once per cycle on each pair of a turn and its reverse.
	// A pair is two turns, so Bound is even.
	EvidencePackingBoth = "cycle-packing-both"
	// EvidenceGossipBoth has the same bound as EvidenceGossip.
	EvidenceGossipBoth = "one-way-gossip-both"
	// EvidenceRefutationBoth counts pairs: k pairs are 2k turns.
	EvidenceRefutationBoth = "refutation-both"
)

// The kinds of evidence for families.
const (
	// EvidenceFamilyRanks: acyclic-cdg proved. Ranks holds, for each place (family/family.go) and level, a constant,
	// then a coefficient for each coordinate. Multipliers belong to the steps in the order of
	// family/family.go and, for each step, to the levels up to the one that settles it. A level where the constants differ or
	// all coefficients are 0 has no multipliers. Else it has a denominator, then a number for each row
	// of the second place.
	//
	// A step leads from a first place to a second. At each level the second constant is not less than the
	// first. Where they are equal, consider the second form at the head of the channel minus the first form at its
	// tail. It equals the sum of the rows times their numbers over the denominator. By the bounds of the
	// rows it is at least 0. At one level the constant is greater, or the difference is at least
	// a positive number; that level settles the step.
	EvidenceFamilyRanks = "family-ranks"
	// EvidenceFamilyCycle: acyclic-cdg refuted. Member with Cycle.
	EvidenceFamilyCycle = "family-cycle"
	// EvidenceFamilyMembers: connected proved, no field. The checker searches the small members that
	// represent all members (family/members.go).
	EvidenceFamilyMembers = "family-members"
	// EvidenceFamilyUnreached: connected refuted. Member with From and To.
	EvidenceFamilyUnreached = "family-unreached"
)
