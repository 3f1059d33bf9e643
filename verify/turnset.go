package verify

import (
	"context"
	"fmt"
	"math/bits"
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/cert"
)

// This file decides two claims about a set of turns: the allowed turns close no cycle,
// and some path of allowed turns connects each pair of hosts.
//
// The search for paths starts from 64 switches at a time, one bit for each. If the
// turns are acyclic, it visits the VCs in the order of their numbering, so each turn
// once. With cycles it visits a VC again when new bits arrive. The checker searches from
// one switch at a time and shares no code with this file.
//
// Cost: O(VCs + turns) for acyclic; for a shortest cycle see cdg. The pairs cost
// O(switches with hosts / 64 × turns), a small multiple with cycles, and
// nothing with a tree. 1.1 million turns of 2,560 switches take 1.2 s with the checker,
// and 0.06 s with a tree.

// TurnReport is the result of CheckTurns.
type TurnReport struct {
	Set       *model.TurnSet
	Acyclic   Claim // the turns of the set close no cycle
	Connected Claim // paths of turns of the set lead from each host to each other host

	Ranks []int32      // by VC: a number that every turn increases; nil if there is a cycle
	Cycle []model.VCID // a shortest cycle, smallest VC first; nil if there is none

	Pairs       int64           // ordered pairs of different hosts
	Unreachable int64           // pairs that are not connected
	Lost        [2]model.HostID // the first pair that is not connected, ascending by source; else NoHost

	// Bound is a lower bound on the turns that every set without a cycle prohibits, in turns
	// of the network. Evidence comes from TurnOptions. If 0, there is none. BoundBy is
	// the kind of evidence.
	Bound   int
	BoundBy string

	// Unroutable says that TurnOptions.NoSet shows that no set exists.
	Unroutable bool

	// Certificate holds the evidence that the checker has accepted.
	Certificate *cert.Certificate
}

// TurnOptions are the options of CheckTurns. The zero value is the default.
type TurnOptions struct {
	Inputs []cert.Input // files that the set was read from, for the certificate
	// Tree is a hint: the channel to the parent by switch, NoChannel at the root. If all
	// turns along the tree are allowed on VCs of index 0, the tree is the evidence for
	// connected, and no search runs.
	Tree []model.ChannelID
	// Packing is a list of weighted cycles that shows a lower bound on prohibited turns of the
	// network with one VC (cert.EvidencePacking). May be nil.
	Packing *cert.Packing
	// Steps show the bound Least, together with Packing (cert.EvidenceRefutation). May be empty.
	Steps []int32
	Least int // number of turns
	// Gossip claims the bound that follows from connectedness, instead of that of Packing
	// (cert.EvidenceGossip).
	Gossip bool
	// Closed are channels between switches that no packet takes, ascending. No turn of the set
	// uses them.
	Closed []model.ChannelID
	// NoSet are steps that show that every set closes a cycle or leaves some hosts
	// unconnected (cert.EvidenceNoSet). May be empty.
	NoSet []int32
	// Both says that the set allows a turn if and only if it allows the reverse turn, and that
	// the bound holds for such sets.
	Both bool
}

// CheckTurns decides whether the turns of a set close a cycle, and whether they connect
// all hosts. A packet may start on any VC out of its switch. The independent checker has
// accepted both verdicts; if it rejects one, CheckTurns fails.
func CheckTurns(ctx context.Context, set *model.TurnSet, o TurnOptions) (*TurnReport, error) {
	rep := &TurnReport{Set: set, Lost: [2]model.HostID{model.NoHost, model.NoHost}}
	g := cdg.FromTurns(set)
	if len(o.Closed) > 0 {
		o.Tree = nil
	}
	acyclic, err := turnsAcyclic(ctx, rep, g)
	if err != nil {
		return nil, err
	}
	connected, err := turnsConnected(ctx, rep, g, &o)
	if err != nil {
		return nil, err
	}
	c := &cert.Certificate{Schema: cert.Schema, Claims: []cert.Claim{acyclic, connected}}
	if claim, ok := makeBound(set.Network(), &o); ok {
		rep.Bound, rep.BoundBy = int(*claim.Bound), claim.Evidence
		c.Claims = append(c.Claims, claim)
	}
	if len(o.NoSet) > 0 {
		steps := cert.Ints(o.NoSet)
		c.Claims = append(c.Claims, cert.Claim{Claim: cert.ClaimUnroutable, Verdict: cert.Proved, Evidence: cert.EvidenceNoSet, Steps: &steps})
		rep.Unroutable = true
	}
	c.Subject = cert.Subject{Switching: string(model.Wormhole), Network: makeNetwork(set.Network()), Turns: makeTurns(g, o.Closed),
		Inputs: append([]cert.Input{}, o.Inputs...)}
	if err := cert.Check(c); err != nil {
		return nil, fmt.Errorf("internal error: the checker rejects a verdict: %w", err)
	}
	rep.Certificate = c
	return rep, nil
}

// makeBound returns the claim of a lower bound. It returns false if o asks for none.
func makeBound(n *model.Network, o *TurnOptions) (cert.Claim, bool) {
	claim := cert.Claim{Claim: cert.ClaimLowerBound, Verdict: cert.Proved}
	least := int64(0)
	switch p := o.Packing; {
	case o.Gossip:
		least, claim.Evidence = int64(n.NumLinkChannels())-2*int64(n.NumSwitches())+2, cert.EvidenceGossip
		if o.Both {
			claim.Evidence = cert.EvidenceGossipBoth
		}
	case p != nil && len(o.Steps) > 0:
		steps := cert.Ints(o.Steps)
		least, claim.Evidence, claim.Packing, claim.Steps = int64(o.Least), cert.EvidenceRefutation, p, &steps
		if o.Both {
			claim.Evidence = cert.EvidenceRefutationBoth
		}
	case p != nil && len(p.Weights) > 0:
		sum, by := int64(0), int64(max(p.Denominator, 1)) // the checker rejects other denominators
		for _, w := range p.Weights {
			sum += int64(w)
		}
		least, claim.Evidence, claim.Packing = (sum+by-1)/by, cert.EvidencePacking, p
		if o.Both {
			least, claim.Evidence = 2*least, cert.EvidencePackingBoth
		}
	default:
		return claim, false
	}
	claim.Bound = &least
	return claim, true
}

// makeTurns converts a set of turns into the form of verify/cert.
func makeTurns(g *cdg.Graph, closed []model.ChannelID) *cert.Turns {
	t := &cert.Turns{Next: make(cert.Ints, 0, g.NumVCs()+g.NumDependencies())}
	for v := range model.VCID(g.NumVCs()) {
		t.Next = append(t.Next, int32(len(g.Next(v))))
		for _, w := range g.Next(v) {
			t.Next = append(t.Next, int32(w))
		}
	}
	if len(closed) > 0 {
		t.Closed = &cert.Ints{}
		for _, c := range closed {
			*t.Closed = append(*t.Closed, int32(c)) // the network has one VC per channel
		}
	}
	return t
}

func turnsAcyclic(ctx context.Context, rep *TurnReport, g *cdg.Graph) (cert.Claim, error) {
	ranks, ok := g.Numbering()
	if ok {
		rep.Ranks = ranks
		rep.Acyclic = Claim{Name: cert.ClaimAcyclic, Verdict: Proved, Theorem: theoremNumbering}
		return cert.Claim{Claim: cert.ClaimAcyclic, Verdict: cert.Proved, Evidence: cert.EvidenceNumbering, Ranks: (*cert.Ints)(&ranks)}, nil
	}
	var err error
	if rep.Cycle, err = g.ShortestCycle(ctx); err != nil {
		return cert.Claim{}, err
	}
	rep.Acyclic = Claim{Name: cert.ClaimAcyclic, Verdict: Refuted, Theorem: theoremTurnCycle,
		Reason: fmt.Sprintf("the allowed turns between %d virtual channels close a cycle", len(rep.Cycle))}
	cycle := make(cert.Ints, len(rep.Cycle))
	for i, v := range rep.Cycle {
		cycle[i] = int32(v)
	}
	return cert.Claim{Claim: cert.ClaimAcyclic, Verdict: cert.Refuted, Evidence: cert.EvidenceTurnCycle, Cycle: &cycle}, nil
}

// turnsConnected uses the tree as evidence if possible, otherwise it searches.
func turnsConnected(ctx context.Context, rep *TurnReport, g *cdg.Graph, o *TurnOptions) (cert.Claim, error) {
	hosts := int64(g.Network().NumHosts())
	rep.Pairs = hosts * (hosts - 1)
	pairs := rep.Pairs
	claim := cert.Claim{Claim: cert.ClaimConnected, Verdict: cert.Proved, Evidence: cert.EvidenceTurnTree, Pairs: &pairs}
	rep.Connected = Claim{Name: cert.ClaimConnected, Verdict: Proved, Theorem: theoremTurnTree}
	if tree, ok := makeTreeEvidence(rep.Set, o.Tree); ok {
		claim.Tree = &tree
		return claim, nil
	}
	if err := searchTurns(ctx, rep, g, o.Closed); err != nil {
		return cert.Claim{}, err
	}
	claim.Evidence, rep.Connected.Theorem = cert.EvidenceTurnSearch, theoremTurnSearch
	if rep.Unreachable == 0 {
		return claim, nil
	}
	rep.Connected = Claim{Name: cert.ClaimConnected, Verdict: Refuted, Theorem: theoremTurnUnreached,
		Reason: fmt.Sprintf("%d of %d pairs of source and destination are not connected", rep.Unreachable, rep.Pairs)}
	lost := rep.Unreachable
	claim.Verdict, claim.Evidence, claim.Unreachable, claim.End = cert.Refuted, cert.EvidenceTurnUnreached, &lost, cert.EndNoPath
	claim.Packets = []cert.Packet{{Source: int(rep.Lost[0]), Destination: int(rep.Lost[1]), Class: -1, Path: []int32{}}}
	return claim, nil
}

// turnSearch finds the VCs and switches that packets from up to 64 switches reach.
type turnSearch struct {
	g      *cdg.Graph
	closed []model.ChannelID // ascending
	order  []model.VCID      // ascending by rank; nil if there is a cycle
	onVC   []uint64          // by VC: a bit for each switch whose packets may be on it
	queue  []model.VCID      // used only if there is a cycle
	queued []bool            // by VC: whether it is in queue
}

// searchTurns counts the pairs that are not connected, and records the first.
func searchTurns(ctx context.Context, rep *TurnReport, g *cdg.Graph, closed []model.ChannelID) error {
	n := g.Network()
	s := &turnSearch{g: g, closed: closed, onVC: make([]uint64, g.NumVCs()), queued: make([]bool, g.NumVCs())}
	if rep.Ranks != nil {
		s.order = make([]model.VCID, g.NumVCs())
		for v, rank := range rep.Ranks {
			s.order[rank] = model.VCID(v)
		}
	}
	hosts, sources := make([]int64, n.NumSwitches()), []model.HostID{} // sources: the first host of each switch with hosts
	for h := range model.HostID(n.NumHosts()) {
		u := n.Host(h).Switch
		if hosts[u]++; hosts[u] == 1 {
			sources = append(sources, h)
		}
	}
	reached := make([]uint64, n.NumSwitches())
	for batch := range slices.Chunk(sources, 64) {
		s.propagate(batch, reached)
		if err := ctx.Err(); err != nil {
			return err
		}
		for _, d := range sources {
			to := n.Host(d).Switch
			for lost := ^reached[to] & (1<<len(batch) - 1); lost != 0; lost &= lost - 1 {
				from := batch[bits.TrailingZeros64(lost)]
				rep.Unreachable += hosts[n.Host(from).Switch] * hosts[to]
				if rep.Lost[0] == model.NoHost || from < rep.Lost[0] {
					rep.Lost = [2]model.HostID{from, d}
				}
			}
		}
	}
	return nil
}

// propagate sets bit i of reached[u] if packets from the switch of host from[i] can reach
// switch u. from has up to 64 hosts.
func (s *turnSearch) propagate(from []model.HostID, reached []uint64) {
	n := s.g.Network()
	clear(s.onVC)
	clear(reached)
	for i, h := range from {
		u := n.Host(h).Switch
		reached[u] |= 1 << i
		for _, c := range n.Out(u) {
			if _, closed := slices.BinarySearch(s.closed, c); n.Kind(c) == model.SwitchToSwitch && !closed {
				for k := range n.VCs() {
					s.add(n.VC(c, k), 1<<i)
				}
			}
		}
	}
	for _, v := range s.order {
		for _, w := range s.g.Next(v) {
			s.onVC[w] |= s.onVC[v]
		}
	}
	for i := 0; i < len(s.queue); i++ {
		v := s.queue[i]
		s.queued[v] = false
		for _, w := range s.g.Next(v) {
			s.add(w, s.onVC[v])
		}
	}
	s.queue = s.queue[:0]
	for v, set := range s.onVC {
		c, _ := n.Channel(model.VCID(v))
		reached[n.Head(c)] |= set
	}
}

// add adds the packets of a set to VC v. If there is no order and some packets are new, it
// queues v.
func (s *turnSearch) add(v model.VCID, set uint64) {
	if set&^s.onVC[v] == 0 {
		return
	}
	s.onVC[v] |= set
	if s.order == nil && !s.queued[v] {
		s.queued[v] = true
		s.queue = append(s.queue, v)
	}
}
