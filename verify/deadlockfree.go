package verify

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/internal/encode"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/facts"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/reach"
	"github.com/turnproof/turnproof/verify/worms"
)

// This file decides deadlock-free. decideDeadlockFree chooses the rule by the switching discipline and by what the dependency
// graph shows; one function for each rule finds the evidence.

// decideDeadlockFree uses the acyclic graph if possible, otherwise the exact rule. Under
// wormhole switching, where the exact rule does not apply, it searches for an escape.
func decideDeadlockFree(ctx context.Context, rep *Report, c *cert.Certificate) error {
	rep.DeadlockFree = Claim{Name: cert.ClaimDeadlockFree, Verdict: Proved, Premises: switchingPremises(rep.Switching, rep.Waiting)}
	if rep.Multicast() != nil {
		rep.DeadlockFree.Premises = append(rep.DeadlockFree.Premises, premiseCopies)
	}
	if rep.rulesFor(true) != nil {
		return rep.decideConditions(ctx, true, c)
	}
	decide := decideByExactRule
	switch {
	case rep.Acyclic.Verdict == Proved && !rep.given.escape() && rep.Multicast() != nil && rep.holdsBranches():
		decide = func(_ context.Context, rep *Report) (cert.Claim, error) { return cert.Claim{}, rep.leaveCopiesOpen(c) }
	case rep.Acyclic.Verdict == Proved && !rep.given.escape():
		decide = decideByAcyclic
	case rep.open:
		decide = decideEachDiscipline
	case rep.Switching == model.Wormhole && rep.storesWhole():
		decide = decideByExactRule
	case rep.Switching == model.Wormhole && rep.Waiting == model.WaitOne:
		decide = decideByShortPackets
	case rep.Switching == model.Wormhole:
		decide = decideByEscape
	}
	evidence, err := decide(ctx, rep)
	if err != nil || rep.DeadlockFree.Verdict == Undecided {
		return err
	}
	evidence.Claim, evidence.Verdict = cert.ClaimDeadlockFree, string(rep.DeadlockFree.Verdict)
	c.Claims = append(c.Claims, evidence)
	return nil
}

func decideByAcyclic(_ context.Context, rep *Report) (cert.Claim, error) {
	rep.DeadlockFree.Theorem = TheoremAcyclic
	return cert.Claim{Evidence: cert.EvidenceAcyclic}, nil
}

// decideByExactRule finds ranks, or the packets of a deadlock configuration. If every
// packet waits for one next hop, as in a table, the cycle is a configuration.
func decideByExactRule(ctx context.Context, rep *Report) (cert.Claim, error) {
	claim := &rep.DeadlockFree
	if _, ok := rep.Relation.(*model.Table); ok || rep.Waiting == model.WaitOne {
		if rep.Configuration, rep.Chosen = toWaitingPackets(rep.CyclePackets); rep.subject.Waiting == "" {
			rep.Chosen = nil // no packet has a choice
		}
	} else if rep.given != nil {
		rep.Ranks = rep.given.Ranks
	} else {
		var err error
		if rep.Ranks, rep.Configuration, rep.Chosen, err = runElimination(ctx, rep, rep.Multicast()); err != nil {
			return cert.Claim{}, err
		}
	}
	if rep.Configuration == nil {
		claim.Theorem = TheoremElimination
		return cert.Claim{Evidence: cert.EvidenceElimination, Ranks: (*cert.Ints)(&rep.Ranks)}, nil
	}
	switch answer, err := rep.findSchedule(ctx); {
	case err != nil:
		return cert.Claim{}, err
	case answer == reach.No:
		if steps, err := rep.decideUnreachable(ctx); steps != nil || err != nil {
			rep.Configuration, rep.Chosen, claim.Theorem = nil, nil, theoremUnreachable
			return cert.Claim{Evidence: cert.EvidenceUnreachable, Steps: steps}, err
		}
	}
	claim.Verdict, claim.Theorem = Refuted, theoremConfiguration
	if rep.Chosen != nil {
		claim.Theorem = theoremChosen
	}
	claim.Reason = fmt.Sprintf("%d packets can hold %d virtual channels and wait for each other", len(rep.Configuration), len(rep.Configuration))
	return cert.Claim{Evidence: cert.EvidenceConfiguration, Packets: encode.Packets(rep.Configuration), Chosen: makeChosen(rep)}, nil
}

// decideByShortPackets decides wormhole switching if every packet waits for one next hop
// and the graph has a cycle. Packets that hold one VC each then block each other.
func decideByShortPackets(ctx context.Context, rep *Report) (cert.Claim, error) {
	claim := &rep.DeadlockFree
	evidence, err := decideByExactRule(ctx, rep)
	if rep.Configuration == nil && err == nil {
		return decideByWorms(ctx, rep, "no packets that hold one VC each reach a deadlock")
	}
	claim.Premises = append([]string{PremiseShort}, claim.Premises...)
	return evidence, err
}

// decideByEscape searches for an escape. If there is none, it searches for a deadlock:
// first of short packets that hold one VC each, then of worms that hold several VCs. If
// all searches fail, the claim is undecided.
func decideByEscape(ctx context.Context, rep *Report) (cert.Claim, error) {
	claim := &rep.DeadlockFree
	found, why, err := findEscape(ctx, rep.Relation, rep.commits)
	if err != nil {
		return cert.Claim{}, err
	}
	if rep.Multicast() != nil {
		found, why = nil, "the dependency graph has a cycle, and no escape is known for multicast packets"
	} else if rep.given != nil {
		found = &numberedEscape{rep.given.Ranks, func(_ model.State, h model.Hop) bool {
			return int(h.VC) < len(rep.given.Ranks) && rep.given.Ranks[h.VC] >= 0
		}}
	}
	if contrary := rep.contradicted(premiseAtomic); contrary != "" && found != nil {
		found, why = nil, "there is an escape, but "+contrary
	}
	if found == nil && rep.Disciplines == nil {
		evidence, err := decideByExactRule(ctx, rep)
		if rep.Ranks = nil; rep.Configuration == nil && err == nil {
			return decideByWorms(ctx, rep, why)
		}
		claim.Premises = append([]string{PremiseShort}, claim.Premises...)
		return evidence, err
	}
	if found == nil {
		return decideByWorms(ctx, rep, why)
	}
	claim.Theorem, claim.Premises = theoremEscape, append([]string{premiseAtomic}, claim.Premises...)
	rep.Ranks = found.ranks
	flags := cert.Ints{}
	if rep.blocks == nil {
		flags = escapeFlags(rep.Relation, found.escape)
	} else {
		rep.blocks.escape = found.escape
	}
	return cert.Claim{Evidence: cert.EvidenceEscape, Ranks: (*cert.Ints)(&rep.Ranks), Escape: &flags}, nil
}

// decideEachDiscipline decides virtual cut-through and store-and-forward by the exact
// rule, then wormhole. A deadlock of packets that hold one VC each refutes all of them.
func decideEachDiscipline(ctx context.Context, rep *Report) (cert.Claim, error) {
	claim := &rep.DeadlockFree
	wormhole := *claim
	evidence, err := decideByExactRule(ctx, rep)
	if err != nil {
		return evidence, err
	}
	if claim.Verdict == Refuted {
		claim.Premises = append([]string{PremiseShort}, claim.Premises...)
		return evidence, nil
	}
	claim.Premises = switchingPremises(model.CutThrough, rep.Waiting)
	if evidence.Evidence == cert.EvidenceUnreachable {
		claim.Premises = append([]string{PremiseAlone}, claim.Premises...)
	}
	if rep.storesWhole() {
		return evidence, nil // it decides wormhole switching, too
	}
	rep.Disciplines = []Discipline{{model.Switchings()[:2], *claim}}
	if err := checkAlone(rep, model.CutThrough, nil, evidence); err != nil {
		return evidence, err
	}
	*claim, rep.Ranks = wormhole, nil
	return decideByEscape(ctx, rep)
}

// decideByWorms decides by worms of any lengths, then by packets that share VCs. why says which searches failed before.
func decideByWorms(ctx context.Context, rep *Report, why string) (cert.Claim, error) {
	claim := &rep.DeadlockFree
	if rep.noSearch {
		claim.Verdict, claim.Theorem, claim.Reason = Undecided, "", why
		return cert.Claim{}, nil
	}
	g, err := worms.New(ctx, rep.Relation, rep.commits)
	if err != nil {
		return cert.Claim{}, err
	}
	if g == nil {
		return decideByQueues(ctx, rep, why+"; the states are too many to search for worms that block each other")
	}
	found, err := g.Decide(ctx, rep.facts.CanHold)
	switch {
	case err != nil:
		return cert.Claim{}, err
	case found.Deadlock != nil && rep.mayBiteItself(found.Deadlock):
		return decideByQueues(ctx, rep, why+"; worms block each other only if their buffers have the same size; "+rep.facts.Text())
	case found.Deadlock != nil:
		return rep.refuteByWorms(found), nil
	case found.Proof == nil:
		return decideByQueues(ctx, rep, why+"; "+found.Why)
	case rep.Multicast() != nil:
		return decideByQueues(ctx, rep, why+"; no worms of unicast packets block each other")
	}
	if contrary := rep.contradicted(PremiseAlone, PremiseEqual); contrary != "" {
		if strings.Contains(why, rep.facts.Text()) {
			contrary = strings.TrimSuffix(contrary, "; "+rep.facts.Text())
		}
		return decideByQueues(ctx, rep, why+"; no worms block each other, but "+contrary)
	}
	claim.Theorem, claim.Premises = theoremNoWorms, append([]string{PremiseAlone, PremiseEqual}, claim.Premises...)
	steps := encode.Steps(found.Proof)
	if rep.Disciplines == nil {
		rep.Steps = *steps
	}
	return cert.Claim{Evidence: cert.EvidenceNoWorms, Steps: steps}, nil
}

// mayBiteItself reports whether a packet may lie on a VC that its path visits again, because buffers have different sizes: the
// packet then holds more VCs before its last place.
func (rep *Report) mayBiteItself(deadlock []worms.Packet) bool {
	if rep.facts.ShapesHold() != facts.False {
		return false
	}
	return slices.ContainsFunc(deadlock, func(w worms.Packet) bool {
		seen := map[model.VCID]bool{}
		for _, s := range w.Packet.Path {
			if seen[s.VC] && w.Holds > 1 {
				return true
			}
			seen[s.VC] = true
		}
		return false
	})
}

// refuteByWorms puts a deadlock of worms into the report, and returns the evidence.
func (rep *Report) refuteByWorms(found worms.Verdict) cert.Claim {
	worms := found.Deadlock
	claim, held := &rep.DeadlockFree, 0
	holds := cert.Ints{}
	rep.Configuration, rep.Holds, rep.Chosen = nil, nil, nil
	for _, w := range worms {
		rep.Configuration, rep.Holds = append(rep.Configuration, w.Packet), append(rep.Holds, w.Holds)
		if rep.commits != nil {
			rep.Chosen = append(rep.Chosen, w.Chosen)
		}
		holds = append(holds, int32(w.Holds))
		held += w.Holds
	}
	if rep.setSchedule(found.Schedule); rep.facts.ShapesHold() == facts.False && slices.Max(rep.Holds) > 1 {
		rep.Schedule, rep.Reached, rep.NotReached = nil, nil, "the moves of packets that hold several channels need buffers of the same size; "+rep.facts.Text()
	}
	claim.Verdict, claim.Theorem = Refuted, theoremWorms
	claim.Premises = append([]string{PremiseWorms}, claim.Premises...)
	claim.Reason = fmt.Sprintf("%d packets can hold %d virtual channels and wait for each other", len(worms), held)
	if len(worms) == 1 {
		claim.Reason = fmt.Sprintf("1 packet can hold %d virtual channels and wait for itself", held)
	}
	return cert.Claim{Evidence: cert.EvidenceWorms, Packets: encode.Packets(rep.Configuration), Holds: &holds, Chosen: makeChosen(rep)}
}
