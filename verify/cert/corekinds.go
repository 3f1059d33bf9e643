package cert

import (
	"fmt"
	"slices"
)

// This file lists the kinds of subject and evidence that this package judges.

// Register would miss the subjects that other packages register.
func init() { subjectKinds, kinds = slices.Clone(coreSubjects), slices.Clone(coreKinds) }

var coreSubjects = []SubjectKind{
	{Name: "table", Title: "a table", Has: func(s *Subject) bool { return s.Table != nil }, Open: openRouting, Summary: tableSummary},
	{Name: "relation", Title: "a relation without gates", Has: func(s *Subject) bool {
		return s.Relation != nil && s.Gates == nil && s.Bubbles == nil
	},
		Open: openRouting, Summary: RelationSummary},
}

// The subjects of most kinds. A relation with gates or bubbles is a subject of its own, because an
// acyclic graph or an order of elimination does not prove it free of deadlock.
var (
	routings = []string{"table", "relation"}
	allOf    = append(routings, "gates", "bubbles")
)

var coreKinds = []Kind{
	{Subjects: allOf, Claim: ClaimAcyclic, Verdict: Proved, Evidence: EvidenceNumbering, Fields: []string{"ranks"},
		Judge: JudgeRouting((*Routing).numbering), Proved: true},
	{Subjects: allOf, Claim: ClaimAcyclic, Verdict: Refuted, Evidence: EvidenceCycle, Fields: []string{"packets"}, Multicast: true,
		Judge: JudgeRouting((*Routing).cycle), Proved: true},
	{Subjects: routings, Claim: ClaimDeadlockFree, Verdict: Proved, Evidence: EvidenceAcyclic,
		Judge: JudgeRouting((*Routing).restsOnAcyclic), Proved: true},
	{Subjects: routings, Claim: ClaimDeadlockFree, Verdict: Proved, Evidence: EvidenceElimination, Fields: []string{"ranks"},
		Judge: JudgeRouting((*Routing).elimination), Proved: true},
	{Subjects: []string{"relation"}, Claim: ClaimDeadlockFree, Verdict: Proved, Evidence: EvidenceEscape,
		Fields: []string{"ranks", "escape"}, Judge: JudgeRouting((*Routing).escape), Proved: true,
		Needs: []Need{needRoom}},
	{Subjects: routings, Claim: ClaimDeadlockFree, Verdict: Refuted, Evidence: EvidenceConfiguration, Fields: []string{"packets"},
		Chosen: true, Multicast: true, Judge: JudgeRouting((*Routing).configuration), Proved: true, Premises: shortPackets},
	{Subjects: routings, Claim: ClaimDeadlockFree, Verdict: Refuted, Evidence: EvidenceWorms, Fields: []string{"packets", "holds"},
		Chosen: true, Judge: JudgeRouting((*Routing).worms), Proved: true,
		Needs: []Need{NeedLong}},
	{Subjects: routings, Claim: ClaimDeadlockFree, Verdict: Refuted, Evidence: EvidenceQueuedRun, Fields: []string{"packets", "moves"},
		Chosen: true, Judge: JudgeRouting((*Routing).queuedRun)},
	{Subjects: []string{"relation"}, Claim: ClaimDeadlockFree, Verdict: Proved, Evidence: EvidenceNoWorms, Fields: []string{"steps"},
		Judge: JudgeRouting((*Routing).noWorms), Needs: []Need{NeedAlone, NeedShape}},
	{Subjects: []string{"relation"}, Claim: ClaimDeadlockFree, Verdict: Proved, Evidence: EvidenceUnreachable, Fields: []string{"steps"},
		Judge: JudgeRouting((*Routing).neverMeet), Needs: []Need{needSole}},
	{Subjects: routings, Claim: ClaimReached, Verdict: Proved, Evidence: EvidenceMoves, Fields: []string{"moves"},
		Judge: JudgeRouting((*Routing).makeMoves)},
	{Subjects: allOf, Claim: ClaimConnected, Verdict: Proved, Evidence: EvidenceWalk, Fields: []string{"pairs"},
		Judge: JudgeRouting((*Routing).connected), Proved: true},
	{Subjects: allOf, Claim: ClaimConnected, Verdict: Refuted, Evidence: EvidenceLostPacket,
		Fields: []string{"packets", "pairs", "unreachable", "end"}, Judge: JudgeRouting((*Routing).lostPacket), Proved: true},
	{Subjects: allOf, Claim: ClaimLivelockFree, Verdict: Proved, Evidence: EvidenceLongest, Fields: []string{"hops"},
		Judge: JudgeRouting((*Routing).longest), Proved: true},
	{Subjects: allOf, Claim: ClaimLivelockFree, Verdict: Refuted, Evidence: EvidenceLoop, Fields: []string{"packets"}, Multicast: true,
		Judge: JudgeRouting((*Routing).loop), Proved: true},
	{Subjects: routings, Claim: ClaimMinimal, Verdict: Refuted, Evidence: EvidenceFarther, Fields: []string{"packets"},
		Judge: JudgeRouting((*Routing).farther)},
	{Subjects: routings, Claim: ClaimDeterministic, Verdict: Refuted, Evidence: EvidenceTwoHops, Fields: []string{"packets"},
		Judge: JudgeRouting((*Routing).twoHops)},
	{Subjects: routings, Claim: ClaimFullyAdaptive, Verdict: Refuted, Evidence: EvidenceBarred, Fields: []string{"packets"},
		Judge: JudgeRouting((*Routing).barred)},
	vcBound(EvidencePathVCs, vcRule{}),
	vcBound(EvidencePairVCs, vcRule{pairs: true}),
	vcBound(EvidenceRisingVCs, vcRule{rising: true}),
	vcBound(EvidenceHopVCs, vcRule{free: true}),
}

// vcBound returns a kind of evidence for the fewest VCs of paths.
func vcBound(evidence string, rule vcRule) Kind {
	return Kind{Subjects: routings, Claim: ClaimLowerBound, Verdict: Proved, Evidence: evidence, Fields: []string{"packets", "bound", "steps"},
		Judge: JudgeRouting(vcCount(rule))}
}

// openRouting opens a table or a relation and enumerates its states.
func openRouting(c *Certificate) (any, error) {
	r, err := OpenRouting(c)
	if err != nil {
		return nil, err
	}
	return r, r.Enumerate()
}

// shortPackets returns the premise of a deadlock configuration under wormhole switching.
func shortPackets(s *Subject) []string {
	if s.Switching != "wormhole" || s.Facts.knowsPacket() == True {
		return nil
	}
	return []string{"packets may be short enough to fit into the buffer of one VC"}
}

func tableSummary(s *Subject) string {
	vcs := "VC by class"
	if s.Table.VCRows != nil {
		vcs = "VC by cable in, cable out and class"
	}
	return fmt.Sprintf("forwarding table of %d destinations at %d switches, %d sources, %s",
		len(s.Table.Destinations), len(s.Network.Switches), s.Table.Sources, vcs)
}

// RelationSummary describes a subject with a relation.
func RelationSummary(s *Subject) string {
	symmetries := ""
	switch k := len(s.Relation.Symmetries); {
	case k == 1:
		symmetries = ", 1 symmetry"
	case k > 1:
		symmetries = fmt.Sprintf(", %d symmetries", k)
	}
	flows := ""
	if f := s.Relation.Flows; f != nil {
		flows = fmt.Sprintf(", %d flows", len(*f)/2)
	}
	return fmt.Sprintf("relation by state, %d sources, %d destinations, %d classes%s%s",
		s.Relation.Sources, len(s.Relation.Destinations), s.Relation.Classes, flows, symmetries)
}
