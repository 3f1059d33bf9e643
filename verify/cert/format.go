package cert

import (
	"encoding/base64"
	"fmt"
)

// Schema names the format and its version.
const Schema = "turnproof.certificate/1"

// Certificate is a subject, what is claimed of it, and the evidence.
//
// Every field is judged: numbers are canonical, lists are sorted, nothing is
// free, so that a file with any one thing changed is rejected.
type Certificate struct {
	Schema  string  `json:"schema"`
	Subject Subject `json:"subject"`
	// Claims are in the order of the Claim... constants, each at most once,
	// at least one in all. A claim that is undecided is left out.
	Claims []Claim `json:"claims"`
	// Digest is the SHA-256, in hex, of the file up to the comma before it.
	Digest string `json:"digest"`
}

// Subject is what is judged: a network and how it routes. Exactly one of
// Table, Relation, Turns, Product and Family is there.
type Subject struct {
	// Switching is one of "vct" (virtual cut-through), "saf"
	// (store-and-forward), "wormhole".
	Switching string `json:"switching"`
	// Waiting says what a packet in a state with several next hops waits for; with a relation or a
	// product only. Absent: for any of them. "one": for one, which is chosen when the packet
	// arrives in the state and may be any of them. "mixed" (relations only): for one in the states
	// that Relation.Commits names, for any of them in the others.
	Waiting  string    `json:"waiting,omitempty"`
	Network  Network   `json:"network"`
	Table    *Table    `json:"table,omitempty"`
	Relation *Relation `json:"relation,omitempty"`
	Turns    *Turns    `json:"turns,omitempty"`
	Product  *Product  `json:"product,omitempty"`
	Family   *Family   `json:"family,omitempty"`
	// Gates are there where packets wait for more than room; with a relation only.
	Gates *Gates `json:"gates,omitempty"`
	// Multicast is there if the network forwards to multicast groups, too; with a table or a
	// relation only, and without gates.
	Multicast *Multicast `json:"multicast,omitempty"`
	// Inputs are the files that network and routing were read from, in the
	// order of the command line; empty when they were not read from files.
	Inputs []Input `json:"inputs"`
	// Premises are statements about the user's network that Switching, Network and the
	// routing rest on, in the order in which they are printed, each name once. The checker
	// cannot judge them and prints them; readers compare them with what they run. The
	// premise "switching", if there is one, has the value of Switching.
	Premises []Premise `json:"premises,omitempty"`
}

// Premise is a statement, and where it comes from: a file, a flag, or "assumed".
// The three texts are printable and not empty.
type Premise struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Source string `json:"source"`
}

// Input names a file by its base name and the SHA-256 of its bytes, in hex.
type Input struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
}

// Network is switches and endpoints joined by cables. With L links and E
// endpoints the channels are numbered: 2l from A to B of link l, 2l+1 back;
// 2L+e from endpoint e into its switch (injection); 2L+E+e from the switch to
// endpoint e (ejection). VC number of index i on channel c is c*VCs+i. The
// first 2L*VCs VCs, those between switches, are the ones a deadlock can hold.
type Network struct {
	VCs       int      `json:"vcs"`      // per channel
	Switches  []string `json:"switches"` // names
	Links     Ints     `json:"links"`    // four per link: switch A, its port, switch B, its port
	Endpoints []string `json:"endpoints"`
	Attach    Ints     `json:"attach"` // two per endpoint: switch, its port
	Hosts     int      `json:"hosts"`  // endpoints from this number on are management endpoints
}

// Table is destination-based forwarding: the channel out depends on switch
// and destination, the VC on it on the cable in, the cable out and the class.
// The class is fixed when a packet is created. Endpoints 0..Sources-1 send to
// every destination that is not their own.
//
// A packet created at endpoint e starts on VC index 0 of e's injection
// channel. At a switch that it enters by cable a, with class k, bound for d:
// the port p is Ports[d*S+u] (S switches, u this one). If p is -1 or nothing
// is attached to it, there is no next hop. Otherwise let b be the cable at p
// and v the VC for (u, a, b, k): k itself where VCRows is absent, else entry k
// of the row. If v is 15 there is no next hop. If b leads
// to an endpoint the next VC is index 0 of that ejection channel, else index v of
// the channel by b, which must be less than VCs (else the subject is
// malformed; this is judged of the states that packets reach). The class stays.
// VCs is 16 at most.
type Table struct {
	Sources      int  `json:"sources"`
	Destinations Ints `json:"destinations"` // the endpoint, by destination; those of hosts come first
	LIDs         Ints `json:"lids"`         // the address, by destination; 0: none; the others unique
	Ports        Ints `json:"ports"`        // by destination and switch; -1: no entry
	// Classes are the sets of classes that may be used (bit k: class k, 16
	// classes), by destination of a host (those first ones whose endpoint is
	// a host) and host; 0: none. Absent: class 0 for all. Entries of pairs that nothing
	// is sent between are held to the range only. Management endpoints
	// always send, and are always sent to, with class 0.
	Classes *Ints `json:"classes,omitempty"`
	// VCRows holds 16 VCs per row, rows distinct and ascending, each used;
	// VCRowOf gives the row by switch, cable in, cable out, the cables of a
	// switch (links and endpoints) counted by ascending port. Both or neither.
	VCRows  *Ints `json:"vc_rows,omitempty"`
	VCRowOf *Ints `json:"vc_row_of,omitempty"`
	// Management is "hosts" where management endpoints send to hosts only; else absent.
	Management string `json:"management,omitempty"`
}

// Multicast is the multicast forwarding tables. Endpoints 0..sources-1 of the table or relation
// send to each group for which their switch has an entry. A packet starts on VC index 0 of the
// injection channel. At a switch that it enters by cable a, each port p of the switch's entry
// but that of a gives a copy, unless nothing is attached to p. With the cable b at p, a copy
// goes on as a packet of the table with the group's class goes from a to b; with a relation, on
// the VC whose index is the class. The packet keeps its VC until all copies have been given
// theirs. Without an entry it is dropped.
type Multicast struct {
	Groups []Group `json:"groups"` // at least one, ascending by address
}

// Group is a multicast group.
type Group struct {
	MLID  int `json:"mlid"`
	Class int `json:"class"`
	// Entries holds, for each switch that has an entry, ascending: the switch, the number of
	// ports, at least one, and these, ascending.
	Entries Ints `json:"entries"`
}

// Relation is any routing relation, written out state by state.
type Relation struct {
	Classes      int  `json:"classes"`
	Sources      int  `json:"sources"`
	Destinations Ints `json:"destinations"` // the endpoint, by destination
	// Inject holds (endpoint, destination, class) for each class that the
	// endpoint, one of 0..Sources-1, may send with to a destination not its
	// own; ascending. The packet starts on VC index 0 of the injection channel.
	Inject Ints `json:"inject"`
	// States holds exactly the states that packets can reach, injection
	// states included and ejection states not: destination, VC, class, number
	// of permitted next hops, then VC and class of each hop, ascending; the
	// states ascending by destination, VC, class. A hop leads out of the
	// switch that the state's VC enters; one to the ejection channel of another
	// endpoint than the destination's loses the packet (EndWrongHost).
	States Ints `json:"states"`
	// Commits is there iff Subject.Waiting is "mixed": by state, in the order of States, 1 where a
	// packet waits for the one next hop that was chosen, else 0. States with fewer than two next
	// hops have 0; of the others at least one has 0 and at least one has 1.
	Commits *Ints `json:"commits,omitempty"`
}

// Turns is a set of turns, those that are allowed: pairs of VCs between
// switches, the second leaving the switch that the first enters. A packet
// starts by any VC out of the switch of its source, or is there already; then
// it takes any turns that are allowed, and ends at any time at the switch of its
// destination. Hosts send to all other hosts, management endpoints do not.
//
// Only two claims are made of it, and Switching plays no part in them. A VC
// depends on those that may follow it, whether or not some packet needs the
// turn (acyclic-cdg); a pair is connected if some way of allowed turns leads from
// the switch of the source to that of the destination (connected).
type Turns struct {
	// Next holds, for each VC between switches in order, the number of VCs
	// that may follow it, then these, ascending.
	Next Ints `json:"next"`
	// Closed are VCs between switches that no packet takes, ascending; none is among what
	// Next says, and no packet starts by one. Absent: there is none.
	Closed *Ints `json:"closed,omitempty"`
}

// Gates say which hops wait for buffers ahead to be less full, too. All packets have
// Packet flits and all buffers room for Buffer, and a packet sets out to a VC when no
// other is on its way into it and there is room for all of it. An empty buffer has more
// than Level slots.
//
// A hop has a gate where it leads to a VC between switches that is not of Exempt and
// comes from an injection channel, if Injection, or from a channel of another axis, if
// Turns. The gate is closed while the weights of the bits that are set are more than Most
// in sum: bit 0 is that of the buffer of the VC that the hop leads to, bit i that of the one
// i channels further by Ahead; no bit beyond -1 is set. A bit is set while a buffer has at
// most Level slots free: the buffer of the same VC index (VCs "own"), one buffer of the
// channel at least ("any"), or all of them ("all"). Taken are the slots of flits that are
// there, or, if Reserved, all those of a packet from its head's arrival to its tail's
// leaving. A closed gate keeps heads from being given a VC and, if ByFlit, every flit
// from passing.
type Gates struct {
	Packet    int     `json:"packet"`
	Buffer    int     `json:"buffer"`
	Level     int     `json:"level"`
	Reserved  bool    `json:"reserved"`
	ByFlit    bool    `json:"by_flit"`
	VCs       string  `json:"vcs"`
	Turns     bool    `json:"turns"`
	Injection bool    `json:"injection"`
	Weights   []int64 `json:"weights"` // by bit
	Most      int64   `json:"most"`
	Axis      Ints    `json:"axis"`   // by channel between switches
	Ahead     Ints    `json:"ahead"`  // by channel between switches: one out of the switch that it enters, or -1
	Exempt    Ints    `json:"exempt"` // VCs between switches, ascending
}

// Product is dimension-order routing on a mesh or torus, told by its lines.
// Subject.Network is empty then: the network is the product of the lines. Its
// switches are the tuples of one switch of each line, with Hosts endpoints at
// each; each channel of a line is there once for each choice of the other
// coordinates. A packet corrects the coordinates in the order of the lines. In a
// dimension it does what the line's relation permits to a packet to the
// destination's coordinate, beginning as a packet that is created there; where
// the line delivers, it goes on in the next dimension in which its coordinate
// is not yet right, and after the last to its endpoint.
type Product struct {
	Hosts int    `json:"hosts"` // per switch, at least 1; all send to all others
	Lines []Line `json:"lines"`
}

// Line is one dimension of a product: a certificate by itself, under the same
// switching, with one endpoint at each switch, in order, each a destination.
type Line struct {
	Network  Network  `json:"network"`
	Relation Relation `json:"relation"`
	Claims   []Claim  `json:"claims"`
}

// Family is a set of class turns on all networks of a family. Subject.Network is
// empty then, and Switching plays no part. Two claims are made: on no network of the
// family do the turns that the set allows close a cycle (acyclic-cdg); on each of them
// some way of allowed turns leads from every switch to every other (connected). Both
// are refuted by one network.
//
// Channels are told apart by their direction, and straight on, in the same
// direction, is always allowed; a turn back over the same cable only with UTurns. The
// kinds of families, their directions and the coordinates of switches stand in
// family.go, one after the other, with what is known of a channel's ends.
type Family struct {
	Kind    string   `json:"kind"` // "mesh", "torus", "hv", "updown", "given"
	Dims    int      `json:"dims"` // of meshes and tori, else 0
	VCs     int      `json:"vcs"`  // of tori 1 or 2, else 0
	Rule    string   `json:"rule"` // of tori with two VCs
	Tree    string   `json:"tree"` // of H/V graphs
	UTurns  bool     `json:"u_turns"`
	Given   *Given   `json:"given,omitempty"`
	Allowed []string `json:"allowed"` // class turns, A>B, in the order of A and then B
}

// Given are directions of a family that is known by what they do to coordinates:
// all networks whose switches have integer coordinates, each channel of a direction
// with differences that fulfil its rows.
type Given struct {
	Coordinates int              `json:"coordinates"`
	Directions  []GivenDirection `json:"directions"`
}

// GivenDirection is one; Rows holds coefficients, one for each coordinate, and a
// bound: coefficients times differences (head less tail) are at least that.
type GivenDirection struct {
	Name string `json:"name"`
	Rows Ints   `json:"rows"`
}

// Member is a network of a family.
type Member struct {
	Sides Ints `json:"sides"` // of a mesh or torus
	Links Ints `json:"links"` // of others: two switches each
	At    Ints `json:"at"`    // the coordinates of the switches of others, by switch
	// From, To are switches that are not connected; Cycle holds channels, each
	// by the switches that it leaves and enters and its VC, each of which may follow
	// the one before, and the first the last.
	From  int  `json:"from"`
	To    int  `json:"to"`
	Cycle Ints `json:"cycle"`
}

// The values of Subject.Waiting.
const (
	WaitingOne   = "one"
	WaitingMixed = "mixed"
)

// The claims.
const (
	ClaimAcyclic      = "acyclic-cdg"           // no dependency cycle among reachable states, or among the turns allowed
	ClaimDeadlockFree = "deadlock-free"         // under Subject.Switching
	ClaimConnected    = "connected"             // every state of every pair has a way to its destination
	ClaimLivelockFree = "livelock-free"         // no packet can be forwarded for ever
	ClaimMessages     = "message-deadlock-free" // nor when messages wait for those that they call for, each class in its virtual network
	ClaimUnroutable   = "unroutable"            // every set of turns closes a cycle or leaves some hosts unconnected, turns only
	ClaimLowerBound   = "lower-bound"           // every set of turns that closes no cycle, or by some evidence that connects all, too, prohibits so many; turns only
)

// The two verdicts a certificate can hold.
const (
	Proved  = "proved"
	Refuted = "refuted"
)

// The kinds of evidence.
const (
	// EvidenceNumbering (acyclic-cdg proved): Ranks, by VC between switches, a
	// permutation of 0..n-1; every dependency leads to a greater rank.
	EvidenceNumbering = "numbering"
	// EvidenceCycle (acyclic-cdg refuted): Packets, one per dependency of a
	// cycle that visits no VC twice; the path of each ends with the two VCs of
	// its dependency, and the last VC of one is the last but one of the next. The first begins
	// at the smallest VC of the cycle.
	EvidenceCycle = "cycle"
	// EvidenceAcyclic (deadlock-free proved, any switching): the acyclic-cdg
	// claim of the same certificate is proved (Dally and Seitz 1987).
	EvidenceAcyclic = "acyclic-cdg"
	// EvidenceLines (products only): the claim is proved for every line, or
	// refuted for some line (acyclic-cdg and deadlock-free). Connected has
	// Pairs, livelock-free has Hops, as below, of the whole.
	EvidenceLines = "lines"
	// EvidenceElimination (deadlock-free proved, vct or saf): Ranks, by VC
	// between switches, a permutation of 0..n-1; every reachable state on such
	// a VC that has a next hop at all has one to an ejection channel or to a
	// VC of greater rank. Where a packet waits for one next hop (Subject.Waiting), all its next hops
	// are such hops.
	EvidenceElimination = "elimination-order"
	// EvidenceEscape (deadlock-free proved, any switching, relations only):
	// Escape, a flag for each next hop in the order of States, 1 for an escape
	// hop, 0 for others and for ejection; Ranks, by VC between switches,
	// 0..k-1 for the k VCs that escape hops lead to, -1 for others. Every state
	// has an escape hop or a hop to an ejection channel (where a packet waits for one next hop, it
	// has no other hops), and whatever escape a
	// packet on a ranked VC may come to ask for, by hops that are no escape
	// hops, is of greater rank.
	EvidenceEscape = "escape"
	// EvidenceConfiguration (deadlock-free refuted, any switching): Packets, one
	// per VC of a set of VCs between switches, ascending by the last VC of the
	// path, where the packet waits; it has a next hop, and all its next hops
	// lead to VCs of the set. Each VC of the set is the next hop of some packet. Iff Subject.Waiting
	// is there, so is Chosen: by packet the VC of the next hop that was chosen, or -1 for a packet
	// that waits for any of its next hops. For a packet with a chosen VC, this VC alone stands for
	// all its next hops.
	EvidenceConfiguration = "deadlock-configuration"
	// EvidenceWorms (deadlock-free refuted, wormhole): Packets, and Holds, for
	// each how many VCs, the last of its path, it holds; ascending by the last
	// VC. All of these are between switches, no VC is held twice, each packet
	// has a next hop, all next hops lead to VCs that are held, and of each
	// packet some VC is waited for. Each VC of a path differs from as many VCs
	// before it as the packet holds: a packet cannot enter a VC that its own
	// flits hold.
	// Chosen is there, and read, as for deadlock-configuration.
	EvidenceWorms = "worms"
	// EvidenceGatedOrder (deadlock-free proved, with gates): Ranks and Clear, by VC between
	// switches, 0 to 2n: in which round it is known that a VC cannot be taken for
	// ever, and that its buffer cannot be nearly full for ever; gates.go says what
	// must hold.
	EvidenceGatedOrder = "gated-order"
	// EvidenceGatedConfiguration (deadlock-free refuted, with gates): Packets and
	// Flits, for each packet how many of its flits are on each VC of its path. The
	// path ends where the head waits, or at the destination's ejection channel, where the
	// flits that are missing have gone. The packets come there in the order shown, each while
	// those before it stay (gatedarrival.go), and none of the flits can move then.
	EvidenceGatedConfiguration = "gated-configuration"
	// EvidenceWalk (connected proved): Pairs, the number of pairs of source
	// and destination; every state that a packet of theirs can reach has a
	// way to the destination's ejection channel, and each pair has a class.
	EvidenceWalk = "walk"
	// EvidenceLostPacket (connected refuted): Pairs, Unreachable, and one
	// packet of an unreachable pair with End.
	EvidenceLostPacket = "lost-packet"
	// EvidenceLongest (livelock-free proved): Hops, the largest number of
	// switches that a packet can pass; no packet can come back to a state.
	EvidenceLongest = "longest-path"
	// EvidenceLoop (livelock-free refuted): one packet whose path ends in a
	// state that it was in before, for the first time.
	EvidenceLoop = "forwarding-loop"

	// EvidenceNetworks (message-deadlock-free proved): Messages, the virtual network by class
	// of messages, numbered as they come first; all differ, and the deadlock-free claim of the same
	// certificate is proved. Each virtual network is a copy of the subject with VCs of its own.
	EvidenceNetworks = "virtual-networks"
	// EvidenceSharedNetwork (message-deadlock-free refuted): Messages, two of them alike, and two
	// packets from injection to ejection, the first's source the smaller, between the same two
	// endpoints, one each way. No packet of the same source, destination and class can be dropped, or
	// ejected at another endpoint, whatever permitted hops it takes.
	EvidenceSharedNetwork = "shared-virtual-network"
	// EvidenceDeadlocked (message-deadlock-free refuted): Messages, all different, and the
	// deadlock-free claim of the same certificate is refuted.
	EvidenceDeadlocked = "deadlock"

	// EvidenceTurnCycle (acyclic-cdg refuted, turns only): Cycle, different VCs,
	// each of which may follow the one before, and the first the last. The first
	// is the smallest.
	EvidenceTurnCycle = "turn-cycle"
	// EvidenceTurnTree (connected proved, turns only): Pairs, and Tree, by
	// switch the VC by which it goes to its parent, TreeRoot at one switch, or
	// TreeOutside. Every switch with hosts is in the tree, and so are the others
	// that lie between such and the root, and none else. Down the tree leads
	// the VC of the same index on the other channel of the cable. All turns
	// between VCs of the tree, up or down, are allowed, but for the way back.
	EvidenceTurnTree = "turn-tree"
	// EvidenceTurnSearch (connected proved, turns only): Pairs. The checker
	// searches by itself.
	EvidenceTurnSearch = "turn-search"
	// EvidenceTurnUnreached (connected refuted, turns only): Pairs, Unreachable,
	// and one packet with End: source and destination are the first pair that is
	// not connected, ascending by source; class -1, path empty.
	EvidenceTurnUnreached = "turn-unreached"
)

// EvidencePacking (lower-bound proved, turns only, one VC): Bound, and Packing: cycles of
// turns, U-turns not among them, with weights. On each turn lie weights of at most the
// denominator in sum. Each cycle has a prohibited turn, so at least as many turns are
// prohibited as the weights are in sum, over the denominator and rounded up: Bound.
const EvidencePacking = "cycle-packing"

// EvidenceGossip (lower-bound proved, turns only, one VC): Bound, 2(m-n+1) for a network of m
// links and n switches, two at least, that is connected and has a host at every switch. It
// holds for sets that close no cycle and connect all hosts; the proof stands in gossip.go.
const EvidenceGossip = "one-way-gossip"

// EvidenceRefutation (lower-bound proved, turns only, one VC): Bound, Packing as above, whose
// weights alone show less, and Steps. It holds for sets that close no cycle and connect all
// hosts. Each step is a kind, the number of its literals, and these, ascending; then, of a way
// (kind 1), the two switches; of what follows from others (kind 3), the number of its hints and
// these, each by how many steps it goes back. A cycle is kind 0, a budget kind 2; refutation.go
// tells what they say. Every step but the last is named by a later one, the last has no
// literals.
const EvidenceRefutation = "refutation"

// EvidenceNoSet (unroutable proved, turns only, one VC): Steps as above, without budgets.
const EvidenceNoSet = "no-set"

// The same for sets that allow a turn together with its reverse (the same way backwards) or
// not at all, as that of the subject does. Weights lie on pairs of such turns, once for each
// cycle; a pair is two turns, so the bound of a packing is even; that of connectedness is the same.
const (
	EvidencePackingBoth = "cycle-packing-both"
	EvidenceGossipBoth  = "one-way-gossip-both"
	// EvidenceRefutationBoth counts pairs: k pairs are twice as many turns.
	EvidenceRefutationBoth = "refutation-both"
)

// The kinds of evidence for families.
const (
	// EvidenceFamilyRanks (acyclic-cdg proved): Ranks, for each place, level by
	// level, a constant and a coefficient for each coordinate; Multipliers, for each
	// step in the order of family.go and each level up to the one that settles it, but
	// none where constants differ or all coefficients are 0: a denominator and a
	// number for each row of the step's second place. At each level the constant
	// of the second place is not below that of the first; where it is equal, the form of
	// the second at its head less that of the first at its tail, which is the sum of
	// the rows so many times over the denominator, is not below 0 by the rows' bounds;
	// at some level one of these is above.
	EvidenceFamilyRanks = "family-ranks"
	// EvidenceFamilyCycle (acyclic-cdg refuted): Member with Cycle.
	EvidenceFamilyCycle = "family-cycle"
	// EvidenceFamilyMembers (connected proved): nothing; the checker searches the
	// small members that stand for all.
	EvidenceFamilyMembers = "family-members"
	// EvidenceFamilyUnreached (connected refuted): Member with From and To.
	EvidenceFamilyUnreached = "family-unreached"
)

// Entries of Claim.Tree that are no VCs.
const (
	TreeRoot    = -1
	TreeOutside = -2 // not in the tree
)

// The ways in which a packet is lost (Claim.End).
const (
	EndDropped   = "dropped"       // the last state of the path has no next hop
	EndWrongHost = "wrong-host"    // the path ends on another endpoint's ejection channel
	EndLooping   = "looping"       // no way from the last state to the destination, though it is neither of these
	EndNoClass   = "no-class"      // the pair has no class to send with; class -1, path empty
	EndNoPath    = "no-legal-path" // no way of allowed turns leads there (turns only)
)

// Claim is one claim, its verdict and the evidence. Fields that the kind of
// evidence does not name are absent.
type Claim struct {
	Claim       string   `json:"claim"`
	Verdict     string   `json:"verdict"`
	Evidence    string   `json:"evidence"`
	Ranks       *Ints    `json:"ranks,omitempty"`
	Packets     []Packet `json:"packets,omitempty"`
	Pairs       *int64   `json:"pairs,omitempty"`
	Unreachable *int64   `json:"unreachable,omitempty"`
	End         string   `json:"end,omitempty"`
	Hops        *int64   `json:"hops,omitempty"`
	Escape      *Ints    `json:"escape,omitempty"`
	Holds       *Ints    `json:"holds,omitempty"`
	Cycle       *Ints    `json:"cycle,omitempty"`
	Tree        *Ints    `json:"tree,omitempty"`
	Multipliers *Ints    `json:"multipliers,omitempty"`
	Member      *Member  `json:"member,omitempty"`
	Bound       *int64   `json:"bound,omitempty"`
	Packing     *Packing `json:"packing,omitempty"`
	Steps       *Ints    `json:"steps,omitempty"`
	Clear       *Ints    `json:"clear,omitempty"`
	Flits       *Ints    `json:"flits,omitempty"`
	Messages    *Ints    `json:"messages,omitempty"`
	Chosen      *Ints    `json:"chosen,omitempty"`
}

// Packing is weighted cycles.
type Packing struct {
	Denominator int  `json:"denominator"`
	Weights     Ints `json:"weights"` // by cycle, at least 1
	// Cycles holds for each its length, then its VCs, each of which may follow the one
	// before, and the first the last.
	Cycles Ints `json:"cycles"`
}

// Packet is a packet and the way it has come: Path holds VC and class in
// turn, beginning with the injection VC of the source and the class given
// there, each step a permitted hop of the state before.
type Packet struct {
	Source      int     `json:"source"`      // endpoint
	Destination int     `json:"destination"` // index into the table's or relation's destinations; for turns, a host
	Class       int     `json:"class"`       // on injection
	Path        []int32 `json:"path"`
	// Group is the index of the multicast group that a multicast packet is of; its destination
	// is -1, and its path that of one copy. Absent for a unicast packet. In evidence of a
	// deadlock such a packet waits for all of its copies: one of them waits for a VC of the set.
	// Evidence for cycles, deadlock configurations and forwarding loops may have such packets.
	Group *int `json:"group,omitempty"`
}

// Ints is a list of integers, written as base64 of zigzag varints, each in its
// shortest form.
type Ints []int32

// MarshalJSON writes the packed form.
func (x Ints) MarshalJSON() ([]byte, error) { return pack(x), nil }

// pack returns the packed form, in quotes.
func pack(x Ints) []byte {
	raw := make([]byte, 0, len(x)+len(x)/4)
	for _, v := range x {
		u := uint32(v)<<1 ^ uint32(v>>31)
		for ; u >= 0x80; u >>= 7 {
			raw = append(raw, byte(u)|0x80)
		}
		raw = append(raw, byte(u))
	}
	out := make([]byte, base64.StdEncoding.EncodedLen(len(raw))+2)
	out[0], out[len(out)-1] = '"', '"'
	base64.StdEncoding.Encode(out[1:], raw)
	return out
}

// UnmarshalJSON reads the packed form and nothing else.
func (x *Ints) UnmarshalJSON(text []byte) error {
	if len(text) < 2 || text[0] != '"' {
		return fmt.Errorf("packed integers are a string, not %.20s", text)
	}
	text = text[1 : len(text)-1]
	raw := make([]byte, base64.StdEncoding.DecodedLen(len(text)))
	n, err := base64.StdEncoding.Strict().Decode(raw, text)
	if err != nil {
		return fmt.Errorf("packed integers: %w", err)
	}
	raw = raw[:n]
	count := 0
	for _, b := range raw {
		if b < 0x80 {
			count++
		}
	}
	list := make(Ints, 0, count)
	var u uint64
	var shift uint
	for i, b := range raw {
		u |= uint64(b&0x7f) << shift
		if u > 1<<32-1 || shift > 28 {
			return fmt.Errorf("packed integers: number %d is longer than 32 bits", len(list))
		}
		if shift += 7; b >= 0x80 {
			continue
		}
		if b == 0 && shift > 7 {
			return fmt.Errorf("packed integers: number %d is not in its shortest form (byte %d)", len(list), i)
		}
		list = append(list, int32(uint32(u)>>1)^-int32(u&1))
		u, shift = 0, 0
	}
	if shift != 0 {
		return fmt.Errorf("packed integers: cut off in number %d", len(list))
	}
	*x = list
	return nil
}
