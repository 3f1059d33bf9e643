package verify

import (
	"context"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/facts"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/protocols"
)

// This file decides whether the messages of a protocol can block each other, exactly for virtual
// cut-through and store-and-forward. Under wormhole switching it proves by an order of all waits, by
// the order of virtual networks or, with multicast classes, by an order of copies. It refutes by messages that fit into one buffer.

// decideProtocol decides the claim about the messages of a protocol.
func decideProtocol(ctx context.Context, rep *Report, c *cert.Certificate) error {
	p := rep.Protocol
	x := protocols.NewPlaces(rep.Relation, p)
	claim := Claim{Name: cert.ClaimMessages, Verdict: Proved, Premises: protocols.Premises(p)}
	evidence := cert.Claim{Claim: cert.ClaimMessages, Protocol: protocols.Encode(p)}
	if rep.DeadlockFree.Verdict == Proved && x.HasNetworkOrder() {
		claim.Theorem, evidence.Evidence = theoremNetworkOrder, cert.EvidenceNetworkOrder
		return rep.finishProtocol(claim, evidence, c)
	}
	w, err := protocols.Collect(x, rep.commits)
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	wormhole := rep.Switching == model.Wormhole
	proof := w.Prove(wormhole)
	if proof.IsComplete() && rep.holdsBranches() && x.HasMulticast() {
		return rep.decideLongCopies(w, claim, evidence, c)
	}
	if proof.IsComplete() {
		claim.Theorem, evidence.Evidence = theoremMessageElimination, cert.EvidenceMessageElimination
		if wormhole {
			claim.Theorem, evidence.Evidence = theoremMessageOrder, cert.EvidenceMessageNumbering
		}
		evidence.Ranks, evidence.Tables = &proof.Ranks, &proof.Tables
		return rep.finishProtocol(claim, evidence, c)
	}
	if wormhole {
		proof = w.Prove(false)
	}
	if !proof.IsComplete() {
		rep.MessageDeadlock = w.FindDeadlock(proof)
	}
	if rep.MessageDeadlock == nil {
		return rep.decideMessagesByClauses(ctx, w, claim, evidence, c)
	}
	claim.Verdict, claim.Theorem, evidence.Evidence = Refuted, theoremMessageDeadlock, cert.EvidenceMessageDeadlock
	claim.Premises = append(claim.Premises, premisePlaces)
	if wormhole {
		claim.Premises = append(claim.Premises, premiseShort)
	}
	claim.Reason = rep.MessageDeadlock.Text(p)
	rep.MessageDeadlock.Write(&evidence)
	return rep.finishProtocol(claim, evidence, c)
}

// decideLongCopies decides a protocol with multicast classes under wormhole switching whose waits have an order. A message
// holds branches while it waits for others, so it needs an order of copies.
func (rep *Report) decideLongCopies(w *protocols.Waits, claim Claim, evidence cert.Claim, c *cert.Certificate) error {
	ranks := cert.Ints(w.OrderCopies())
	if ranks == nil {
		claim.Verdict, claim.Reason = Undecided, reasonCopies
		return rep.finishProtocol(claim, evidence, c)
	}
	claim.Theorem, evidence.Evidence = theoremCopyOrder, cert.EvidenceMessageNumbering
	evidence.Ranks, evidence.Tables = &ranks, &cert.Ints{}
	return rep.finishProtocol(claim, evidence, c)
}

// decideMessagesByClauses decides a protocol where short messages and an order of all waits decide nothing.
func (rep *Report) decideMessagesByClauses(ctx context.Context, w *protocols.Waits, claim Claim, evidence cert.Claim, c *cert.Certificate) error {
	wormhole := rep.Switching == model.Wormhole
	if rep.noSearch {
		claim.Verdict, claim.Reason = Undecided, "waits form a cycle, and only a solver could decide whether messages close it"
		return rep.finishProtocol(claim, evidence, c)
	}
	found, steps, why := w.DecideByClauses(ctx, rep.commits, wormhole)
	if err := ctx.Err(); err != nil {
		return err
	}
	switch {
	case found != nil:
		rep.MessageDeadlock = found
		claim.Verdict, claim.Theorem, evidence.Evidence = Refuted, theoremMessageDeadlock, cert.EvidenceMessageDeadlock
		claim.Premises = append(claim.Premises, premisePlaces)
		if wormhole {
			claim.Theorem, evidence.Evidence = theoremMessageWorms, cert.EvidenceMessageWorms
			claim.Premises = append(claim.Premises, premiseWorms)
		}
		claim.Reason = found.Text(rep.Protocol)
		found.Write(&evidence)
		if wormhole && !rep.canHoldAll(&evidence) {
			claim.Verdict, claim.Theorem, rep.MessageDeadlock = Undecided, "", nil
			claim.Reason = "messages block each other, but only if packets are longer; " + rep.facts.Text()
		}
	case steps == nil:
		claim.Verdict, claim.Reason = Undecided, why
	case wormhole && w.HasMulticast():
		claim.Verdict, claim.Reason = Undecided, reasonCopies
	case wormhole && rep.contradicted(premiseAlone, premiseEqual) != "":
		claim.Verdict, claim.Reason = Undecided, "no messages block each other, but "+rep.contradicted(premiseAlone, premiseEqual)
	default:
		claim.Theorem, evidence.Evidence, evidence.Steps = theoremNoMessages, cert.EvidenceNoMessages, steps
		if wormhole {
			claim.Premises = append(claim.Premises, premiseAlone, premiseEqual)
		}
	}
	return rep.finishProtocol(claim, evidence, c)
}

// canHoldAll reports whether the facts permit that each message holds the VCs that it holds by the evidence.
func (r *Report) canHoldAll(evidence *cert.Claim) bool {
	n := r.Relation.Network()
	for i, p := range evidence.Packets {
		var channels []model.ChannelID
		for j := len(p.Path) - 2*int((*evidence.Holds)[i]); j < len(p.Path); j += 2 {
			if c, _ := n.Channel(model.VCID(p.Path[j])); n.Kind(c) == model.SwitchToSwitch {
				channels = append(channels, c)
			}
		}
		if len(channels) > 1 && (!r.facts.CanHold(channels) || r.facts.ShapesHold() == facts.False) {
			return false
		}
	}
	return true
}

// finishProtocol stores the claim, and adds its evidence to the certificate.
func (r *Report) finishProtocol(claim Claim, evidence cert.Claim, c *cert.Certificate) error {
	if r.MessageFree = claim; claim.Verdict != Undecided {
		evidence.Verdict = string(claim.Verdict)
		c.Claims = append(c.Claims, evidence)
	}
	return nil
}
