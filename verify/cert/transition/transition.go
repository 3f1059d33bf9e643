// Package transition judges changes from one forwarding table to another: no deadlock and no loop arises while entries are old or new,
// or no order of single parts achieves that.
//
// Read first: transition.go, walk.go, states.go, meeting.go; sets.go with blocked.go; fewest.go; relations.go.
package transition

import (
	"fmt"
	"slices"

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
	return append(lookUp(s), "a step begins when no packet is left that was in the network before the previous step ended")
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

// The kinds of steps, as the format lists them.
const (
	inService = 0
	drained   = 1
	stop      = 2
	resume    = 3
)

// step is a step of a transition.
type step struct {
	kind  int32
	parts []int32
}

// change is an opened transition.
type change struct {
	c            *cert.Certificate
	t            *cert.Transition
	old, now     *cert.Routing
	destinations int
	sources      int
	entries      []bool         // with relations, by destination and switch: whether the entry differs
	starts       [][]cert.State // by destination: the states of packets that have just been created
	steps        []step
	changed      []int32 // parts whose entries differ, ascending
	walk         walk
}

// open validates a transition.
func open(c *cert.Certificate) (any, error) {
	t := c.Subject.Transition
	x := &change{c: c, t: t}
	if err := x.openSides(); err != nil {
		return nil, err
	}
	if !slices.Contains([]string{"entry", "switch", "destination"}, t.Parts) {
		return nil, cert.Reject("subject", "parts %.20q, not entry, switch or destination", t.Parts)
	}
	if t.Drained && len(t.Steps) > 0 {
		return nil, cert.Reject("subject", "drained, and steps beside it")
	}
	x.findChanged()
	if err := x.readSteps(); err != nil {
		return nil, err
	}
	for d := range x.destinations {
		var list []cert.State
		for e := range x.sources {
			for _, k := range x.old.Injections(e, d) {
				list = append(list, cert.State{VC: x.old.Injection(int32(e)) * x.old.VCs, Class: k})
			}
		}
		x.starts = append(x.starts, list)
	}
	x.walk.init(x)
	if t.OldRelation != nil {
		return x, x.checkStates()
	}
	return x, nil
}

// findChanged lists the parts with different entries.
func (x *change) findChanged() {
	parts := x.destinations
	if x.t.Parts == "switch" {
		parts = x.old.Switches
	}
	differs := make([]bool, parts)
	for d := range x.destinations {
		for u := range x.old.Switches {
			if !x.differs(d, u) {
				continue
			}
			if x.t.Parts == "switch" {
				differs[u] = true
			} else {
				differs[d] = true
			}
		}
	}
	for i, d := range differs {
		if d {
			x.changed = append(x.changed, int32(i))
		}
	}
}

// readSteps reads the steps, and rejects parts that are in two steps or in none.
func (x *change) readSteps() error {
	list := x.t.Steps
	if len(list) > 0 && x.t.Parts == "entry" {
		return cert.Reject("subject", "steps of single entries")
	}
	parts := x.destinations
	if x.t.Parts == "switch" {
		parts = x.old.Switches
	}
	changes, stopped := make([]bool, parts), make([]bool, parts)
	for len(list) > 0 {
		if len(list) < 2 || list[0] < inService || list[0] > resume || list[1] < 1 || int(list[1]) > len(list)-2 ||
			x.t.Parts == "switch" && list[0] > drained {
			return cert.Reject("subject", "step %d is cut off, or begins wrong", len(x.steps))
		}
		s := step{list[0], list[2 : 2+list[1]]}
		for i, p := range s.parts {
			if p < 0 || int(p) >= parts || changes[p] || stopped[p] != (s.kind == resume) || i > 0 && p <= s.parts[i-1] {
				return cert.Reject("subject", "step %d: part %d of %d is out of range or order, or in another step", len(x.steps), p, parts)
			}
			stopped[p] = s.kind == stop
			changes[p] = s.kind != stop
		}
		x.steps, list = append(x.steps, s), list[2+list[1]:]
	}
	if i := slices.Index(stopped, true); i >= 0 {
		return cert.Reject("subject", "destination %d gets no packets in the end", i)
	}
	for _, p := range x.changed {
		if len(x.steps) > 0 && !changes[p] {
			return cert.Reject("subject", "no step changes part %d", p)
		}
	}
	return nil
}
