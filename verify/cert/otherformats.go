package cert

// This file specifies the parts of a certificate that concern gates, flow control of rings, products,
// routing programs, classes of messages and bounds on VCs, and the evidence for these. turnsformat.go
// and streamsformat.go have the rest. The judges are in the packages beside this one.

// Gates say which hops wait for buffers ahead to be less full. All packets have Packet
// flits. All buffers have room for Buffer flits. A packet starts towards a VC when no other
// packet is entering the VC and it has room for the whole packet. An empty buffer has more than
// Level free slots.
//
// A hop has a gate if it leads to a VC between switches that is not in Exempt, and it comes
// from an injection channel (if Injection is true) or from a channel of another axis (if Turns is true).
//
// The gate of a hop to a VC of channel c is closed while the sum of Weights over all set bits is greater than Most.
// Bit 0 belongs to channel c, bit i to the channel that i steps of Ahead lead to from c. No bit beyond a step to -1
// is set. A bit is set while a buffer of its channel has at most Level free slots: the buffer of the
// same VC index (VCs is "own"), at least one buffer ("any"), or all buffers ("all"). If
// Reserved is false, flits that are in a buffer take its slots. If Reserved is true, a packet
// takes all of its slots from the arrival of its head until its tail leaves.
//
// A closed gate stops heads from being given a VC. If ByFlit is true, it stops every flit.
//
// Switching is vct, or saf without ByFlit. If Atomic is true, a VC takes a packet only when no packet holds it.
type Gates struct {
	Packet    int     `json:"packet"`
	Buffer    int     `json:"buffer"`
	Level     int     `json:"level"`
	Reserved  bool    `json:"reserved"`
	ByFlit    bool    `json:"by_flit"`
	Atomic    bool    `json:"atomic,omitempty"`
	VCs       string  `json:"vcs"`
	Turns     bool    `json:"turns"`
	Injection bool    `json:"injection"`
	Weights   []int64 `json:"weights"` // by bit
	Most      int64   `json:"most"`
	Axis      Ints    `json:"axis"`   // by channel between switches
	Ahead     Ints    `json:"ahead"`  // by channel between switches: a channel out of the switch that it enters, or -1
	Exempt    Ints    `json:"exempt"` // VCs between switches, ascending
}

// Bubbles is flow control that keeps rings of VCs from filling up. All packets have Packet flits. All
// buffers, also of injection channels, have room for Buffer flits. A ring is a list of VCs between switches;
// no VC is in two rings, or twice in one. A hop onto a VC of a ring from a VC outside the ring is an entry.
//
// Kinds "bubble" and "critical-bubble", switching vct or saf: a packet starts towards a VC when no other packet is entering
// the VC, and the VC has room for the whole packet. "bubble": an entry needs room for 2*Assumed flits in
// the VC as well. "critical-bubble": an entry needs, as well, that the packets in the ring, with this
// one, number less than the sum of Buffer/Assumed, rounded down, over the VCs of the ring. A packet is in
// a ring from the hop that enters the ring until the hop that leaves it.
//
// Kind "worm-bubble", switching wormhole: a worm starts towards a VC when the VC is empty. Let k be
// Assumed/Buffer, rounded up. An entry needs, as well, that k times the number of worms in the
// ring, with this one, is less than the number of its VCs. A worm is in a ring from the hop that enters the ring
// until its tail has left the VCs that it took from there on. A worm that enters a ring again before counts twice.
//
// The conditions of entries do not hold for the entries of Off.
type Bubbles struct {
	Kind    string `json:"kind"`
	Packet  int    `json:"packet"`
	Buffer  int    `json:"buffer"`
	Assumed int    `json:"assumed"`
	Rings   Ints   `json:"rings"` // for each ring: the number of its VCs, then the VCs in the order of the ring
	Off     Ints   `json:"off"`   // pairs of VCs, from and to, ascending: entries
}

// Product is dimension-order routing on a mesh or torus, given by its lines. Subject.Network
// is empty. The network is the product of the lines: its switches are the tuples of
// one switch of each line, and each channel of a line exists once for each choice of the other
// coordinates.
//
// A packet corrects its coordinates in the order of the lines. In one dimension it does what the
// line's relation permits to a packet that is created at its coordinate and goes to the
// destination's coordinate. Where the line delivers the packet, it goes on in the next dimension in which
// its coordinate differs from the destination's. After the last dimension it goes to its endpoint.
type Product struct {
	Hosts int    `json:"hosts"` // endpoints at each switch, at least 1; each sends to all others
	Lines []Line `json:"lines"`
}

// Line is one dimension of a product. It is judged as a certificate of its own, with the same switching
// and waiting. It has one endpoint at each switch, in order; each is a destination.
type Line struct {
	Network  Network  `json:"network"`
	Relation Relation `json:"relation"`
	Claims   []Claim  `json:"claims"`
}

// Program is a routing program on all networks of its family (docs/routing-programs.md). Subject.Network is
// empty, and each of Subject.Inputs has the SHA-256 of the text.
type Program struct {
	Name string `json:"name"`
	Text string `json:"text"`
	Dims int    `json:"dims"` // number of dimensions
	// Every says that the claims hold for every number of dimensions. The evidence is then for one dimension, without Flow, and without
	// an escape or with a set of channels as the escape, and route has a form that verify/cert/everysize/dimensions.go describes.
	Every bool `json:"every_dimension,omitempty"`
	// Flow is present if flow control keeps rings from filling up. It requires the switching vct.
	Flow *ProgramFlow `json:"flow,omitempty"`
	// Faults is what may have failed: empty for nothing, or "links:1", "links:2", "switches:1", "switches:2" for at most one or
	// two links or switches.
	Faults string `json:"faults,omitempty"`
}

// ProgramFlow is flow control of the kind bubble or critical-bubble, as in Bubbles, on every network of a family. The
// rings of a network are those of the dependencies of the program there: a ring is a set of VCs that depend on each
// other, each on one of the set. No entry is off.
type ProgramFlow struct {
	Kind    string `json:"kind"`
	Packet  int    `json:"packet"`
	Buffer  int    `json:"buffer"`
	Assumed int    `json:"assumed"`
}

// EverySize is the evidence that a program is deadlock-free, connected and livelock-free for every size.
//
// A form is a constant, then a coefficient for each variable of everysize/family.go: coordinates of the place, of the destination
// and of another place, then the sizes in the order of the family, then the place of each failure. A condition is a modulus and a form: with
// modulus 0, the form is at least 0; else the modulus divides the form. A list of conditions is their number, then
// the conditions.
type EverySize struct {
	// Paths says that the evidence is for claims about paths without deadlock-free. Ranks then belong to
	// packets: they may use the destination, as may splits, and differ by header state. Hops lead to no lower group. Within a
	// group whose classes all have ranks, hops increase the rank; within the others they decrease the distance. With an escape,
	// which has no detour, this is about the hops of the escape only: a path of these leads to each destination, and
	// livelock-free is not claimed.
	Paths  bool        `json:"paths,omitempty"`
	Splits []SizeSplit `json:"splits"`
	// Classes has the classes that packets reach, ascending by direction, VC, wraparound, part and state.
	Classes []SizeClass `json:"classes"`
	// Ranks has the ranks of channels. A channel with several entries has the rank of an entry whose conditions hold.
	Ranks []SizeRank `json:"ranks"`
	// Escape is "none", if every dependency increases the rank; "channels" for an escape of the directions and VCs in
	// Channels; "first" or "last" for the first or last output of each run of the program; "detour" for an escape of
	// Channels whose ranks increase also over hops outside of the escape.
	Escape   string `json:"escape"`
	Channels Ints   `json:"channels"` // pairs of a direction and a VC, ascending
	// Detour holds clauses: a list of conditions, the number of alternatives, and a list of conditions for each. If the
	// first conditions hold, one of the alternatives holds.
	Detour Ints `json:"detour"`
	// Proofs holds the proofs of all obligations in the order of everysize/obligations.go. For each alternative of a run
	// of the program it holds 1, or 0 and the proof that no packet takes it. everysize/proof.go defines proofs.
	Proofs Ints `json:"proofs"`
	// Cases has the evidence of the further cases of everysize/faults.go, if something may have failed. Proofs has their proofs
	// after those of the first case.
	Cases []SizeCase `json:"cases,omitempty"`
	// Length bounds the paths of the claim livelock-free.
	Length *SizeLength `json:"length,omitempty"`
}

// SizeLength is the evidence of a bound on the hops of paths (everysize/length.go).
type SizeLength struct {
	// Measures has a constant and a factor for each dimension, of created packets, then of each class; then those of each further case.
	Measures Ints `json:"measures"`
	Proofs   Ints `json:"proofs"` // of the obligations length
}

// SizeCase is the evidence of a further case. Its fields are those of EverySize.
type SizeCase struct {
	Paths    bool        `json:"paths,omitempty"`
	Splits   []SizeSplit `json:"splits"`
	Classes  []SizeClass `json:"classes"`
	Ranks    []SizeRank  `json:"ranks"`
	Escape   string      `json:"escape"`
	Channels Ints        `json:"channels"`
	Detour   Ints        `json:"detour"`
}

// EverySize returns the evidence of a case as that of a first case without proofs.
func (c *SizeCase) EverySize() *EverySize {
	return &EverySize{Paths: c.Paths, Splits: c.Splits, Classes: c.Classes, Ranks: c.Ranks, Escape: c.Escape, Channels: c.Channels, Detour: c.Detour}
}

// EveryNetwork is the evidence that a program for any network is deadlock-free on every connected network that has its premise.
//
// Conditions and numbers are expressions in the language of programs. Those about packets use the switches cur, dst, and prev
// if the packet came over a channel, via if its header carries a switch. Those about channels use tail and head.
type EveryNetwork struct {
	// Classes has the classes that packets reach.
	Classes []NetworkClass `json:"classes"`
	// Ranks has the ranks of channels. A channel with several entries has the rank of an entry whose condition holds.
	Ranks []NetworkRank `json:"ranks"`
	// Escape has the VCs of an escape. If empty, every dependency increases the rank, unless Some is true.
	Escape Ints `json:"escape"`
	// Some says that each packet on a channel is permitted some channel of greater rank, instead of greater ranks on all dependencies. Then
	// there is no escape, and the switching is not wormhole.
	Some bool `json:"some,omitempty"`
	// Connected says that the proofs cover the claims connected and, with an escape or Some, livelock-free.
	Connected bool `json:"connected"`
	// Proofs holds the proofs of all obligations in the order of everysize/nettheorem.go: a level of facts
	// (everysize/netaxioms.go), then the numbers of everysize/proof.go.
	Proofs Ints `json:"proofs"`
}

// NetworkClass is a class of packets on channels of one VC, or of packets that have just been created.
type NetworkClass struct {
	VC      int    `json:"vc"` // -1 for packets that have just been created
	State   int    `json:"state"`
	Carries bool   `json:"carries"` // the header carries a switch
	Holds   string `json:"holds"`   // a condition on the packets; if empty, none
	// Group and Measure are used with an escape, with Some, and by every-network-paths. Hops lead to no lower group. Hops within a group decrease the measure.
	Group   int    `json:"group"`
	Measure string `json:"measure"`
}

// NetworkRank is the rank of the channels of a VC that satisfy a condition: numbers that are compared from left to right.
type NetworkRank struct {
	VC   int    `json:"vc"`
	When string `json:"when"` // if empty, all channels of the VC
	Rank string `json:"rank"`
}

// SizeSplit splits the channels of some directions and VCs by a condition on the place that they leave.
type SizeSplit struct {
	Condition Ints `json:"condition"`
	Channels  Ints `json:"channels"` // pairs of a direction and a VC, ascending
}

// SizeClass is a class of packets on channels. Direction 2d is plus in dimension d, 2d+1 is minus. Bit i of Part says that the
// channel satisfies the condition of split i.
type SizeClass struct {
	Direction int  `json:"direction"`
	VC        int  `json:"vc"`
	Wrap      bool `json:"wrap"`
	Part      int  `json:"part"`
	State     int  `json:"state"` // header state
	Kept      Ints `json:"kept"`  // a list of conditions at the place that the channel enters
	// Excluded is lists of conditions at this place. No packet satisfies all conditions of a list.
	Excluded Ints `json:"excluded,omitempty"`
	// Group is used with an escape. Hops lead to no lower group. Hops within a group decrease the distance to the destination.
	Group int `json:"group"`
	// Adaptive is used with the claim fully-adaptive: packets of the class are permitted each hop that leads nearer to their destination.
	Adaptive bool `json:"adaptive,omitempty"`
}

// SizeRank is the rank of channels, in forms that are compared from left to right.
type SizeRank struct {
	Direction int  `json:"direction"`
	VC        int  `json:"vc"`
	Wrap      bool `json:"wrap"`
	Part      int  `json:"part"`
	State     int  `json:"state,omitempty"` // header state, in evidence with Paths
	Rank      Ints `json:"rank"`            // a list of conditions, the number of forms, and the forms
}

// EvidenceLines: products only. The claim is proved for every line, or, for acyclic-cdg and
// deadlock-free, refuted for some line. Connected has Pairs, livelock-free has Hops, both of the product.
const EvidenceLines = "lines"

// The kinds of evidence for relations with gates.
const (
	// EvidenceGatedOrder: deadlock-free proved. Ranks and Clear, by VC between switches, each from 0 to 2n
	// for n VCs: the round in which it is known that the VC is not held for ever, and the
	// round in which it is known that its buffer is not nearly full for ever. gates/gates.go states the rules.
	EvidenceGatedOrder = "gated-order"
	// EvidenceGatedConfiguration: deadlock-free refuted. Packets and Flits: for each packet, how many of
	// its flits are on each VC of its path. The path ends where the head waits, or at the
	// destination's ejection channel, where the missing flits have arrived. The packets arrive in the order shown, each while
	// the packets before it stay (gates/arrival.go). Then no flit can move.
	EvidenceGatedConfiguration = "gated-configuration"
	// EvidenceGatedRun: deadlock-free refuted. Packets as above. Steps has two numbers for each move: a packet
	// and the place of its path that one of its flits leaves for the next place. After these moves no
	// flit can move (gates/run.go).
	EvidenceGatedRun = "gated-run"
	// EvidenceGatedStates: deadlock-free proved. Ranks and Clear as for gated-order, or -1 for a VC that may be
	// held, or a buffer that may be nearly full. No run from the empty network reaches a deadlock: the
	// checker visits all states (gates/states.go).
	EvidenceGatedStates = "gated-states"
	// EvidenceBubble: deadlock-free proved, subjects with Bubbles. Ranks by VC, equal for the VCs of a ring
	// and for no others. bubbles/proof.go says what is judged.
	EvidenceBubble = "bubble"
	// EvidenceBubbleRun: deadlock-free refuted, subjects with Bubbles. Packets and Moves: a run of the network from
	// empty buffers. Each number of Moves is a packet, which takes the next step of its path. After the last move
	// some packets are left, and none of them can ever move again. bubbles/run.go says what is judged.
	EvidenceBubbleRun = "bubble-run"
)

// The kinds of evidence for classes of messages, of tables and relations without gates. Messages holds
// the virtual network of each class, numbered in the order in which they first occur. Each virtual network
// is a copy of the subject with VCs of its own. messages/messages.go states the theorems.
const (
	// EvidenceNetworks: message-deadlock-free proved. All entries of Messages differ, and the claim
	// deadlock-free of the same certificate is proved.
	EvidenceNetworks = "virtual-networks"
	// EvidenceSharedNetwork: message-deadlock-free refuted. Two entries of Messages are equal. Packets has two packets between the
	// same two endpoints, one in each direction, each from injection to ejection; the source of the first is the
	// smaller. No packet of the same source, destination and class can be dropped or be
	// ejected at another endpoint, whichever permitted hops it takes.
	EvidenceSharedNetwork = "shared-virtual-network"
	// EvidenceDeadlocked: message-deadlock-free refuted. All entries of Messages differ, and the claim
	// deadlock-free of the same certificate is refuted.
	EvidenceDeadlocked = "deadlock"
)

// Protocol is classes of messages in virtual networks. Each virtual network is a copy of the subject with
// VCs of its own. Classes form a graph without cycles. A transaction begins with one message of each
// class that has no After and is of its kind: the graph joins these classes.
type Protocol struct {
	Networks int            `json:"networks"` // at least 1
	Classes  []MessageClass `json:"classes"`  // at least 1
	// Begins is present if transactions begin on some pairs of endpoints only: from and to of each in turn, ascending. The messages of
	// other classes go where these pairs lead them (messages/pairs.go). Relation.Flows has all these pairs. If Begins is absent, the pairs are
	// those of Relation.Flows, if present.
	Begins *Ints `json:"begins,omitempty"`
}

// MessageClass is a class of messages.
type MessageClass struct {
	Name    string `json:"name"`
	Network int    `json:"network"` // its virtual network
	// From are the endpoints that send messages of the class, and To those that receive them, both
	// ascending. No endpoint sends to itself. A class without To is no message: it only ends the
	// wait of a table.
	From Ints `json:"from"`
	To   Ints `json:"to"`
	// After are alternatives: lists of classes, ascending. An endpoint that has consumed a message of
	// each class of one alternative, of one transaction, sends a message of this class. A list of two or
	// more classes is a join, and at most one alternative is a join.
	After []Ints `json:"after"`
	// ToSender says that a message goes to the endpoint that sent its cause. There is no join then.
	ToSender bool `json:"to_sender"`
	// ToInitiator says that a message goes to the endpoint that began the transaction. It is false if Protocol.Begins is absent.
	ToInitiator bool `json:"to_initiator,omitempty"`
	// Several says that a transaction may have several messages of the class.
	Several bool `json:"several"`
	// Queue says that the queue of messages of the class that an endpoint has to send because of others
	// can be full. Table says that the table of transactions that wait for the inputs of the
	// join can be full.
	Queue bool `json:"queue"`
	Table bool `json:"table"`
	// Consumed says that endpoints consume messages of the class in any case.
	Consumed bool `json:"consumed"`
	// Multicast says that one message goes to all of To except its source, along the paths of single
	// messages, and is copied where these part.
	Multicast bool `json:"multicast"`
}

// The kinds of evidence for protocols, of tables and relations.
// messages/protocol.go defines places and what messages wait for there, and states the theorems. With V
// virtual networks, L VCs between switches and E endpoints, the first places are
//
//	v*L + x         VC x of virtual network v
//	V*L + v*E + e   the queues of endpoint e for virtual network v, with the VCs into which they send
//
// Then come the tables: for each class with a join and each endpoint of its From, one place. If the inputs of the
// join come in order, places follow for each input that need not come first, and for each endpoint of its From, except the
// owner of the table.
const (
	// EvidenceNetworkOrder: message-deadlock-free proved. Protocol, without multicast classes. The claim
	// deadlock-free of the same certificate is proved, and the virtual networks have an order in which messages wait only
	// for later ones.
	EvidenceNetworkOrder = "virtual-network-order"
	// EvidenceMessageElimination: message-deadlock-free proved, vct and saf. Protocol; Tables, numbers of tables in the
	// order of places, from 0; and Ranks by place, one block for each of Tables and a last one. In the last block each place has a rank of
	// at least 0, unless it is one of Tables. In another block, places can have -1, but not its own table. Each
	// message that can be at a place with a rank has an alternative, all of whose places have greater
	// ranks. All places that a table with a rank waits for have greater ranks. In each block the tables of earlier blocks do not
	// count, nor do, in the block of a table, the other tables of its class and endpoint.
	EvidenceMessageElimination = "message-elimination"
	// EvidenceMessageNumbering: the same for every switching. All places of all alternatives have greater ranks. Under wormhole switching
	// with multicast classes, Tables is empty, and Ranks are an order of copies (copyorder.go): first by place, then for each multicast
	// class and each endpoint of its From, by place of its messages, in the order of their places.
	EvidenceMessageNumbering = "message-numbering"
	// EvidenceMessageDeadlock: message-deadlock-free refuted. Protocol; Packets, and Carries, the class of each. The
	// path of a packet ends on a VC between switches or on its injection VC, which is its place. The
	// first packet at a place is at its front; the others are behind it. Tables has five numbers for each table of
	// the deadlock: class, endpoint, the source and the class of the missing message (-1 for others), and what the transactions in it
	// wait for. That is the number of a packet; or -1 for room in the queue of the endpoint for the class; or -2-k
	// for the table with number k of the list. No class and endpoint occur twice. The places are those of the packets, and the
	// tables. Each alternative of each front packet needs room at a place of the deadlock.
	EvidenceMessageDeadlock = "message-deadlock"
	// EvidenceMessageWorms: message-deadlock-free refuted, wormhole. As above, but each packet holds the last places of
	// its path, as many as Holds says by packet. No packet enters a VC that it holds, and no place is held
	// twice. A packet of which Holds is 0 is on its injection VC, in a queue whose place is held. A table waits for a packet
	// itself, not for one behind it.
	EvidenceMessageWorms = "message-worms"
	// EvidenceNoMessages: message-deadlock-free proved. Protocol; and Steps, a refutation of the clauses that say that messages block
	// each other. messages/clauses.go states the clauses and the rules of the steps.
	EvidenceNoMessages = "no-message-deadlock"
)

// EvidenceEverySize: programs only. The claim deadlock-free is proved by Sizes. The claims connected, livelock-free,
// minimal, deterministic and fully-adaptive have no field: the evidence of deadlock-free in the same certificate proves them.
const EvidenceEverySize = "every-size"

// EvidenceEverySizePaths: programs only, in certificates without the claim deadlock-free. The first claim is proved by Sizes, which has
// Paths. The other claims have the evidence every-size.
const EvidenceEverySizePaths = "every-size-paths"

// EvidenceEveryNetwork: programs for any network only. The claim deadlock-free is proved by Networks. The claims connected and
// livelock-free have no field: the evidence of deadlock-free in the same certificate proves them.
const EvidenceEveryNetwork = "every-network"

// EvidenceEveryNetworkPaths: programs for any network only, in certificates without the claim deadlock-free. The first claim is proved by
// Networks, which has no ranks and no escape: every hop decreases a measure. Another claim has the evidence every-network.
const EvidenceEveryNetworkPaths = "every-network-paths"

// The kinds of evidence for bounds on VCs, of tables and relations. vccount.go has the theorem and the steps.
// All have Packets, Bound and Steps.
const (
	// EvidencePathVCs: lower-bound proved. If each of these paths keeps one VC, and the dependencies between VCs have
	// no cycle, the paths use at least Bound VCs.
	EvidencePathVCs = "vcs-by-path"
	// EvidencePairVCs: the same if all these paths from one source to one destination use the same VC.
	EvidencePairVCs = "vcs-by-pair"
	// EvidenceRisingVCs: the same if a path may change to a greater VC at each hop.
	EvidenceRisingVCs = "vcs-rising"
	// EvidenceHopVCs: the same if a path may change to any VC at each hop.
	EvidenceHopVCs = "vcs-by-hop"
)

// EvidenceFewestPairs: lower-bound proved, of relations, with or without Bubbles, in which each pair that talks has one path. Every set of pairs
// without which the dependencies of the others have no harmful cycle has at least Bound pairs. A cycle is harmful unless it is in one ring of Bubbles
// without entries that are off. Steps holds the number of cycles; of each, its length and its VCs; and then the steps of a clausal proof
// (cert.JudgeClauses) that Bound-1 pairs do not break these cycles, on the clauses of NewFormula in package recipes. Pairs are numbered by source,
// then by destination. Without a proof, no pair has dependencies of two of the cycles, and the sum, over the cycles, of the fewest pairs that have
// one of its dependencies is at least Bound.
const EvidenceFewestPairs = "fewest-pairs"

// Facts are what is known of packets and buffers. Sizes are in flits; 0 or an absent field means unknown.
type Facts struct {
	Packet int `json:"packet,omitempty"` // the longest packet
	// Buffers is one number, the buffer of each VC between switches, or one for each channel between switches.
	Buffers Ints `json:"buffers,omitempty"`
	// Reuse says when a VC that no other packet is entering is given to the next packet: "empty", if it holds no flit; "not full",
	// if it has room for a flit; "unused", also if it is full, and the packet that is given it then waits for this VC only.
	Reuse   string `json:"reuse,omitempty"`
	Hosts   int    `json:"hosts,omitempty"`   // the smallest buffer of a VC of the channels from endpoints
	Control string `json:"control,omitempty"` // "late": control information takes time from switch to switch
}

const maxFlits = 1 << 24
