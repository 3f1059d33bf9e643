package cert

// This file specifies the format of certificates, and what each part means. Together with
// otherformats.go, turnsformat.go, streamsformat.go and transitionformat.go, which have the parts that concern neither one table
// nor a relation, blocks.go, which has version 2 for relations, and noworms.go, which has the steps of one kind of
// evidence, it is enough to write a second checker. packed.go defines the type Ints.
//
// A certificate is a JSON object in UTF-8, indented by one space for each level, that ends with a
// newline. Keys stand in the order of the fields below. A field with omitempty is absent if
// it is empty; every other field is present, and an empty list is []. Strings are
// written as Go's encoding/json writes them, which escapes <, > and &. A checker rejects
// a file that differs from this form in any byte.
//
// Numbering: switches, endpoints, links, destinations and other lists are numbered from 0 in the
// order of their list.

// Schema names the format and its version.
const Schema = "turnproof.certificate/1"

// Certificate is a subject, the claims about it, and their evidence.
type Certificate struct {
	Schema  string  `json:"schema"`
	Subject Subject `json:"subject"`
	// Claims has at least one entry. The claims are in the order of the constants
	// ClaimAcyclic, ClaimDeadlockFree, ClaimConnected, ClaimLivelockFree, ClaimMinimal, ClaimDeterministic,
	// ClaimFullyAdaptive, ClaimMessages, ClaimLowerBound, ClaimUnroutable, ClaimReached, ClaimOrder, each at most once. An undecided claim is left out.
	Claims []Claim `json:"claims"`
	// Digest is the SHA-256 of the file up to the comma before this field, in lower case hex.
	Digest string `json:"digest"`
	// Blocks are the states of the relation in version 2 of the format (blocks.go). In version 1 it is nil.
	Blocks Blocks `json:"-"`
}

// Subject is a network and its routing. Exactly one of Table, Relation, Turns,
// Product, Family, Streams, Program and Transition is present.
type Subject struct {
	// Switching is "vct" (virtual cut-through), "saf" (store-and-forward) or "wormhole".
	Switching string `json:"switching"`
	// Waiting says for which of several next hops a packet waits. It is present with a relation
	// or a product only. Absent: for all of them. "one": for one hop, which is
	// chosen when the packet arrives in the state, and which can be any of them. "mixed",
	// relations only: for one hop in the states that Relation.Commits marks, for all in the others.
	Waiting  string    `json:"waiting,omitempty"`
	Network  Network   `json:"network"`
	Table    *Table    `json:"table,omitempty"`
	Relation *Relation `json:"relation,omitempty"`
	Turns    *Turns    `json:"turns,omitempty"`
	Product  *Product  `json:"product,omitempty"`
	Family   *Family   `json:"family,omitempty"`
	Streams  *Streams  `json:"streams,omitempty"`
	Program  *Program  `json:"program,omitempty"`
	// Transition is present if the subject is a change from one table to another (transitionformat.go).
	Transition *Transition `json:"transition,omitempty"`
	// Gates is present if packets wait for more than room on the next VC. It requires a
	// relation, the switching vct, and no Waiting.
	Gates *Gates `json:"gates,omitempty"`
	// Bubbles is present if flow control keeps rings of VCs from filling up. It requires a relation, no
	// Gates, no Waiting and no Multicast.
	Bubbles *Bubbles `json:"bubbles,omitempty"`
	// Multicast is present if the network also forwards to multicast groups. It requires a
	// table or a relation, no Gates and no Waiting.
	Multicast *Multicast `json:"multicast,omitempty"`
	// Facts are what is known of packets, buffers and routers. It is absent if nothing is known. It requires a table, a
	// relation or a product. subjectfacts.go says which evidence needs which facts.
	Facts *Facts `json:"facts,omitempty"`
	// Inputs are the files that network and routing were read from, in the order of the
	// command line. The list is empty if they were not read from files.
	Inputs []Input `json:"inputs"`
	// Premises are statements about the user's network that the proof depends on. A checker
	// prints them in this order and cannot judge them; the reader compares them with the
	// network. Each name occurs once. A premise named "switching" has the value of Switching.
	Premises []Premise `json:"premises,omitempty"`
}

// The values of Subject.Waiting.
const (
	WaitingOne   = "one"
	WaitingMixed = "mixed"
)

// Premise is a statement and its source: a file, a flag, or "assumed". Each
// text is printable and not empty.
type Premise struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Source string `json:"source"`
}

// Input names a file by its base name and the SHA-256 of its bytes, in lower case hex.
type Input struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
}

// Network is switches and endpoints that cables join. With L links and E endpoints, channel
//
//	2l        leads from switch A to switch B of link l,
//	2l+1      leads back from B to A,
//	2L+e      leads from endpoint e to its switch (injection),
//	2L+E+e    leads from the switch to endpoint e (ejection).
//
// VC number c*VCs+i is VC index i of channel c. The VCs between switches have the numbers from 0
// to 2L*VCs-1; only these can take part in a deadlock. No port of a switch holds two
// cables, and no link joins a switch to itself. All VC numbers are less than 2^31.
type Network struct {
	VCs       int      `json:"vcs"`       // per channel, at least 1
	Switches  []string `json:"switches"`  // names
	Links     Ints     `json:"links"`     // four numbers per link: switch A, its port, switch B, its port
	Endpoints []string `json:"endpoints"` // names
	Attach    Ints     `json:"attach"`    // two numbers per endpoint: switch, its port
	Hosts     int      `json:"hosts"`     // the first endpoints are hosts, the others management endpoints
}

// Table is destination-based forwarding. The channel out of a switch depends on the switch
// and the destination. The VC on that channel depends on the cable in, the cable out and the
// class of the packet, which never changes.
//
// Endpoints 0..Sources-1 send to every destination that is not their own endpoint, with
// each class that Classes permits. A packet of endpoint e starts on VC index 0 of the injection
// channel of e. Suppose it enters switch u by cable a, with class k and destination d. With S switches:
//
//  1. Let p be Ports[d*S+u]. If p is -1, or no cable is at port p, the packet has no next hop.
//  2. Let b be the cable at p. Without VCRows, let v be k. Else let v be entry k of the row
//     that VCRowOf gives for (u, a, b). If v is 15, the packet has no next hop.
//  3. If b leads to an endpoint, the next VC is VC index 0 of its ejection channel. Else it is
//     VC index v of the channel out of u by b. If v is not less than Network.VCs for a
//     state that some packet reaches, the subject is malformed.
//
// Network.VCs is at most 16.
type Table struct {
	Sources      int  `json:"sources"`
	Destinations Ints `json:"destinations"` // by destination: its endpoint; destinations at hosts come first
	LIDs         Ints `json:"lids"`         // by destination: its address, or 0 for none; addresses differ
	Ports        Ints `json:"ports"`        // by destination, then switch: the port out, or -1
	// Classes are sets of permitted classes, by destination at a host, then host. Bit k stands for
	// class k of 16; 0 means that the host sends nothing to the destination. If Classes is absent,
	// packets between hosts have class 0. Entries of pairs that do not send to each other are
	// checked for their range only.
	Classes *Ints `json:"classes,omitempty"`
	// ManagementClasses are the sets of packets to and from management endpoints, by destination,
	// then source. The sets of pairs of hosts are 0. If ManagementClasses is absent, these packets
	// have class 0.
	ManagementClasses *Ints `json:"management_classes,omitempty"`
	// VCRows holds rows of 16 VC indices from 0 to 15. The rows are ascending, differ, and are all used.
	// VCRowOf holds the number of a row, by switch, then cable in, then cable out. The cables of
	// a switch, of links and endpoints, are counted by ascending port. Both are present, or neither.
	VCRows  *Ints `json:"vc_rows,omitempty"`
	VCRowOf *Ints `json:"vc_row_of,omitempty"`
	// Management is "hosts" if management endpoints send to destinations at hosts only, else absent.
	Management string `json:"management,omitempty"`
}

// Relation is any routing relation, listed state by state. A state is a destination, the VC that a
// packet is on, and its class. A packet may change its class at each hop.
type Relation struct {
	Classes      int  `json:"classes"`
	Sources      int  `json:"sources"`
	Destinations Ints `json:"destinations"` // by destination: its endpoint
	// Inject holds triples (endpoint, destination, class), ascending: endpoint, one of 0..Sources-1, may
	// send to the destination with the class. No endpoint sends to itself. The packet starts
	// on VC index 0 of its injection channel.
	Inject Ints `json:"inject"`
	// States holds exactly the states that packets can reach, with injection states and without
	// ejection states, ascending by destination, VC and class. Each entry is: destination, VC,
	// class, the number of permitted next hops, then VC and class of each hop, ascending. A hop
	// leads out of the switch that the VC enters. A hop to the ejection channel of an endpoint other than
	// the destination's loses the packet (EndWrongHost).
	States Ints `json:"states"`
	// Commits is present if and only if Subject.Waiting is "mixed". It holds one number per state, in the order of
	// States: 1 if a packet waits there for the one next hop that was chosen, else 0. A state
	// with fewer than two next hops has 0. Of the other states, at least one has 0 and one has 1.
	Commits *Ints `json:"commits,omitempty"`
	// Flows, if present, holds the pairs that talk, ascending: endpoint and destination. No other pair sends
	// packets, and claims are about these pairs. It does not go with Symmetries.
	Flows *Ints `json:"flows,omitempty"`
	// Symmetries generate the destinations that have no block; version 2 only (blocks.go).
	Symmetries []Symmetry `json:"symmetries,omitempty"`
}

// Symmetry maps the network onto itself: the image of a cable joins the images of its ends. VCs keep their index,
// packets their class. Sources have sources as images, and hosts have hosts.
type Symmetry struct {
	Channels  Ints `json:"channels"`  // by link l: the image of channel 2l; that of channel 2l+1 is its reverse
	Endpoints Ints `json:"endpoints"` // by endpoint: its image
}

// Multicast is the multicast forwarding tables. Endpoints 0..Sources-1 of the table or relation
// send to each group for which their switch has an entry. A packet starts on VC index 0 of its
// injection channel. Suppose it enters a switch by cable a. For each port of the switch's
// entry, except the port of a and ports without a cable, one copy goes on. With a table, the copy takes the VC that
// step 2 and 3 of Table give for the group's class. With a relation, it takes the VC that these steps give with the rows of
// Multicast, or whose index is the class without such rows. The packet keeps its VC until every copy has its next VC. At a
// switch without an entry it is dropped.
type Multicast struct {
	Groups []Group `json:"groups"` // at least one, ascending by address
	// VCRows and VCRowOf are those of Table, for a relation.
	VCRows  *Ints `json:"vc_rows,omitempty"`
	VCRowOf *Ints `json:"vc_row_of,omitempty"`
}

// Group is a multicast group.
type Group struct {
	MLID  int `json:"mlid"`  // 0..65535
	Class int `json:"class"` // 0..15
	// Entries holds one entry for each switch that has one, ascending: the switch, the number of
	// ports, which is at least one, and the ports, ascending.
	Entries Ints `json:"entries"`
}

// Packet is a packet and its path. Path holds VC and class in turn. It begins with the injection
// VC of the source and the class given there; each further pair is a permitted next hop of the
// pair before.
type Packet struct {
	Source      int     `json:"source"`      // endpoint
	Destination int     `json:"destination"` // number in the list of destinations; for turns, a host
	Class       int     `json:"class"`       // on injection
	Path        []int32 `json:"path"`
	// Group is the number of the multicast group of a multicast packet, and absent for a unicast packet. A
	// multicast packet has the destination -1, and its path is that of one copy. It waits for all of its copies, so
	// it takes part in a deadlock if one copy waits for a VC of the deadlock. Only evidence
	// of the kinds cycle, deadlock-configuration and forwarding-loop has multicast packets.
	Group *int `json:"group,omitempty"`
}

// Claim is a claim, its verdict, and its evidence. Each kind of evidence names the fields that are
// present; no other field is (see Kind.Fields). The order of the fields is that of the file.
type Claim struct {
	Claim    string `json:"claim"`
	Verdict  string `json:"verdict"`
	Evidence string `json:"evidence"`

	// Evidence about tables and relations. Some of it is used for sets of turns and gates as well.
	Ranks       *Ints    `json:"ranks,omitempty"`       // by VC; of a family, coefficients
	Packets     []Packet `json:"packets,omitempty"`     // of a cycle, a deadlock, a loop, or one that is lost
	Pairs       *int64   `json:"pairs,omitempty"`       // number of pairs of source and destination
	Unreachable *int64   `json:"unreachable,omitempty"` // number of these that are not connected
	End         string   `json:"end,omitempty"`         // how the packet is lost
	Hops        *int64   `json:"hops,omitempty"`        // most switches on a path
	Escape      *Ints    `json:"escape,omitempty"`      // by next hop: 1 for an escape hop; with blocks, empty
	Holds       *Ints    `json:"holds,omitempty"`       // by packet: how many VCs it holds

	// Evidence about sets of turns and families of networks.
	Cycle       *Ints    `json:"cycle,omitempty"`       // the VCs of a cycle of turns
	Tree        *Ints    `json:"tree,omitempty"`        // by switch: the VC to the parent
	Multipliers *Ints    `json:"multipliers,omitempty"` // of the rows that bound coordinates
	Member      *Member  `json:"member,omitempty"`      // a network of the family
	Bound       *int64   `json:"bound,omitempty"`       // the fewest prohibited turns, VCs, steps, or destinations that stop
	Packing     *Packing `json:"packing,omitempty"`     // weighted cycles
	Steps       *Ints    `json:"steps,omitempty"`       // of a refutation

	// Evidence about routing programs.
	Sizes    *EverySize    `json:"sizes,omitempty"`    // for every size
	Networks *EveryNetwork `json:"networks,omitempty"` // for every network

	// Evidence about gates, classes of messages, and packets that wait for one hop.
	Clear    *Ints `json:"clear,omitempty"`    // by VC: the round in which its buffer is known to get room
	Flits    *Ints `json:"flits,omitempty"`    // by packet: flits on each VC of its path
	Messages *Ints `json:"messages,omitempty"` // by class of messages: its virtual network
	Chosen   *Ints `json:"chosen,omitempty"`   // by packet: the VC of the chosen hop, or -1
	Moves    *Ints `json:"moves,omitempty"`    // of a run: the packets that move, one after the other

	// Evidence about protocols.
	Protocol *Protocol `json:"protocol,omitempty"` // the classes of messages
	Carries  *Ints     `json:"carries,omitempty"`  // by packet: its class of messages
	Tables   *Ints     `json:"tables,omitempty"`   // tables of a deadlock
}

// The claims.
const (
	ClaimAcyclic      = "acyclic-cdg"   // no cycle of dependencies among reachable states, or among allowed turns
	ClaimDeadlockFree = "deadlock-free" // under Subject.Switching
	ClaimConnected    = "connected"     // from every state of every pair some path leads to the destination
	ClaimLivelockFree = "livelock-free" // no packet can be forwarded for ever
	ClaimMinimal      = "minimal"       // every hop leads nearer to the destination: every path is a shortest path
	// ClaimDeterministic: no packet has a choice. A source creates all packets to a destination in one class, and every reachable state has at
	// most one next hop: a channel, VC and class, or ejection.
	ClaimDeterministic = "deterministic"
	// ClaimFullyAdaptive: for every pair, packets can take every path whose hops all lead nearer to the destination, each on some VCs (Glass and
	// Ni, ISCA 1992).
	ClaimFullyAdaptive = "fully-adaptive"
	ClaimMessages      = "message-deadlock-free" // no deadlock if messages wait for messages that they cause
	ClaimLowerBound    = "lower-bound"           // each set of turns of a kind prohibits, paths need, or a change takes, at least this number
	ClaimUnroutable    = "unroutable"            // turns only: every set closes a cycle, or leaves some hosts unconnected
	ClaimReached       = "deadlock-reached"      // a run from the empty network reaches the deadlock that refutes deadlock-free
)

// The verdicts.
const (
	Proved  = "proved"
	Refuted = "refuted"
)

// The kinds of evidence for tables and relations. A VC depends on another if a reachable state on it
// has a next hop to the other, and both are between switches. "Ranks by VC" means: by
// VC between switches, of which there are n.
const (
	// EvidenceNumbering: acyclic-cdg proved. Ranks by VC, a permutation of 0..n-1. Every
	// dependency leads to a greater rank.
	EvidenceNumbering = "numbering"
	// EvidenceCycle: acyclic-cdg refuted. Packets, one for each dependency of a cycle that visits
	// no VC twice. The path of each packet ends with the two VCs of its dependency. The last VC of a
	// packet is the last but one of the next packet, and the last packet leads back to the
	// first. The first dependency begins at the smallest VC of the cycle.
	EvidenceCycle = "cycle"
	// EvidenceAcyclic: deadlock-free proved, any switching, without Subject.Multicast under wormhole. The claim acyclic-cdg of the same
	// certificate is proved (Dally and Seitz 1987).
	EvidenceAcyclic = "acyclic-cdg"
	// EvidenceElimination: deadlock-free proved, vct or saf, or wormhole with facts by which a packet fits into a buffer and a VC
	// takes a new packet only when it is empty or has room for all of it. Ranks by VC, a permutation of
	// 0..n-1. Every reachable state on a VC between switches that has a next hop has one to an ejection
	// channel or to a VC of greater rank. In a state where a packet waits for one next hop
	// (Subject.Waiting), every next hop is such a hop.
	EvidenceElimination = "elimination-order"
	// EvidenceEscape: deadlock-free proved, any switching, relations only. Escape holds a flag for
	// each next hop, in the order of States: 1 for an escape hop, 0 for other hops and for ejection. Ranks by VC:
	// 0..k-1 for the k VCs that escape hops lead to, -1 for the others. Every state has an
	// escape hop or a hop to an ejection channel; a state where a packet waits for one next hop has no other
	// hops. Take a packet on a ranked VC, and any number of hops that are no escape hops:
	// every escape hop of the state that it then reaches leads to a greater rank.
	EvidenceEscape = "escape"
	// EvidenceConfiguration: deadlock-free refuted, any switching. Packets, one for each VC of a
	// set of VCs between switches. The packet waits on the last VC of its path; the packets are ascending by
	// that VC. Each packet has a next hop, and all its next hops lead to VCs of the set.
	// Each VC of the set is a next hop of some packet. Chosen is present if and only if Subject.Waiting is:
	// by packet, the VC of the chosen next hop, or -1 for a packet that waits for all.
	// A packet with a chosen VC has, for this rule, no other next hop.
	EvidenceConfiguration = "deadlock-configuration"
	// EvidenceWorms: deadlock-free refuted, wormhole. Packets, ascending by the last VC of the path, and Holds: how many
	// VCs each packet holds, counted from the end of its path. The VCs that are held are between
	// switches, and no VC is held twice. Each packet has a next hop, all its next hops lead to VCs
	// that are held, and some VC of each packet is a next hop of some packet. A packet that holds k
	// VCs cannot enter a VC that its own flits hold: each VC of its path differs from the k VCs before it.
	// Chosen is as for deadlock-configuration. With facts, the flits of the longest packet must reach from the head to the tail: it
	// has more flits than the buffers of the VCs that it holds, without that of its tail.
	EvidenceWorms = "worms"
	// EvidenceQueuedRun: deadlock-free refuted, wormhole, with facts that state the longest packet, all buffers and the reuse of VCs,
	// without Subject.Multicast. Packets, each with as many flits as the longest packet, and Moves: a run of these packets from the
	// empty network. Each move gives a packet the next VC of its path; queues.go has the rules. At the end no packet can be given a
	// VC, and none can leave. Chosen is as for deadlock-configuration, but it is -1 for a packet that waits behind another one, or
	// for room on a VC that it has been given, and may be -1 if all next hops lead to one VC.
	EvidenceQueuedRun = "queued-run"
	// EvidenceNoWorms: deadlock-free proved, wormhole, relations only. Steps is a refutation of the clauses that
	// noworms.go specifies; that file says what each step is.
	EvidenceNoWorms = "no-worms"
	// EvidenceUnreachable: deadlock-free proved, switching as for elimination-order, relations only. Steps is a refutation of the clauses that
	// unreachable.go specifies; that file says what each step is.
	EvidenceUnreachable = "unreachable"
	// EvidenceMoves: deadlock-reached proved. The claim deadlock-free of the same certificate is refuted by
	// deadlock-configuration or worms. Moves is the packets of that claim in the order of their moves; moves.go
	// says what a move is. Each move is possible, and after the last one each packet is at the end of its path.
	EvidenceMoves = "moves"
	// EvidenceWalk: connected proved. Pairs, the number of pairs of source and destination. From
	// every state that a packet of a pair can reach, some path leads to the destination's ejection
	// channel. Each pair has a class.
	EvidenceWalk = "walk"
	// EvidenceLostPacket: connected refuted. Pairs; Unreachable, the number of pairs of which some packet
	// can get lost; one packet of such a pair; and End.
	EvidenceLostPacket = "lost-packet"
	// EvidenceLongest: livelock-free proved. Hops, the largest number of switches that a packet
	// can pass. No packet can come back to a state.
	EvidenceLongest = "longest-path"
	// EvidenceLoop: livelock-free refuted. One packet. Its path ends in a state that it visited
	// before, and repeats no state earlier.
	EvidenceLoop = "forwarding-loop"
	// EvidenceFarther: minimal refuted. One packet. Its path ends with a hop to a switch that is not nearer to the destination than the
	// switch before, by the number of links on a shortest path.
	EvidenceFarther = "not-nearer"
	// EvidenceTwoHops: deterministic refuted. Two packets from one source to one destination. Their paths have the same states except the last
	// one, which is less, by VC and then class, in the first packet.
	EvidenceTwoHops = "two-hops"
	// EvidenceBarred: fully-adaptive refuted. One packet. Its path begins on the injection channel of the source, and each hop leads to a switch
	// that is one link nearer to the destination. It has VC 0 of each channel, and class 0. No packet from the source can take these channels,
	// whatever VCs and classes it has.
	EvidenceBarred = "barred-path"
)

// The values of Claim.End: how a packet is lost.
const (
	EndDropped   = "dropped"       // the last state of the path has no next hop
	EndWrongHost = "wrong-host"    // the path ends on the ejection channel of another endpoint
	EndLooping   = "looping"       // neither, and no path leads from the last state to the destination
	EndNoClass   = "no-class"      // the pair has no class; the packet has class -1 and an empty path
	EndNoPath    = "no-legal-path" // turns only: no path of allowed turns leads there
)

// Claim returns the claim of that name, or nil.
func (c *Certificate) Claim(name string) *Claim {
	for i := range c.Claims {
		if c.Claims[i].Claim == name {
			return &c.Claims[i]
		}
	}
	return nil
}
