package cert

import (
	"fmt"
	"strconv"
)

// This file judges a certificate as a whole: its form, its subject, and then
// each claim by its evidence.
//
// Order of work: form (this file) - the network is rebuilt (network.go) - all
// reachable states are enumerated (table.go, relation.go), which yields the
// facts, and holds every dependency against the ranks claimed - packets shown
// as witnesses are followed hop by hop (evidence.go). Products are judged by
// their lines (product.go), sets of turns without following packets (turns.go).
// Cost: linear in the certificate; a table costs one step per entry and class
// in use, and one per pair of endpoints.
//
// What all judgements suppose, beside the network and table being the true
// ones: a packet that has arrived at an endpoint, any endpoint, is consumed
// there in finite time, whatever happens elsewhere; a packet with no next hop
// is dropped and frees its buffer; messages do not wait for one another (but
// for the claim in messages.go).

// Rejection is the error for a certificate that does not hold.
type Rejection struct {
	Claim  string // one of the claims, "subject", or "file"
	Reason string
}

// Error implements error.
func (r *Rejection) Error() string {
	if r.Claim == "subject" || r.Claim == "file" {
		return r.Claim + ": " + r.Reason
	}
	return "claim " + r.Claim + ": " + r.Reason
}

func reject(claim, format string, args ...any) error {
	return &Rejection{claim, fmt.Sprintf(format, args...)}
}

// A state is where a packet is, and with which class. The destination stands
// beside it.
type state struct{ vc, class int32 }

func (s state) String() string { return fmt.Sprintf("VC %d with class %d", s.vc, s.class) }

// A routing is a subject's table or relation, validated.
type routing interface {
	// enumerate visits every reachable state and dependency, and rejects the
	// certificate if one of them contradicts the orders or the escape (nil:
	// no claim rests on one).
	enumerate(orders []order, escape *escapeOrder) (*facts, error)
	// between gives the number of sources, and the endpoint by destination.
	between() (sources int, ends []int32)
	// starts reports whether endpoint e may send to destination d with class
	// k; with k -1, whether there is any such class.
	starts(e, d int, k int32) bool
	// next gives the permitted next hops of a reachable state, appended to list.
	next(d int, at state, list []state) []state
	// permits reports whether a hop from a reachable state to another is permitted.
	permits(d int, from, to state) bool
	// commits reports whether a packet in a reachable state waits for one next hop.
	commits(d int, at state) bool
	// arrives reports whether there is a way from a reachable state to the
	// ejection channel of the destination's endpoint.
	arrives(d int, at state) bool
}

// An order is what a claim says of ranks: by VC between switches.
type order struct {
	claim string
	ranks []int32
	every bool // every next hop must rise (numbering), not just one (elimination)
}

// Facts are what enumerating all reachable states has found.
type facts struct {
	pairs       int64 // of source and destination
	unreachable int64 // those with a packet that can get lost
	hops        int64 // the most switches a packet passes, if none comes back to a state
	loops       int   // a destination for which packets come back to a state, or -1
}

// Check returns nil if every claim of c holds, and else a *Rejection. It
// judges all but c.Digest, which is a matter of the file and judged by Read.
func Check(c *Certificate) error {
	if c == nil {
		return reject("file", "no certificate")
	}
	if strconv.IntSize < 64 {
		return reject("file", "integers of this machine have %d bits; the sums that are judged need 64", strconv.IntSize)
	}
	if err := checkForm(c); err != nil {
		return err
	}
	if err := checkSubject(&c.Subject); err != nil {
		return err
	}
	if c.Subject.Multicast != nil && c.Subject.Table == nil && c.Subject.Relation == nil {
		return reject("subject", "multicast groups without a table or a relation")
	}
	if err := checkWaiting(&c.Subject); err != nil {
		return err
	}
	switch {
	case c.Subject.Product != nil:
		return checkProduct(c)
	case c.Subject.Family != nil:
		return checkFamily(c)
	case c.Subject.Turns != nil:
		return checkTurns(c)
	}
	net, err := rebuild(&c.Subject.Network)
	if err != nil {
		return err
	}
	r, err := newRouting(&c.Subject, net)
	if err != nil {
		return err
	}
	orders, err := orderings(c.Claims, net)
	if err != nil {
		return err
	}
	gated, err := newGated(c, net, r)
	if err != nil {
		return err
	}
	escape, err := escapeOf(c, net)
	if err != nil {
		return err
	}
	found, err := r.enumerate(orders, escape)
	if err != nil {
		return err
	}
	groups, err := newMulticast(&c.Subject, net, r)
	if err != nil {
		return err
	}
	if groups != nil {
		if err := groups.enumerate(orders); err != nil {
			return err
		}
	}
	for i := range c.Claims {
		if err := judge(c, &c.Claims[i], &evidence{net, r, found, gated, groups}); err != nil {
			return err
		}
	}
	return nil
}

// newRouting validates the table or the relation, of which the subject holds one.
func newRouting(s *Subject, net *network) (routing, error) {
	if s.Table != nil {
		return newTable(s.Table, net)
	}
	return newRelation(s, net)
}

// checkForm judges what can be judged without knowing the network.
func checkForm(c *Certificate) error {
	if c.Schema != Schema {
		return reject("file", "schema %.80q, not %q", c.Schema, Schema)
	}
	switch c.Subject.Switching {
	case "vct", "saf", "wormhole":
	default:
		return reject("subject", "switching %.80q, not vct, saf or wormhole", c.Subject.Switching)
	}
	if err := checkPremises(&c.Subject); err != nil {
		return err
	}
	return checkClaims(c.Claims, c.Subject.Waiting != "")
}

// checkPremises judges the form of premises: printable texts, each name once.
func checkPremises(s *Subject) error {
	names := map[string]bool{}
	for i, p := range s.Premises {
		for _, text := range []string{p.Name, p.Value, p.Source} {
			if text == "" || !isPlain(text) {
				return reject("subject", "premise %d: %.80q is not a printable text", i, text)
			}
		}
		if names[p.Name] {
			return reject("subject", "premise %d: %.80q is there twice", i, p.Name)
		}
		if names[p.Name] = true; p.Name == "switching" && p.Value != s.Switching {
			return reject("subject", "premise %d: switching is %.80q, the subject has %q", i, p.Value, s.Switching)
		}
	}
	return nil
}

// The fields that a kind of evidence names.
const (
	hasRanks = 1 << iota
	hasPackets
	hasPairs
	hasUnreachable
	hasEnd
	hasHops
	hasEscape
	hasHolds
	hasCycle
	hasTree
	hasMultipliers
	hasMember
	hasBound
	hasPacking
	hasSteps
	hasClear
	hasFlits
	hasMessages
	hasChosen
)

var fieldNames = []string{"ranks", "packets", "pairs", "unreachable", "end", "hops", "escape", "holds", "cycle", "tree", "multipliers", "member", "bound", "packing", "steps", "clear", "flits", "messages", "chosen"}

// kinds lists which evidence there is for which verdict on which claim; the
// claims stand in the order that a certificate has them in.
var kinds = []struct {
	claim, verdict, evidence string
	fields                   int
}{
	{ClaimAcyclic, Proved, EvidenceNumbering, hasRanks},
	{ClaimAcyclic, Proved, EvidenceLines, 0},
	{ClaimAcyclic, Refuted, EvidenceCycle, hasPackets},
	{ClaimAcyclic, Refuted, EvidenceLines, 0},
	{ClaimAcyclic, Refuted, EvidenceTurnCycle, hasCycle},
	{ClaimAcyclic, Proved, EvidenceFamilyRanks, hasRanks | hasMultipliers},
	{ClaimAcyclic, Refuted, EvidenceFamilyCycle, hasMember},
	{ClaimDeadlockFree, Proved, EvidenceAcyclic, 0},
	{ClaimDeadlockFree, Proved, EvidenceElimination, hasRanks},
	{ClaimDeadlockFree, Proved, EvidenceEscape, hasRanks | hasEscape},
	{ClaimDeadlockFree, Refuted, EvidenceConfiguration, hasPackets},
	{ClaimDeadlockFree, Refuted, EvidenceWorms, hasPackets | hasHolds},
	{ClaimDeadlockFree, Refuted, EvidenceLines, 0},
	{ClaimDeadlockFree, Proved, EvidenceGatedOrder, hasRanks | hasClear},
	{ClaimDeadlockFree, Refuted, EvidenceGatedConfiguration, hasPackets | hasFlits},
	{ClaimConnected, Proved, EvidenceWalk, hasPairs},
	{ClaimConnected, Proved, EvidenceLines, hasPairs},
	{ClaimConnected, Proved, EvidenceTurnTree, hasPairs | hasTree},
	{ClaimConnected, Proved, EvidenceTurnSearch, hasPairs},
	{ClaimConnected, Refuted, EvidenceLostPacket, hasPairs | hasUnreachable | hasPackets | hasEnd},
	{ClaimConnected, Refuted, EvidenceTurnUnreached, hasPairs | hasUnreachable | hasPackets | hasEnd},
	{ClaimConnected, Proved, EvidenceFamilyMembers, 0},
	{ClaimConnected, Refuted, EvidenceFamilyUnreached, hasMember},
	{ClaimLivelockFree, Proved, EvidenceLongest, hasHops},
	{ClaimLivelockFree, Proved, EvidenceLines, hasHops},
	{ClaimLivelockFree, Refuted, EvidenceLoop, hasPackets},
	{ClaimMessages, Proved, EvidenceNetworks, hasMessages},
	{ClaimMessages, Refuted, EvidenceSharedNetwork, hasMessages | hasPackets},
	{ClaimMessages, Refuted, EvidenceDeadlocked, hasMessages},
	{ClaimLowerBound, Proved, EvidencePacking, hasBound | hasPacking},
	{ClaimLowerBound, Proved, EvidenceGossip, hasBound},
	{ClaimLowerBound, Proved, EvidenceRefutation, hasBound | hasPacking | hasSteps},
	{ClaimLowerBound, Proved, EvidencePackingBoth, hasBound | hasPacking},
	{ClaimLowerBound, Proved, EvidenceGossipBoth, hasBound},
	{ClaimLowerBound, Proved, EvidenceRefutationBoth, hasBound | hasPacking | hasSteps},
	{ClaimUnroutable, Proved, EvidenceNoSet, hasSteps},
}

// checkClaims judges that the claims are in order, and that each has the
// fields of its kind of evidence and no other. If commit is set, packets can wait
// for one next hop, and deadlocks say for which.
func checkClaims(claims []Claim, commit bool) error {
	if len(claims) == 0 {
		return reject("file", "no claim")
	}
	last := -1 // index into kinds
	for i := range claims {
		c := &claims[i]
		kind := kindOf(c)
		if kind < 0 {
			return reject("file", "claim %.80q, verdict %.80q, evidence %.80q: there is no such combination", c.Claim, c.Verdict, c.Evidence)
		}
		if last >= 0 && (kind <= last || kinds[kind].claim == kinds[last].claim) {
			return reject(c.Claim, "comes after %s; the claims are not in order, or not unique", kinds[last].claim)
		}
		last = kind
		fields := kinds[kind].fields
		if commit && (c.Evidence == EvidenceConfiguration || c.Evidence == EvidenceWorms) {
			fields |= hasChosen
		}
		if wrong := fieldsOf(c) ^ fields; wrong != 0 {
			return reject(c.Claim, "%s", wrongField(wrong, fields, c.Evidence))
		}
		if err := checkGroups(c); err != nil {
			return err
		}
	}
	return nil
}

// checkGroups judges that only evidence that may have multicast packets has some.
func checkGroups(c *Claim) error {
	switch c.Evidence {
	case EvidenceCycle, EvidenceConfiguration, EvidenceLoop:
		return nil
	}
	for i := range c.Packets {
		if c.Packets[i].Group != nil {
			return reject(c.Claim, "packet %d is of a multicast group, which evidence %s has none of", i, c.Evidence)
		}
	}
	return nil
}

func kindOf(c *Claim) int {
	for i := range kinds {
		if kinds[i].claim == c.Claim && kinds[i].verdict == c.Verdict && kinds[i].evidence == c.Evidence {
			return i
		}
	}
	return -1
}

// fieldsOf gives the fields that are there.
func fieldsOf(c *Claim) int {
	fields := 0
	for i, there := range []bool{c.Ranks != nil, len(c.Packets) > 0, c.Pairs != nil,
		c.Unreachable != nil, c.End != "", c.Hops != nil, c.Escape != nil, c.Holds != nil, c.Cycle != nil, c.Tree != nil, c.Multipliers != nil, c.Member != nil, c.Bound != nil, c.Packing != nil, c.Steps != nil, c.Clear != nil, c.Flits != nil, c.Messages != nil, c.Chosen != nil} {
		if there {
			fields |= 1 << i
		}
	}
	return fields
}

func wrongField(wrong, named int, evidence string) string {
	for i, name := range fieldNames {
		if wrong>>i&1 == 0 {
			continue
		}
		if named>>i&1 != 0 {
			return fmt.Sprintf("evidence %s needs %s, which are missing or empty", evidence, name)
		}
		return fmt.Sprintf("evidence %s has no %s", evidence, name)
	}
	return ""
}

// orderings gives the ranks claimed, each judged to be a permutation, so that
// no two VCs are equal and nothing is free.
func orderings(claims []Claim, net *network) ([]order, error) {
	var list []order
	for i := range claims {
		c := &claims[i]
		if c.Ranks == nil || c.Evidence == EvidenceEscape || c.Evidence == EvidenceGatedOrder { // see escape.go
			continue
		}
		if len(*c.Ranks) != net.linkVCs() {
			return nil, reject(c.Claim, "%d ranks for %d VCs between switches", len(*c.Ranks), net.linkVCs())
		}
		taken := make([]bool, len(*c.Ranks))
		for vc, rank := range *c.Ranks {
			if rank < 0 || int(rank) >= len(taken) {
				return nil, reject(c.Claim, "rank %d of VC %d is not in 0..%d", rank, vc, len(taken)-1)
			}
			if taken[rank] {
				return nil, reject(c.Claim, "rank %d of VC %d is that of another VC too", rank, vc)
			}
			taken[rank] = true
		}
		list = append(list, order{c.Claim, *c.Ranks, c.Evidence == EvidenceNumbering})
	}
	return list, nil
}
