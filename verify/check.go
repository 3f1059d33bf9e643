package verify

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/facts"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/encode"
)

// Options are the options of Check. The zero value is the default.
type Options struct {
	Switching model.Switching // defaults to CutThrough
	// Open says that the input does not fix the switching discipline. Check then decides
	// every discipline (Report.Disciplines). The report is that of wormhole, the weakest
	// discipline. Switching must be empty.
	Open bool
	// Waiting says which of several permitted next hops a packet waits for. If empty, the
	// relation decides (model.CommitsIn).
	Waiting model.Waiting
	model.Known
	// Facts are the facts about packets, buffers and routers. The zero value knows only what the network states.
	Facts facts.Facts
	// NoSearch leaves a claim undecided if only a solver could decide the claim.
	NoSearch  bool
	Inputs    []cert.Input // Files that the relation was read from, for the certificate.
	AllStates bool         // Explores all states, even if the lines of a grid suffice.
	// Ranks, if not nil, replace the ranks that Check would compute as evidence.
	Ranks *Ranks
	// Conditions say when packets may move or what they wait for, beside the routing. The packages that decide them must be
	// linked (verify/conditions). checkTogether has the pairs that exclude each other.
	Conditions []model.Condition
	// NoPairs accepts a relation in which no endpoint sends to another one. Every claim holds
	// for such a relation. Searches over sizes need this; a user's network has pairs.
	NoPairs bool
	// Progress, if not nil, is called during long steps: done of total groups of destinations are done. Calls can
	// come from several goroutines at a time.
	Progress func(step string, done, total int)
	// Management also decides a table without management traffic for each kind of management
	// traffic; see Report.Management.
	Management bool

	// Listed makes a certificate of version 1, which lists all states of a relation in memory. By default the
	// states come in blocks (cert.Blocks), which are explored again when the certificate is checked or written.
	Listed bool

	made
}

// Ranks are given ranks. If they are wrong, Check fails. Package verify/parametric uses them for ranks proved for every size.
type Ranks struct {
	Ranks []int32 // by VC between switches
	// IsEscape says that they are evidence for deadlock-free: ranks of the exact rule or, under wormhole switching, of an escape (-1: the VC
	// is outside the escape). Otherwise they number the graph for acyclic.
	IsEscape bool
}

// escape reports whether ranks are given as evidence for deadlock-free.
func (r *Ranks) escape() bool { return r != nil && r.IsEscape }

// made are options that this package sets.
type made struct {
	switchingSource string // Source of the premise; defaults to model.Assumed.
	isLine          bool   // The relation is a line of a product; the subject then always states Waiting.
	listsTables     bool   // The subject lists the states of a table, too.
}

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
	if err := checkPairs(r); err != nil && !o.NoPairs {
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

// chooseSwitching sets the switching discipline to decide. It fails if that discipline contradicts the known facts.
func (o *Options) chooseSwitching(known *facts.Bound) error {
	switch {
	case o.Open && (o.Switching != "" || o.Ranks.escape()):
		return errFixed
	case o.Open && known.WholePackets() == facts.False:
		o.Open, o.Switching, o.switchingSource = false, model.Wormhole, "whole packets do not fit into a buffer"
	case o.Open:
		o.Switching = model.Wormhole
	case o.Switching == "":
		o.Switching = model.CutThrough
	default:
		o.switchingSource = sourceCaller
	}
	if o.Switching != model.Wormhole && known.WholePackets() == facts.False {
		return fmt.Errorf("cannot decide %s switching: a buffer must hold whole packets; %s", o.Switching, known.Text())
	}
	return nil
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

// certificate returns a certificate of the subject with these claims.
func (r *Report) certificate(claims ...cert.Claim) *cert.Certificate {
	c := &cert.Certificate{Schema: cert.Schema, Subject: r.subject, Claims: claims}
	if r.blocks != nil {
		c.Schema, c.Blocks = cert.StreamSchema, r.blocks
	}
	return c
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
