package gates

import (
	"context"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/gate"
	"github.com/turnproof/turnproof/verify/cert"
)

// Result is the result of Decide.
type Result struct {
	// Claim is the evidence for deadlock-free. Its Evidence is one of the constants cert.EvidenceGated..., or empty if
	// nothing was decided.
	Claim   cert.Claim
	Packets []*cdg.Packet // packets of a refutation
	Flits   [][]int       // by packet: its flits by place of the path
	Left    int           // VCs that the rounds do not exclude
}

// Decide decides whether packets can block each other. accepted reports whether the checker accepts a refutation.
func Decide(ctx context.Context, r model.Relation, s *gate.Setup, accepted func(cert.Claim) bool) (*Result, error) {
	g, err := collect(ctx, r, oneEach(s))
	if err != nil {
		return nil, err
	}
	rounds := g.exclude(nil, nil)
	result := &Result{Left: rounds.countLeft()}
	if result.Left == 0 {
		result.Claim = rounds.claim(cert.EvidenceGatedOrder)
		return result, nil
	}
	if s.Late {
		return result, nil
	}
	placed, err := g.placeAll(ctx, r, accepted)
	if placed != nil || err != nil {
		return placed, err
	}
	found, known, err := g.findRun(ctx, r, rounds)
	switch {
	case err != nil:
		return nil, err
	case found != nil:
		found.sortByLastHop()
		result.Claim, result.Packets, result.Flits = found.claim(), found.packets, found.flits
	case known && !splitsAtHosts(s, r.Network()):
		result.Claim = rounds.claim(cert.EvidenceGatedStates)
	}
	return result, nil
}

// placeAll returns a refutation by packets that arrive one after the other, or nil.
func (g *subject) placeAll(ctx context.Context, r model.Relation, accepted func(cert.Claim) bool) (*Result, error) {
	if g.sizes.Stores {
		return placeWhole(ctx, r, g.sizes)
	}
	c, err := g.configure(ctx, r, func(c *configuration) bool { return c.sortByArrival(g) && accepted(c.claim()) })
	if c == nil || err != nil {
		return nil, err
	}
	return &Result{Claim: c.claim(), Packets: c.packets, Flits: c.flits}, nil
}

// splitsAtHosts reports whether a host can have several packets that lie partly in the network: gates by flit hold back the rest of
// a packet on each VC of the host's channel. The states have one such packet for each host, so they prove nothing then.
func splitsAtHosts(s *gate.Setup, n *model.Network) bool {
	return s.Rule.Unit == gate.Flit && n.VCs() > 1
}

// claim returns the rounds as a claim for the checker. What they do not exclude has round -1.
func (r *exclusion) claim(evidence string) cert.Claim {
	for v := range r.ranks {
		if r.taken[v] {
			r.ranks[v] = -1
		}
		if r.set[v] {
			r.clear[v] = -1
		}
	}
	return cert.Claim{Evidence: evidence, Ranks: (*cert.Ints)(&r.ranks), Clear: (*cert.Ints)(&r.clear)}
}
