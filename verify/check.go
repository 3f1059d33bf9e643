package verify

import (
	"context"
	"errors"
	"fmt"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/smt"
)

// Options of Check; the zero value is the default.
type Options struct {
	Switching model.Switching // defaults to CutThrough
	// Open says that the input leaves the switching discipline open. Every discipline is
	// decided then (Report.Disciplines), and the report is that of the weakest, wormhole.
	// Switching must be empty.
	Open bool
	// Waiting says which of several permitted next hops a packet waits for. If empty, the relation
	// decides (model.CommitsIn).
	Waiting model.Waiting
	// Premises state where the caller knows what the relation rests on. Doubts make
	// claims undecided. Strict doubts every assumed premise that could change a verdict.
	Premises []model.Premise
	Doubts   []model.Doubt
	Strict   bool
	// Sizes are those of packets and buffers. If nil, they are not known.
	Sizes *Sizes
	// NoSearch leaves a claim undecided that only a search by a solver would decide.
	NoSearch  bool
	Inputs    []cert.Input // files that the relation was read from, for the certificate
	AllStates bool         // explore all states even where the lines of a grid would do
	// Ranks, by VC between switches, are put to the checker as the evidence for acyclic
	// in place of ranks of our own. With EscapeRanks they are those of the exact rule, or
	// under wormhole switching of an escape (-1: a VC outside it), for deadlock-free. The
	// checker rejects wrong ones, with an error. For those who prove ranks for every size.
	Ranks       []int32
	EscapeRanks bool
	// Gating are gates that packets wait at, nil: none. Then Switching must be
	// virtual cut-through, and the network a grid.
	Gating *Gating
	// Messages are classes of messages that wait for each other, nil: none do. Gating and they
	// do not go together.
	Messages *Messages
	// NoPairs accepts a relation in which no endpoint sends to another one. Every
	// claim holds of it. For searches over sizes; a user's network has pairs.
	NoPairs bool
	// Multicast are the multicast forwarding tables. If nil, no multicast packet is sent. It does
	// not go together with Gating.
	Multicast *model.Multicast
	// Management decides a table without management traffic for each kind of it, too; see
	// Report.Management.
	Management bool

	switchingSource string // of the premise; defaults to model.Assumed
	isLine          bool   // r is a line of a product: Waiting is written down even if it makes no difference
}

// Check decides the claims about r: deadlock-free, connected, livelock-free,
// and whether the channel dependency graph is acyclic. Every verdict in the
// report has been accepted by the independent checker; a rejection is an
// error, a defect of this program. It fails with *NoPairs if no endpoint sends
// to another one, unless o.NoPairs accepts that.
//
// Cost: for forwarding tables O(entries), times the classes in use; for
// dimension order on a grid that of its lines; for other relations O(reachable states × hops); a shortest cycle may cost more, see cdg.
func Check(ctx context.Context, r model.Relation, o Options) (rep *Report, err error) {
	switch {
	case o.Open && (o.Switching != "" || o.Gating != nil || o.EscapeRanks):
		return nil, errors.New("verify: the switching discipline cannot be both open and given")
	case o.Open && !o.Sizes.whole():
		o.Open, o.Switching, o.switchingSource = false, model.Wormhole, "whole packets do not fit into a buffer"
	case o.Open:
		o.Switching = model.Wormhole
	case o.Switching == "":
		o.Switching = model.CutThrough
	default:
		o.switchingSource = sourceCaller
	}
	if o.Switching != model.Wormhole && !o.Sizes.whole() {
		return nil, fmt.Errorf("verify: under %s a buffer holds whole packets; %s", o.Switching, o.Sizes.Text())
	}
	if o.Gating != nil && o.Switching != model.CutThrough {
		return nil, fmt.Errorf("verify: gates are judged under %s only, not under %s", model.CutThrough, o.Switching)
	}
	if o.Messages != nil && o.Gating != nil {
		return nil, errors.New("verify: classes of messages are not judged with gates")
	}
	if err := hasPairs(r); err != nil && !o.NoPairs {
		return nil, err
	}
	if o.Multicast != nil && len(o.Multicast.Groups) == 0 {
		o.Multicast = nil
	}
	if o.Multicast != nil && o.Gating != nil {
		return nil, errors.New("verify: multicast tables are not judged with gates")
	}
	if err := waitingFits(r, &o); err != nil {
		return nil, err
	}
	if !o.AllStates && o.Ranks == nil && o.Gating == nil && o.Messages == nil && o.Multicast == nil {
		if rep, err := checkLines(ctx, r, o); rep != nil || err != nil {
			return rep, err
		}
	}
	rep = &Report{Relation: r, Switching: o.Switching, open: o.Open, given: o.Ranks, escapeRanks: o.EscapeRanks, Gating: o.Gating, Messages: o.Messages, Multicast: o.Multicast}
	rep.Waiting, rep.commits = o.Waiting, model.CommitsIn(r, o.Waiting)
	rep.sizes, rep.noSearch = o.Sizes, o.NoSearch
	rep.subject = subject(r, o)
	rep.takeWaiting()
	if o.Gating != nil {
		if rep.subject.Gates, err = gateSubject(r, o.Gating); err != nil {
			return nil, err
		}
	}
	c := &cert.Certificate{Schema: cert.Schema, Subject: rep.subject}
	for _, step := range []func(context.Context, *Report, *cert.Certificate) error{
		decideAcyclic, decideDeadlockFree, decideRoutes, decideMessages,
	} {
		if err := errors.Join(step(ctx, rep, c), ctx.Err()); err != nil {
			return nil, err
		}
	}
	if err := rep.decideManagement(ctx, o); err != nil {
		return nil, err
	}
	return rep, rep.finish(o, c)
}

// finish adds the premises and puts the certificate to the checker.
func (r *Report) finish(o Options, c *cert.Certificate) error {
	last := Discipline{Switching: []model.Switching{o.Switching}, Claim: r.DeadlockFree}
	switch {
	case o.Open && r.Disciplines == nil:
		last.Switching = model.Switchings()
	case o.Switching == model.CutThrough && r.Gating == nil:
		last.Switching = model.Switchings()[:2]
	}
	r.Disciplines = append(r.Disciplines, last)
	r.settle(o, c)
	if err := cert.Check(c); err != nil {
		return fmt.Errorf("verify: internal error, the checker rejects a verdict: %w", err)
	}
	r.Certificate = c
	return nil
}

// decideAcyclic builds the graph and looks for a numbering, else for a cycle.
func decideAcyclic(ctx context.Context, rep *Report, c *cert.Certificate) (err error) {
	if rep.Graph, err = cdg.BuildMulticast(ctx, rep.Relation, rep.Multicast); err != nil {
		return err
	}
	rep.Counts = Counts{Dependencies: int64(rep.Graph.NumDependencies()), UsedVCs: int64(rep.Graph.NumUsed())}
	for _, c := range rep.Graph.CyclicComponents() {
		rep.Counts.CyclicComponents++
		rep.Counts.CyclicVCs += int64(len(c))
	}
	rep.Acyclic = Claim{Name: cert.ClaimAcyclic, Verdict: Proved, Theorem: theoremNumbering}
	if ranks, ok := rep.Graph.Numbering(); ok {
		if rep.given != nil && !rep.escapeRanks {
			ranks = rep.given
		}
		rep.Ranks = ranks
		c.Claims = append(c.Claims, cert.Claim{Claim: cert.ClaimAcyclic, Verdict: cert.Proved, Evidence: cert.EvidenceNumbering, Ranks: (*cert.Ints)(&ranks)})
		return nil
	}
	if rep.Cycle, err = rep.Graph.ShortestCycle(ctx); err != nil {
		return err
	}
	if rep.CyclePackets, err = cdg.WitnessesMulticast(rep.Relation, rep.Multicast, cdg.Dependencies(rep.Cycle)); err != nil {
		return err
	}
	if t, ok := rep.Relation.(*model.Table); ok {
		if rep.CyclePairs, err = cdg.Pairs(ctx, t, cdg.Dependencies(rep.Cycle)); err != nil {
			return err
		}
	}
	rep.Acyclic.Verdict, rep.Acyclic.Theorem = Refuted, theoremCycle
	rep.Acyclic.Reason = fmt.Sprintf("%d virtual channels depend on each other in a cycle", len(rep.Cycle))
	c.Claims = append(c.Claims, cert.Claim{Claim: cert.ClaimAcyclic, Verdict: cert.Refuted, Evidence: cert.EvidenceCycle, Packets: packets(rep.CyclePackets)})
	return nil
}

// decideDeadlockFree uses the acyclic graph if there is one, and else the
// exact rule, or under wormhole switching, where that does not apply, an escape.
func decideDeadlockFree(ctx context.Context, rep *Report, c *cert.Certificate) error {
	rep.DeadlockFree = Claim{Name: cert.ClaimDeadlockFree, Verdict: Proved, Premises: switchingPremises(rep.Switching, rep.Waiting)}
	if rep.Multicast != nil {
		rep.DeadlockFree.Premises = append(rep.DeadlockFree.Premises, premiseCopies)
	}
	decide := byExactRule
	switch {
	case rep.Gating != nil:
		decide = func(ctx context.Context, rep *Report) (cert.Claim, error) {
			return byGates(ctx, rep, rep.Gating, func(claim cert.Claim) bool {
				alone := &cert.Certificate{Schema: cert.Schema, Subject: rep.subject, Claims: []cert.Claim{claim}}
				return cert.Check(alone) == nil
			})
		}
	case rep.Acyclic.Verdict == Proved && !rep.escapeRanks:
		decide = byAcyclic
	case rep.open:
		decide = byEach
	case rep.Switching == model.Wormhole && rep.Waiting == model.WaitOne:
		decide = byShortPackets
	case rep.Switching == model.Wormhole:
		decide = byEscape
	}
	evidence, err := decide(ctx, rep)
	if err != nil || rep.DeadlockFree.Verdict == Undecided {
		return err
	}
	evidence.Claim, evidence.Verdict = cert.ClaimDeadlockFree, string(rep.DeadlockFree.Verdict)
	c.Claims = append(c.Claims, evidence)
	return nil
}

func byAcyclic(_ context.Context, rep *Report) (cert.Claim, error) {
	rep.DeadlockFree.Theorem = theoremAcyclic
	return cert.Claim{Evidence: cert.EvidenceAcyclic}, nil
}

// byExactRule finds ranks, or the packets of a deadlock configuration. Where each packet waits for
// one next hop, as with a table, the cycle is a configuration.
func byExactRule(ctx context.Context, rep *Report) (cert.Claim, error) {
	claim := &rep.DeadlockFree
	if _, ok := rep.Relation.(*model.Table); ok || rep.Waiting == model.WaitOne {
		if rep.Configuration, rep.Chosen = waitingOn(rep.CyclePackets); rep.subject.Waiting == "" {
			rep.Chosen = nil // no packet has a choice
		}
	} else if rep.given != nil {
		rep.Ranks = rep.given
	} else {
		var err error
		if rep.Ranks, rep.Configuration, rep.Chosen, err = elimination(ctx, rep.Relation, rep.Multicast, rep.commits); err != nil {
			return cert.Claim{}, err
		}
	}
	if rep.Configuration == nil {
		claim.Theorem = theoremElimination
		return cert.Claim{Evidence: cert.EvidenceElimination, Ranks: (*cert.Ints)(&rep.Ranks)}, nil
	}
	claim.Verdict, claim.Theorem = Refuted, theoremConfiguration
	if rep.Chosen != nil {
		claim.Theorem = theoremChosen
	}
	claim.Reason = fmt.Sprintf("%d packets can hold %d virtual channels and wait for each other", len(rep.Configuration), len(rep.Configuration))
	return cert.Claim{Evidence: cert.EvidenceConfiguration, Packets: packets(rep.Configuration), Chosen: chosen(rep)}, nil
}

// byShortPackets decides wormhole switching where every packet waits for one next hop and the graph
// has a cycle: packets that hold one VC each then block each other.
func byShortPackets(ctx context.Context, rep *Report) (cert.Claim, error) {
	rep.DeadlockFree.Premises = append([]string{premiseShort}, rep.DeadlockFree.Premises...)
	return byExactRule(ctx, rep)
}

// byEscape looks for an escape, and where there is none for a deadlock: first of
// short packets, each of which holds one VC, then of worms that hold several.
// That none is found does not mean that there is none: it is undecided.
func byEscape(ctx context.Context, rep *Report) (cert.Claim, error) {
	claim := &rep.DeadlockFree
	found, why := findEscape(rep.Relation, rep.commits)
	if found != nil && !rep.sizes.fit() && !found.closed(rep.Relation) {
		found, why = nil, "an escape is a proof only where a VC takes a new packet when it is empty; "+rep.sizes.Text()
	}
	if rep.Multicast != nil {
		found, why = nil, "the dependency graph has a cycle, and no escape is known for multicast packets"
	} else if rep.given != nil {
		found = &foundEscape{rep.given, func(_ model.State, h model.Hop) bool {
			return int(h.VC) < len(rep.given) && rep.given[h.VC] >= 0
		}}
	}
	if found == nil && rep.Disciplines == nil {
		evidence, err := byExactRule(ctx, rep)
		if rep.Ranks = nil; rep.Configuration == nil && err == nil {
			return byWorms(ctx, rep, why)
		}
		claim.Premises = append([]string{premiseShort}, claim.Premises...)
		return evidence, err
	}
	if found == nil {
		return byWorms(ctx, rep, why)
	}
	claim.Theorem, claim.Premises = theoremEscape, append([]string{premiseAtomic}, claim.Premises...)
	rep.Ranks = found.ranks
	flags := escapeFlags(rep.Relation, found.escape)
	return cert.Claim{Evidence: cert.EvidenceEscape, Ranks: (*cert.Ints)(&rep.Ranks), Escape: &flags}, nil
}

// byEach decides every discipline: virtual cut-through and store-and-forward by
// the exact rule, then wormhole. A deadlock of packets that hold one VC each is
// one of all disciplines.
func byEach(ctx context.Context, rep *Report) (cert.Claim, error) {
	claim := &rep.DeadlockFree
	wormhole := *claim
	evidence, err := byExactRule(ctx, rep)
	if err != nil {
		return evidence, err
	}
	if claim.Verdict == Refuted {
		claim.Premises = append([]string{premiseShort}, claim.Premises...)
		return evidence, nil
	}
	claim.Premises = switchingPremises(model.CutThrough, rep.Waiting)
	rep.Disciplines = []Discipline{{model.Switchings()[:2], *claim}}
	if err := checkAlone(rep, model.CutThrough, evidence); err != nil {
		return evidence, err
	}
	*claim, rep.Ranks = wormhole, nil
	return byEscape(ctx, rep)
}

// checkAlone puts the evidence for deadlock-free under a discipline to the checker.
func checkAlone(rep *Report, s model.Switching, evidence cert.Claim) error {
	evidence.Claim, evidence.Verdict = cert.ClaimDeadlockFree, string(rep.DeadlockFree.Verdict)
	c := &cert.Certificate{Schema: cert.Schema, Subject: rep.subject, Claims: []cert.Claim{evidence}}
	c.Subject.Switching = string(s)
	if err := cert.Check(c); err != nil {
		return fmt.Errorf("verify: internal error, the checker rejects a verdict: %w", err)
	}
	return nil
}

// byWorms looks for a deadlock of worms; why says what has been tried before.
func byWorms(ctx context.Context, rep *Report, why string) (cert.Claim, error) {
	claim := &rep.DeadlockFree
	if rep.noSearch {
		claim.Verdict, claim.Theorem, claim.Reason = Undecided, "", why
		return cert.Claim{}, nil
	}
	var err error
	if rep.Configuration, rep.Holds, rep.Chosen, err = findWorms(ctx, rep.Relation, rep.commits); err != nil {
		return cert.Claim{}, err
	}
	if rep.Configuration == nil {
		tried := fmt.Sprintf("no deadlock of packets that hold up to %d VCs and get into place together was found", maxWorm)
		if !smt.Available() {
			tried = "packets that hold several VCs were not tried, since this build has no Z3 to search with"
		}
		claim.Verdict, claim.Theorem, claim.Reason = Undecided, "", why+"; "+tried
		return cert.Claim{}, nil
	}
	held := 0
	holds := make(cert.Ints, len(rep.Holds))
	for i, k := range rep.Holds {
		holds[i] = int32(k)
		held += k
	}
	claim.Verdict, claim.Theorem = Refuted, theoremWorms
	claim.Premises = append([]string{premiseWorms}, claim.Premises...)
	claim.Reason = fmt.Sprintf("%d packets can hold %d virtual channels and wait for each other", len(rep.Configuration), held)
	return cert.Claim{Evidence: cert.EvidenceWorms, Packets: packets(rep.Configuration), Holds: &holds, Chosen: chosen(rep)}, nil
}

// decideRoutes follows the packets.
func decideRoutes(ctx context.Context, rep *Report, c *cert.Certificate) (err error) {
	if rep.Routes, err = followRoutes(ctx, rep.Relation); err != nil {
		return err
	}
	if rep.Routes.Loop == nil && rep.Acyclic.Verdict != Proved { // a loop of copies is a cycle of dependencies
		if rep.Routes.Loop, err = cdg.CopyLoop(ctx, rep.Relation, rep.Multicast); err != nil {
			return err
		}
	}
	c.Claims = append(c.Claims, connected(rep), livelockFree(rep))
	return nil
}

func connected(rep *Report) cert.Claim {
	f := &rep.Routes
	rep.Connected = Claim{Name: cert.ClaimConnected, Verdict: Proved, Theorem: theoremWalk}
	if f.Unreachable == 0 {
		return cert.Claim{Claim: cert.ClaimConnected, Verdict: cert.Proved, Evidence: cert.EvidenceWalk, Pairs: &f.Pairs}
	}
	rep.Connected.Verdict, rep.Connected.Theorem = Refuted, theoremLost
	rep.Connected.Reason = fmt.Sprintf("%d of %d pairs of source and destination are not connected", f.Unreachable, f.Pairs)
	return cert.Claim{Claim: cert.ClaimConnected, Verdict: cert.Refuted, Evidence: cert.EvidenceLostPacket, Pairs: &f.Pairs,
		Unreachable: &f.Unreachable, Packets: packets([]*cdg.Packet{f.Lost}), End: f.LostEnd}
}

func livelockFree(rep *Report) cert.Claim {
	f := &rep.Routes
	rep.LivelockFree = Claim{Name: cert.ClaimLivelockFree, Verdict: Proved, Theorem: theoremLongest}
	if f.Loop == nil {
		hops := int64(f.Longest)
		return cert.Claim{Claim: cert.ClaimLivelockFree, Verdict: cert.Proved, Evidence: cert.EvidenceLongest, Hops: &hops}
	}
	rep.LivelockFree.Verdict, rep.LivelockFree.Theorem = Refuted, theoremLoop
	rep.LivelockFree.Reason = "a packet can be forwarded in a loop"
	if f.Loop.Group > 0 {
		rep.LivelockFree.Reason = fmt.Sprintf("copies of a packet to multicast group 0x%04x go round for ever", f.Loop.MLID)
	}
	return cert.Claim{Claim: cert.ClaimLivelockFree, Verdict: cert.Refuted, Evidence: cert.EvidenceLoop, Packets: packets([]*cdg.Packet{f.Loop})}
}
