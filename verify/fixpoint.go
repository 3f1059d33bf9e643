package verify

import (
	"context"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/hold"
	"github.com/turnproof/turnproof/verify/waits"
)

// This file decides deadlock freedom under virtual cut-through and store-and-forward
// exactly, also for adaptive relations.
//
// A deadlock configuration is a set K of VCs. Each VC of K can hold a reachable,
// waiting packet all of whose permitted next VCs are in K (J. Duato, IEEE Transactions on
// Parallel and Distributed Systems 7(8), 1996). The greatest K is found by
// elimination. A VC is eliminated if each waiting state on it permits an ejection channel
// or an eliminated VC. The relation is deadlock-free if and only if K is empty. Then
// the order of elimination is the evidence.
//
// A state that commits (model.WaitOne) is one waiting state for each of its next hops,
// with this hop alone. It blocks its VC if any of its next VCs is in K.
//
// Premises: see switchingPremises. A state without a next VC waits for nothing.
// Cost: O(reachable states × hops), the states of one destination at a time.
// Memory: an entry, with the path of one packet, for each different pair of a VC and a set
// of next VCs. There are far fewer pairs than states.

// runElimination decides the relation of a report. If it is deadlock-free, it returns ranks by VC. Otherwise it
// returns the packets of a deadlock configuration, ascending by the VC that they wait on, and
// the VC that each has chosen.
func runElimination(ctx context.Context, rep *Report, m *model.Multicast) (ranks []int32, config []*cdg.Packet, chosen []model.VCID, err error) {
	r := rep.Relation
	n := r.Network().NumLinkVCs()
	w, err := waits.Collect(ctx, r, rep.commits, rep.step("collecting what packets wait for", len(cdg.Groups(r))))
	if err != nil {
		return nil, nil, nil, err
	}
	if err := w.AddCopies(ctx, r, m); err != nil {
		return nil, nil, nil, err
	}
	order, left := w.Eliminate(n)
	if len(order) == n {
		return hold.Ranks(order, n), nil, nil, nil
	}
	config, chosen = w.Configuration(r.Network(), left)
	if few, ofFew := w.OnCycle(r.Network(), rep.Cycle); few != nil && len(few) < len(config) {
		config, chosen = few, ofFew
	}
	if rep.commits == nil {
		chosen = nil
	}
	return nil, config, chosen, nil
}
