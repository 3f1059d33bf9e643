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

// This file decides what is claimed of a set of turns: whether those that are
// allowed close a cycle, and whether some way of them joins each pair of hosts.
//
// The pairs are searched from 64 switches at a time, a bit for each, along the
// VCs in the order of their numbering, so that each turn is looked at once. With
// a cycle there is no such order, and a VC is looked at again when more bits come.
// (The checker searches from one switch at a time, and shares no code with this.)
// Cost: O(VCs + turns) for the verdict on cycles, but for a shortest cycle, see
// cdg; O(switches with hosts / 64 × turns) for the pairs, times some small number
// if there are cycles; nothing of the kind with a tree. With the checker 1.2 s for
// 1.1 million turns of 2,560 switches, and 0.06 s with a tree.

// TurnReport is what CheckTurns found.
type TurnReport struct {
	Set       *model.TurnSet
	Acyclic   Claim // no turns of the set close a cycle
	Connected Claim // a way of turns of the set leads from each host to each other

	Ranks []int32      // by VC, what every turn raises; nil if there is a cycle
	Cycle []model.VCID // a shortest one, its smallest VC first; nil if there is none

	Pairs       int64           // ordered, of different hosts
	Unreachable int64           // those that are not connected
	Lost        [2]model.HostID // the first of these, ascending by source; NoHost if there is none

	// Bound is how many turns of the network every set without a cycle prohibits at
	// least, as TurnOptions.Packing shows; 0: none was given. BoundBy is the kind of
	// evidence in its claim.
	Bound   int
	BoundBy string

	// Unroutable: TurnOptions.NoSet shows that there is no set at all.
	Unroutable bool

	// Certificate holds the evidence; the checker has accepted it.
	Certificate *cert.Certificate
}

// TurnOptions of CheckTurns; the zero value is the default.
type TurnOptions struct {
	Inputs []cert.Input // files that the set was read from, for the certificate
	// Tree is a hint: by switch the channel to its parent, NoChannel at the
	// root. If all turns along it are allowed on VCs of index 0, then it is the
	// evidence for connected, and nothing is searched.
	Tree []model.ChannelID
	// Packing, if it is not nil, is weighted cycles that show a lower bound on prohibited
	// turns, in terms of the network with one VC; see cert.EvidencePacking.
	Packing *cert.Packing
	// Steps, if there are some, show with Packing the bound Least, see
	// cert.EvidenceRefutation.
	Steps []int32
	Least int // turns
	// Gossip claims the bound of connectedness alone in place of that of Packing; see
	// cert.EvidenceGossip.
	Gossip bool
	// Closed are channels between switches that no packet takes, ascending; none of the set's
	// turns has one.
	Closed []model.ChannelID
	// NoSet, if there are some, are steps that show that every set closes a cycle or leaves
	// hosts unconnected, see cert.EvidenceNoSet.
	NoSet []int32
	// Both says that the set allows a turn together with its reverse or not at all, and
	// that the bound is one for such sets.
	Both bool
}

// CheckTurns decides whether the turns of a set close a cycle, and whether they
// join all hosts. A packet may start by any VC out of its switch. As with Check,
// the independent checker has accepted both verdicts.
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
	if claim, ok := bound(set.Network(), &o); ok {
		rep.Bound, rep.BoundBy = int(*claim.Bound), claim.Evidence
		c.Claims = append(c.Claims, claim)
	}
	if len(o.NoSet) > 0 {
		steps := cert.Ints(o.NoSet)
		c.Claims = append(c.Claims, cert.Claim{Claim: cert.ClaimUnroutable, Verdict: cert.Proved, Evidence: cert.EvidenceNoSet, Steps: &steps})
		rep.Unroutable = true
	}
	c.Subject = cert.Subject{Switching: string(model.Wormhole), Network: network(set.Network()), Turns: turns(g, o.Closed), Inputs: append([]cert.Input{}, o.Inputs...)}
	if err := cert.Check(c); err != nil {
		return nil, fmt.Errorf("verify: internal error, the checker rejects a verdict: %w", err)
	}
	rep.Certificate = c
	return rep, nil
}

// bound makes the claim of a lower bound, if one is asked for.
func bound(n *model.Network, o *TurnOptions) (cert.Claim, bool) {
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
		sum, by := int64(0), int64(max(p.Denominator, 1)) // what is wrong with it the checker says
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

// turns writes a set of turns down in the terms of verify/cert.
func turns(g *cdg.Graph, closed []model.ChannelID) *cert.Turns {
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

// turnsConnected tries the tree, and else searches.
func turnsConnected(ctx context.Context, rep *TurnReport, g *cdg.Graph, o *TurnOptions) (cert.Claim, error) {
	hosts := int64(g.Network().NumHosts())
	rep.Pairs = hosts * (hosts - 1)
	pairs := rep.Pairs
	claim := cert.Claim{Claim: cert.ClaimConnected, Verdict: cert.Proved, Evidence: cert.EvidenceTurnTree, Pairs: &pairs}
	rep.Connected = Claim{Name: cert.ClaimConnected, Verdict: Proved, Theorem: theoremTurnTree}
	if tree, ok := fitTree(rep.Set, o.Tree); ok {
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

// turnSpread is how far packets from up to 64 switches come.
type turnSpread struct {
	g      *cdg.Graph
	closed []model.ChannelID // ascending
	order  []model.VCID      // ascending by rank; nil if there is a cycle
	onVC   []uint64          // by VC: a bit for each of the switches whose packets may be on it
	queue  []model.VCID      // only where there is a cycle
	in     []bool            // by VC: is in queue
}

// searchTurns counts the pairs that are not connected, and notes the first.
func searchTurns(ctx context.Context, rep *TurnReport, g *cdg.Graph, closed []model.ChannelID) error {
	n := g.Network()
	s := &turnSpread{g: g, closed: closed, onVC: make([]uint64, g.NumVCs()), in: make([]bool, g.NumVCs())}
	if rep.Ranks != nil {
		s.order = make([]model.VCID, g.NumVCs())
		for v, rank := range rep.Ranks {
			s.order[rank] = model.VCID(v)
		}
	}
	hosts, sources := make([]int64, n.NumSwitches()), []model.HostID{} // of each switch with hosts the first
	for h := range model.HostID(n.NumHosts()) {
		u := n.Host(h).Switch
		if hosts[u]++; hosts[u] == 1 {
			sources = append(sources, h)
		}
	}
	reached := make([]uint64, n.NumSwitches())
	for batch := range slices.Chunk(sources, 64) {
		s.spread(batch, reached)
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

// spread finds, for packets from the switches of up to 64 hosts, which switches
// they can come to: a bit for each host in reached.
func (s *turnSpread) spread(from []model.HostID, reached []uint64) {
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
		s.in[v] = false
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

// add lets the packets of a set come to VC v; if there is no order, v is queued
// if some of them are new.
func (s *turnSpread) add(v model.VCID, set uint64) {
	if set&^s.onVC[v] == 0 {
		return
	}
	s.onVC[v] |= set
	if s.order == nil && !s.in[v] {
		s.in[v] = true
		s.queue = append(s.queue, v)
	}
}
