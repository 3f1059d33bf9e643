package bubbles

import (
	"cmp"
	"context"
	"fmt"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/bubble"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"

	_ "github.com/turnproof/turnproof/verify/cert/bubbles" // the judges of the evidence
)

func init() {
	verify.RegisterCondition(verify.ConditionKind{Name: model.ConditionFlow, Claim: cert.ClaimDeadlockFree,
		With: []string{model.ConditionClasses, model.ConditionProtocol},
		Rule: func(c model.Condition) verify.Rule { return &rule{flow: c.(*bubble.Flow)} }})
}

// The theorems.
const (
	theoremBubble = "a free slot is left in each ring of dependencies by every hop that enters the ring, and is kept by every hop " +
		"within it (Carrión et al. 1997, entry by entry); from ring to ring the dependencies have no cycle"
	theoremFill = "the packets that flow control admits to a ring of dependencies, with those that enter where it is " +
		"off, cannot fill the ring; from ring to ring the dependencies have no cycle"
	theoremBubbleRun    = "the run itself: each move is one that the flow control permits, and no packet left can take a hop"
	theoremBubbleRunOne = "the run itself: each move is one that the flow control permits, and no packet left can take the hop that it waits for"
)

// rule decides flow control of rings. It finds the ranks of a proof, or the run of a refutation. If it finds neither, the claim is undecided.
type rule struct {
	flow  *bubble.Flow
	rings *Network
}

func (f *rule) Condition() model.Condition { return f.flow }

func (f *rule) Begin(q *verify.Question, _ *verify.Options) error {
	if !f.flow.Rule.Takes(q.Switching) {
		return fmt.Errorf("cannot decide %s: want %s switching, got %s", f.flow.Rule.Kind, f.flow.Switching(), q.Switching)
	}
	if f.flow.Rule.Kind != bubble.Worm && f.flow.Buffer >= 2*f.flow.Packet {
		if err := q.Facts.CheckQueue("flow control " + string(f.flow.Rule.Kind)); err != nil {
			return err
		}
	}
	for _, flits := range q.Facts.Hosts() {
		if flits > 0 && flits != f.flow.Buffer {
			return fmt.Errorf("cannot decide %s for buffers of %d flits: want the same buffers everywhere, and a host has %d",
				model.ConditionFlow, f.flow.Buffer, flits)
		}
	}
	if err := q.Facts.CheckFixed(q.Relation.Network(), model.ConditionFlow, f.flow.Packet, f.flow.Buffer); err != nil {
		return err
	}
	return f.flow.Check()
}

func (f *rule) Bind(ctx context.Context, q *verify.Question, s *cert.Subject) (err error) {
	if s.Waiting != "" && s.Waiting != cert.WaitingOne {
		return fmt.Errorf("cannot decide %s with waiting %s: want waiting any or one", model.ConditionFlow, q.Waiting)
	}
	if f.rings, err = Bind(ctx, q.Relation, f.flow); err != nil {
		return err
	}
	f.rings.one = s.Waiting != ""
	s.Bubbles = f.rings.Subject()
	return nil
}

func (f *rule) Decide(ctx context.Context, q *verify.Question) (*verify.Answer, error) {
	b := f.rings
	claim := verify.Claim{Verdict: verify.Proved, Premises: append(q.Premises, f.flow.Premises()...)}
	answer := &verify.Answer{Premises: []model.Premise{{Name: model.PremiseBuffers, Value: f.flow.Text(), Source: f.source(q)}}}
	evidence := cert.Claim{Claim: cert.ClaimDeadlockFree, Verdict: cert.Proved, Evidence: cert.EvidenceBubble}
	for _, late := range []bool{false, true} {
		ranks, err := b.Ranks(ctx, q.Relation, late)
		if err != nil {
			return nil, err
		}
		if evidence.Ranks = (*cert.Ints)(&ranks); ranks != nil && q.Accepts(evidence) {
			f.setTheorem(&claim, q)
			answer.Claim, answer.Evidence, answer.Ranks = claim, evidence, ranks
			return answer, nil
		}
	}
	run, err := b.FindRun(ctx, q.Relation, func(x *Run) bool { return q.Accepts(x.Claim()) })
	if err != nil {
		return nil, err
	}
	if run == nil {
		claim.Verdict, claim.Reason = verify.Undecided, b.Why()
		answer.Claim = claim
		return answer, nil
	}
	if claim.Verdict, claim.Theorem = verify.Refuted, theoremBubbleRun; b.one {
		claim.Theorem = theoremBubbleRunOne
	}
	answer.Configuration, answer.Holds = run.Frozen()
	answer.Chosen = run.chosen(answer.Configuration)
	reached := true
	answer.Reached, answer.Run = &reached, &verify.Run{Packets: run.Packets, Moves: run.Moves}
	claim.Reason = fmt.Sprintf("a run of %d moves from empty buffers ends with %d packets that can never move", len(run.Moves), run.Left())
	if len(answer.Configuration) == 1 && run.Left() == 1 {
		claim.Reason = "a packet that no other packet is before can never enter a ring"
	}
	answer.Claim, answer.Evidence = claim, run.Claim()
	return answer, nil
}

// source returns the source of the premise of the sizes.
func (f *rule) source(q *verify.Question) string {
	return cmp.Or(f.flow.Source, q.Facts.Origin(), model.Assumed)
}

// setTheorem sets the theorem of a proof by ranks.
func (f *rule) setTheorem(claim *verify.Claim, q *verify.Question) {
	switch {
	case q.Acyclic == verify.Proved:
		claim.Theorem = verify.TheoremAcyclic
	case len(f.rings.List) == 0:
		claim.Theorem = verify.TheoremElimination
	case f.rings.IsWeaker():
		claim.Theorem, claim.Note = theoremFill, "the dependency graph has a cycle, but the packets that can be in a ring cannot fill it"
	default:
		claim.Theorem, claim.Note = theoremBubble, "the dependency graph has a cycle, but flow control leaves a free slot in each ring"
	}
}
