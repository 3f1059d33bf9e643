package verify

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/internal/encode"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/facts"
	"github.com/turnproof/turnproof/verify/cert"
)

// Check decides four claims about r: the channel dependency graph is acyclic, and r is
// deadlock-free, connected and livelock-free. The independent checker has accepted every
// verdict in the report. If the checker rejects one, Check fails, because this program
// then has a defect. Check fails with *NoPairs if no endpoint sends to another one, unless
// o.NoPairs is set. Contradicting options are errors.
//
// Cost: O(entries × classes in use) for forwarding tables; the cost of the lines for
// dimension order on a grid; O(reachable states × hops) for other relations. A shortest
// cycle may cost more (package cdg).
func Check(ctx context.Context, r model.Relation, o Options) (*Report, error) {
	known := o.Facts.On(r.Network())
	if err := o.chooseSwitching(known); err != nil {
		return nil, err
	}
	q := &Question{Relation: r, Facts: known, Switching: o.Switching, NoSearch: o.NoSearch}
	rules, err := bindRules(q, &o)
	if err != nil {
		return nil, err
	}
	r = q.Relation
	if err := CheckPairs(r); err != nil && !o.NoPairs {
		return nil, err
	}
	if err := checkWaiting(r, &o); err != nil {
		return nil, err
	}
	if !o.AllStates && o.Ranks == nil && known.EqualBuffers() != facts.False && rules == nil {
		if rep, err := checkLines(ctx, r, o); rep != nil || err != nil {
			return rep, err
		}
	}
	rep, err := newReport(ctx, q, rules, o)
	if err != nil {
		return nil, err
	}
	c := rep.certificate()
	if err := rep.decide(ctx, o, c); err != nil {
		return nil, err
	}
	if err := rep.finish(o, c); err != nil {
		return rep, err
	}
	return rep, rep.doubtManagement(ctx, o)
}

// newReport returns a report without verdicts. Its subject is that of the certificate, to which the rules are bound.
func newReport(ctx context.Context, q *Question, rules []bound, o Options) (*Report, error) {
	r := q.Relation
	rep := &Report{Relation: r, Switching: o.Switching, Conditions: o.Conditions,
		inquiry: inquiry{open: o.Open, given: o.Ranks, rules: rules, question: q}}
	o.listsTables = rep.rulesFor(true) != nil
	rep.Waiting, rep.commits = o.Waiting, model.CommitsIn(r, o.Waiting)
	rep.facts, rep.noSearch, rep.progress = q.Facts, o.NoSearch, o.Progress
	if _, isTable := r.(*model.Table); !isTable && !o.listsTables && !o.Listed && !o.isLine && r.Destinations() > 0 {
		rep.blocks = newBlocks(ctx, r)
		rep.blocks.step = func() func() { return rep.step("checking or writing the evidence", len(rep.blocks.groups)) }
	}
	var err error
	if rep.subject, err = makeSubject(ctx, r, o, rep.blocks != nil); err != nil {
		return nil, err
	}
	rep.adoptWaiting()
	if rep.blocks != nil && rep.subject.Waiting == cert.WaitingMixed {
		rep.blocks.commits = rep.commits
	}
	q.Waiting, q.Commits = rep.Waiting, rep.commits
	for _, rule := range rules {
		if err := rule.Bind(ctx, q, &rep.subject); err != nil {
			return nil, err
		}
	}
	return rep, nil
}

// decide decides all claims, and adds them with their evidence to the certificate.
func (r *Report) decide(ctx context.Context, o Options, c *cert.Certificate) error {
	if err := decideAcyclic(ctx, r, o, c); err != nil {
		return err
	}
	for _, step := range []func(context.Context, *Report, *cert.Certificate) error{
		decideDeadlockFree, decideRoutes, decideOtherClaims,
	} {
		if err := errors.Join(step(ctx, r, c), ctx.Err()); err != nil {
			return err
		}
	}
	if err := r.refuteAsStated(ctx, o, c); err != nil {
		return err
	}
	if err := r.decideManagement(ctx, o); err != nil {
		return err
	}
	if r.Schedule != nil && !r.SharesVCs() {
		c.Claims = append(c.Claims, r.reachedClaim())
	}
	return nil
}

// finish adds the premises to the report and passes the certificate to the checker.
func (r *Report) finish(o Options, c *cert.Certificate) error {
	last := Discipline{Switching: []model.Switching{o.Switching}, Claim: r.DeadlockFree}
	switch {
	case o.Open && r.Disciplines == nil:
		last.Switching = model.Switchings()
	case o.Switching == model.CutThrough && r.rulesFor(true) == nil:
		last.Switching = model.Switchings()[:2]
	}
	r.Disciplines = append(r.Disciplines, last)
	r.addPremises(o, c)
	if r.blocks != nil && !slices.ContainsFunc(c.Claims, func(claim cert.Claim) bool { return claim.Evidence == cert.EvidenceEscape }) {
		r.blocks.escape = nil // the claim became undecided
	}
	if err := cert.Check(c); err != nil {
		return fmt.Errorf("internal error: the checker rejects a verdict: %w", err)
	}
	if r.Certificate = c; r.blocks != nil {
		r.blocks.early = nil // it is large
	}
	return nil
}

// decideAcyclic builds the dependency graph and finds a numbering or a shortest cycle. It follows the routes of
// a relation on the way.
func decideAcyclic(ctx context.Context, rep *Report, o Options, c *cert.Certificate) error {
	ranks, err := rep.explore(ctx, o)
	if err != nil {
		return err
	}
	rep.Counts = Counts{Dependencies: int64(rep.Graph.NumDependencies()), UsedVCs: int64(rep.Graph.NumUsed())}
	for _, c := range rep.Graph.CyclicComponents() {
		rep.Counts.CyclicComponents++
		rep.Counts.CyclicVCs += int64(len(c))
	}
	rep.Acyclic = Claim{Name: cert.ClaimAcyclic, Verdict: Proved, Theorem: theoremNumbering}
	if ranks != nil {
		if rep.given != nil && !rep.given.IsEscape {
			ranks = rep.given.Ranks
		}
		rep.Ranks = ranks
		c.Claims = append(c.Claims, cert.Claim{Claim: cert.ClaimAcyclic, Verdict: cert.Proved, Evidence: cert.EvidenceNumbering, Ranks: (*cert.Ints)(&ranks)})
		return nil
	}
	if rep.Cycle, err = rep.Graph.ShortestCycle(ctx); err != nil {
		return err
	}
	if rep.CyclePackets, err = cdg.WitnessesMulticast(rep.Relation, rep.Multicast(), cdg.Dependencies(rep.Cycle)); err != nil {
		return err
	}
	if t, ok := rep.Relation.(*model.Table); ok {
		if rep.CyclePairs, err = cdg.Pairs(ctx, t, cdg.Dependencies(rep.Cycle)); err != nil {
			return err
		}
	}
	rep.Acyclic.Verdict, rep.Acyclic.Theorem = Refuted, theoremCycle
	rep.Acyclic.Reason = fmt.Sprintf("%d virtual channels depend on each other in a cycle", len(rep.Cycle))
	c.Claims = append(c.Claims, cert.Claim{Claim: cert.ClaimAcyclic, Verdict: cert.Refuted, Evidence: cert.EvidenceCycle,
		Packets: encode.Packets(rep.CyclePackets)})
	return nil
}

// decideRoutes decides connected and livelock-free.
func decideRoutes(ctx context.Context, rep *Report, c *cert.Certificate) (err error) {
	if t, ok := rep.Relation.(*model.Table); ok {
		if rep.Routes, err = followRoutes(ctx, t); err != nil {
			return err
		}
	}
	if rep.Routes.Loop == nil && rep.Acyclic.Verdict != Proved { // a loop of copies is a dependency cycle
		if rep.Routes.Loop, err = cdg.CopyLoop(ctx, rep.Relation, rep.Multicast()); err != nil {
			return err
		}
	}
	c.Claims = append(c.Claims, decideConnected(rep), decideLivelockFree(rep))
	return nil
}

func decideConnected(rep *Report) cert.Claim {
	f := &rep.Routes
	rep.Connected = Claim{Name: cert.ClaimConnected, Verdict: Proved, Theorem: theoremWalk}
	if f.Unreachable == 0 {
		return cert.Claim{Claim: cert.ClaimConnected, Verdict: cert.Proved, Evidence: cert.EvidenceWalk, Pairs: &f.Pairs}
	}
	rep.Connected.Verdict, rep.Connected.Theorem = Refuted, theoremLost
	rep.Connected.Reason = fmt.Sprintf("%d of %d pairs of source and destination are not connected", f.Unreachable, f.Pairs)
	if f.Pathless < f.Unreachable {
		rep.Connected.Reason += fmt.Sprintf(", %d of them without any path", f.Pathless)
	}
	return cert.Claim{Claim: cert.ClaimConnected, Verdict: cert.Refuted, Evidence: cert.EvidenceLostPacket, Pairs: &f.Pairs,
		Unreachable: &f.Unreachable, Packets: encode.Packets([]*cdg.Packet{f.Lost}), End: f.LostEnd}
}

func decideLivelockFree(rep *Report) cert.Claim {
	f := &rep.Routes
	rep.LivelockFree = Claim{Name: cert.ClaimLivelockFree, Verdict: Proved, Theorem: theoremLongest}
	if f.Loop == nil {
		hops := int64(f.Longest)
		return cert.Claim{Claim: cert.ClaimLivelockFree, Verdict: cert.Proved, Evidence: cert.EvidenceLongest, Hops: &hops}
	}
	rep.LivelockFree.Verdict, rep.LivelockFree.Theorem = Refuted, theoremLoop
	rep.LivelockFree.Reason = "a packet can be forwarded in a loop"
	if f.Loop.Group > 0 {
		rep.LivelockFree.Reason = fmt.Sprintf("copies of a packet to multicast group 0x%04x are forwarded in a loop", f.Loop.MLID)
	}
	return cert.Claim{Claim: cert.ClaimLivelockFree, Verdict: cert.Refuted, Evidence: cert.EvidenceLoop, Packets: encode.Packets([]*cdg.Packet{f.Loop})}
}
