// Package transition judges changes from one forwarding table to another: no deadlock and no loop arises while entries are old or new,
// or no order of single parts achieves that.
//
// Read first: transition.go, walk.go, states.go, meeting.go; sets.go with blocked.go; fewest.go with windows.go; relations.go.
package transition

import (
	"fmt"
	"reflect"

	"github.com/turnproof/turnproof/verify/cert"
)

// Why acyclic states suffice. Fix a moment, and the packets in the network at it. Each packet looked up its next hop when it entered its
// switch, so that hop is the one of an entry which the step permits. The VC that the packet holds and the VC that it waits for are a
// dependency of the state of the step, because a packet of the step before has left the network. If the dependencies of each state have
// no cycle, the packet on the VC of greatest number waits for a VC that no packet holds, or for ejection (Dally and Seitz 1987).
//
// Why a cycle refutes, if all entries change in any order. Each packet of the cycle meets, on its own path, one entry of each switch,
// unless the path loops. So the packet can reach its place while the entries change, and it keeps the hop that it has looked up.

func init() { cert.Register([]cert.SubjectKind{subjectKind()}, evidenceKinds()) }

// subjectKind returns the kind of subject that this package judges.
func subjectKind() cert.SubjectKind {
	return cert.SubjectKind{
		Name: "transition", Title: "a transition",
		Has:     func(s *cert.Subject) bool { return s.Transition != nil },
		Open:    open,
		Summary: summary,
	}
}

var subject = []string{subjectKind().Name}

// evidenceKinds returns the kinds of evidence that this package judges.
func evidenceKinds() []cert.Kind {
	return []cert.Kind{
		{Subjects: subject, Claim: cert.ClaimDeadlockFree, Verdict: cert.Proved, Evidence: cert.EvidenceStates,
			Judge: cert.JudgeBy((*change).deadlockFree), Premises: premises},
		{Subjects: subject, Claim: cert.ClaimDeadlockFree, Verdict: cert.Refuted, Evidence: cert.EvidenceMixedCycle, Fields: []string{"packets"},
			Judge: cert.JudgeBy((*change).mixedCycle), Premises: lookUp},
		{Subjects: subject, Claim: cert.ClaimLivelockFree, Verdict: cert.Proved, Evidence: cert.EvidenceStates,
			Judge: cert.JudgeBy((*change).loopFree), Premises: premises},
		{Subjects: subject, Claim: cert.ClaimLivelockFree, Verdict: cert.Refuted, Evidence: cert.EvidenceMixedLoops, Fields: []string{"steps"},
			Judge: cert.JudgeBy((*change).mixedLoops), Premises: lookUp},
		{Subjects: subject, Claim: cert.ClaimLowerBound, Verdict: cert.Proved, Evidence: cert.EvidenceFewest, Fields: []string{"bound", "steps"},
			Judge: cert.JudgeBy((*change).fewest)},
		{Subjects: subject, Claim: cert.ClaimLowerBound, Verdict: cert.Proved, Evidence: cert.EvidenceStops, Fields: []string{"bound", "steps"},
			Judge: cert.JudgeBy((*change).fewestStops)},
		{Subjects: subject, Claim: cert.ClaimOrder, Verdict: cert.Refuted, Evidence: cert.EvidenceSets, Fields: []string{"steps"},
			Judge: cert.JudgeBy((*change).noOrder), Premises: premises},
	}
}

// lookUp returns the premise on entries.
func lookUp(*cert.Subject) []string {
	return []string{"a packet looks up its entry when it enters a switch, and keeps the next hop that it finds"}
}

// premises returns the premises of steps.
func premises(s *cert.Subject) []string {
	list := lookUp(s)
	if t := s.Transition; t != nil && t.Old != nil && t.New != nil && !reflect.DeepEqual(t.Old.Classes, t.New.Classes) {
		list = append(list, "before the step of a part its sources send with the old classes, and after it with the new ones")
	}
	return append(list, "a step begins when no packet is left that was in the network before the previous step ended")
}

func summary(s *cert.Subject) string {
	t := s.Transition
	how := ""
	if t.Drained {
		how = ", drained"
	}
	steps := 0
	for i := 0; i+1 < len(t.Steps) && t.Steps[i+1] >= 0; i += 2 + int(t.Steps[i+1]) {
		steps++
	}
	what, destinations, sources := "forwarding table", 0, 0
	switch {
	case t.Old != nil:
		destinations, sources = len(t.Old.Destinations), t.Old.Sources
	case t.OldRelation != nil:
		what, destinations, sources = "routing relation", len(t.OldRelation.Destinations), t.OldRelation.Sources
	}
	return fmt.Sprintf("from one %s of %d destinations at %d switches to another, %d sources, in %d steps, parts: %.20s%s",
		what, destinations, len(s.Network.Switches), sources, steps, t.Parts, how)
}
