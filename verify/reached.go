package verify

import (
	"context"
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/facts"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/reach"
	"github.com/turnproof/turnproof/verify/worms"
)

// This file decides whether packets that hold one VC each reach a deadlock from the empty network, and in which
// order they move. Under wormhole switching with longer packets package worms does the same.
//
// First the packets stay on the paths that the evidence has. Then they may take any paths. If neither brings them to
// their places together, package worms looks for other deadlocks.
//
// Promise: a schedule takes the packets of Configuration to their places. docs/theorems/reached.md has the model.
// Cost: a search over sets of places, at most reach.MaxVisits; usually each packet goes back once.

// findSchedule looks for moves that bring the packets of r.Configuration to their places. If it finds some, it sets
// r.Schedule, and replaces the paths of the packets if it must.
func (r *Report) findSchedule(ctx context.Context) (reach.Answer, error) {
	n := r.Relation.Network()
	paths, holds := make([][]int32, len(r.Configuration)), make([]int, len(r.Configuration))
	for i, p := range r.Configuration {
		holds[i] = 1
		for _, s := range p.Path[1:] {
			paths[i] = append(paths[i], int32(s.VC))
		}
	}
	along, places := reach.Along(n.NumLinkVCs(), paths, holds)
	copied := false
	for i, places := range places {
		if p := r.Configuration[i]; p.Group > 0 {
			if copied = true; along.Clear == nil {
				along.Clear = make([][]int32, len(along.VC))
			}
			r.clearFor(along, i, int(places[0])-len(p.Path)+2)
		}
	}
	if way := reach.Search(ctx, along, places, reach.MaxVisits); way.Answer == reach.Yes {
		r.setSchedule(way.Moves)
		return reach.Yes, nil
	}
	if copied {
		r.NotReached = "the multicast packets do not come together on the paths shown if their other copies are delivered first"
		return reach.Open, nil
	}
	g, err := r.statesOfConfiguration(ctx)
	if g == nil || err != nil {
		r.NotReached = "the packets do not come together on the paths shown, and the states are too many to search for others"
		return reach.Open, err
	}
	found, answer := g.Schedule(ctx, r.Configuration, r.Chosen)
	switch answer {
	case reach.Yes:
		r.setConfiguration(found)
	case reach.No:
		r.NotReached = "these packets do not come together, and it is open whether others do"
	default:
		r.NotReached = "the search for moves that bring the packets together has reached its limit"
	}
	return answer, ctx.Err()
}

// statesOfConfiguration returns the states of packets to the destinations of r.Configuration, or nil if they are
// too many.
func (r *Report) statesOfConfiguration(ctx context.Context) (*worms.Graph, error) {
	wanted := map[model.DestID]bool{}
	for _, p := range r.Configuration {
		wanted[p.Dest] = true
	}
	groups := slices.DeleteFunc(cdg.Groups(r.Relation), func(g cdg.Group) bool {
		return !slices.ContainsFunc(g.Dests, func(d model.DestID) bool { return wanted[d] })
	})
	return worms.NewOf(ctx, r.Relation, r.commits, groups)
}

// setSchedule notes that a run reaches the deadlock, by some moves of its packets. Buffers that hold several packets must be
// equal then: as many packets go along each path as a buffer holds (docs/theorems/reached.md).
func (r *Report) setSchedule(moves []int32) {
	if r.facts.EqualBuffers() == facts.False && r.facts.OnePacket() != facts.True {
		r.NotReached = "the moves of the packets need buffers of the same size; " + r.facts.Text()
		return
	}
	reached := true
	r.Schedule, r.Reached, r.NotReached = moves, &reached, ""
}

// setConfiguration replaces the packets by those of a deadlock of packets that hold one VC each.
func (r *Report) setConfiguration(v worms.Verdict) {
	r.Configuration = nil
	chosen := r.Chosen != nil
	r.Chosen = nil
	for _, w := range v.Deadlock {
		r.Configuration = append(r.Configuration, w.Packet)
		if chosen {
			r.Chosen = append(r.Chosen, w.Chosen)
		}
	}
	r.setSchedule(v.Schedule)
}

// reachedClaim returns the claim that a run reaches the deadlock.
func (r *Report) reachedClaim() cert.Claim {
	return cert.Claim{Claim: cert.ClaimReached, Verdict: cert.Proved, Evidence: cert.EvidenceMoves, Moves: (*cert.Ints)(&r.Schedule)}
}
