package verify

import (
	"context"
	"fmt"

	"turnproof/cdg"
	"turnproof/model"
	"turnproof/verify/cert"
)

// Options of Check; the zero value is the default.
type Options struct {
	Switching Switching    // default CutThrough
	Inputs    []cert.Input // files that the relation was read from, for the certificate
}

// Check decides the claims about r: deadlock-free, connected, livelock-free,
// and whether the channel dependency graph is acyclic. Every verdict in the
// report has been accepted by the independent checker; a rejection is an
// error, a defect of this program.
//
// Cost: for forwarding tables O(entries), times the classes in use; for other
// relations O(reachable states × hops); a shortest cycle may cost more, see cdg.
func Check(ctx context.Context, r model.Relation, o Options) (*Report, error) {
	if o.Switching == "" {
		o.Switching = CutThrough
	}
	rep := &Report{Relation: r, Switching: o.Switching}
	c := &cert.Certificate{Schema: cert.Schema, Subject: subject(r, o)}
	for _, step := range []func(*Report, *cert.Certificate){
		decideAcyclic, decideDeadlockFree, decideRoutes,
	} {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		step(rep, c)
	}
	if err := cert.Check(c); err != nil {
		return nil, fmt.Errorf("verify: internal error, the checker rejects a verdict: %w", err)
	}
	rep.Certificate = c
	return rep, nil
}

// decideAcyclic builds the graph and looks for a numbering, else for a cycle.
func decideAcyclic(rep *Report, c *cert.Certificate) {
	rep.Graph = cdg.Build(rep.Relation)
	rep.Acyclic = Claim{Name: cert.ClaimAcyclic, Verdict: Proved, Theorem: theoremNumbering}
	if ranks, ok := rep.Graph.Numbering(); ok {
		c.Claims = append(c.Claims, cert.Claim{Claim: cert.ClaimAcyclic, Verdict: cert.Proved, Evidence: cert.EvidenceNumbering, Ranks: (*cert.Ints)(&ranks)})
		return
	}
	rep.Cycle = rep.Graph.ShortestCycle()
	rep.CyclePackets = cdg.Witnesses(rep.Relation, cdg.Dependencies(rep.Cycle))
	rep.Acyclic.Verdict, rep.Acyclic.Theorem = Refuted, theoremCycle
	rep.Acyclic.Reason = fmt.Sprintf("%d virtual channels depend on each other in a cycle", len(rep.Cycle))
	c.Claims = append(c.Claims, cert.Claim{Claim: cert.ClaimAcyclic, Verdict: cert.Refuted, Evidence: cert.EvidenceCycle, Packets: packets(rep.CyclePackets)})
}

// decideDeadlockFree uses the acyclic graph if there is one, and else asks the
// exact rule; under wormhole switching that rule does not apply.
func decideDeadlockFree(rep *Report, c *cert.Certificate) {
	claim := Claim{Name: cert.ClaimDeadlockFree, Verdict: Proved, Theorem: theoremAcyclic, Premises: rep.Switching.premises()}
	evidence := cert.Claim{Claim: cert.ClaimDeadlockFree, Verdict: cert.Proved, Evidence: cert.EvidenceAcyclic}
	switch {
	case rep.Acyclic.Verdict == Proved:
	case rep.Switching == Wormhole:
		claim.Verdict, claim.Theorem = Undecided, ""
		claim.Reason = "the dependency graph has a cycle; under wormhole switching that does not yet mean a deadlock, and no escape was given"
		rep.DeadlockFree = claim
		return
	default:
		ranks, config := decideExact(rep)
		if config == nil {
			claim.Theorem = theoremElimination
			evidence.Evidence, evidence.Ranks = cert.EvidenceElimination, (*cert.Ints)(&ranks)
			break
		}
		claim.Verdict, claim.Theorem = Refuted, theoremConfiguration
		claim.Reason = fmt.Sprintf("%d packets can hold %d virtual channels and wait for each other", len(config), len(config))
		evidence.Verdict, evidence.Evidence, evidence.Packets = cert.Refuted, cert.EvidenceConfiguration, packets(config)
	}
	rep.DeadlockFree = claim
	c.Claims = append(c.Claims, evidence)
}

// decideExact returns ranks, or the packets of a deadlock configuration. For a
// table, where each state has one next hop, the cycle is a configuration.
func decideExact(rep *Report) ([]int32, []*cdg.Packet) {
	if _, ok := rep.Relation.(*model.Table); ok {
		return nil, waitingOn(rep.CyclePackets)
	}
	return elimination(rep.Relation)
}

// decideRoutes follows the packets.
func decideRoutes(rep *Report, c *cert.Certificate) {
	rep.Routes = followRoutes(rep.Relation)
	f := &rep.Routes
	rep.Connected = Claim{Name: cert.ClaimConnected, Verdict: Proved, Theorem: theoremWalk}
	evidence := cert.Claim{Claim: cert.ClaimConnected, Verdict: cert.Proved, Evidence: cert.EvidenceWalk, Pairs: &f.Pairs}
	if f.Unreachable > 0 {
		rep.Connected.Verdict, rep.Connected.Theorem = Refuted, theoremLost
		rep.Connected.Reason = fmt.Sprintf("%d of %d pairs of source and destination are not connected", f.Unreachable, f.Pairs)
		evidence = cert.Claim{Claim: cert.ClaimConnected, Verdict: cert.Refuted, Evidence: cert.EvidenceLostPacket, Pairs: &f.Pairs,
			Unreachable: &f.Unreachable, Packets: packets([]*cdg.Packet{f.Lost}), End: f.LostEnd}
	}
	c.Claims = append(c.Claims, evidence)

	rep.LivelockFree = Claim{Name: cert.ClaimLivelockFree, Verdict: Proved, Theorem: theoremLongest}
	hops := int64(f.Longest)
	evidence = cert.Claim{Claim: cert.ClaimLivelockFree, Verdict: cert.Proved, Evidence: cert.EvidenceLongest, Hops: &hops}
	if f.Loop != nil {
		rep.LivelockFree.Verdict, rep.LivelockFree.Theorem = Refuted, theoremLoop
		rep.LivelockFree.Reason = "a packet can be forwarded in a loop"
		evidence = cert.Claim{Claim: cert.ClaimLivelockFree, Verdict: cert.Refuted, Evidence: cert.EvidenceLoop, Packets: packets([]*cdg.Packet{f.Loop})}
	}
	c.Claims = append(c.Claims, evidence)
}
