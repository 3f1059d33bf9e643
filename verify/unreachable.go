package verify

import (
	"context"

	"github.com/turnproof/turnproof/internal/encode"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/facts"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/worms"
)

// This file decides whether packets that hold one VC each reach any deadlock from the empty network. Package worms has the
// search (DecidePackets).

// decideUnreachable returns a proof that packets which hold one VC each reach no deadlock. If they reach one, it replaces
// r.Configuration, and returns nil. It also returns nil if the question stays open, and sets r.NotReached to the reason. A schedule is
// one for buffers with several packets, too, but a proof is not.
func (r *Report) decideUnreachable(ctx context.Context) (*cert.Ints, error) {
	n := r.Relation.Network()
	_, isTable := r.Relation.(*model.Table)
	if r.noSearch {
		return nil, nil
	}
	g, err := worms.New(ctx, r.Relation, r.commits)
	if g == nil || err != nil {
		return nil, err
	}
	found, err := g.DecidePackets(ctx)
	switch {
	case err != nil:
		return nil, err
	case found.Deadlock != nil:
		r.setConfiguration(found)
	case found.Proof == nil:
	case r.Multicast() != nil:
		r.NotReached = "no deadlock of unicast packets is reached, and it is open for multicast packets"
	case isTable || r.facts.OnePacket() == facts.False || n.IsInfiniBand():
		r.NotReached = "no deadlock is reached if a VC holds one packet at a time, and a VC may hold several"
	default:
		if r.Switching != model.Wormhole || r.storesWhole() {
			r.DeadlockFree.Premises = append([]string{PremiseAlone}, r.DeadlockFree.Premises...)
		}
		steps := encode.Steps(found.Proof)
		r.Steps = *steps
		return steps, nil
	}
	return nil, nil
}
