package minimum

import (
	"context"
	"time"

	"github.com/turnproof/turnproof/model"
)

// This file asks whether there is any set at all that closes no cycle and joins all hosts, where
// some channels are closed. With all channels open the turns of a spanning tree are one. With
// one-way links there may be none: there must be an in-tree and an out-tree with a common root
// that share no channel, and to decide about that is NP-complete (O. Mendlovic and Y. Matias, arXiv
// 2503.04583, 2025). U-turns need not be looked at: what goes on by a channel after one may as well
// go on by it before.

// Possible is what was found: a set, or steps that show that there is none, as cert.EvidenceNoSet
// says; neither, if the time was too short.
type Possible struct {
	Allowed *model.TurnSet // of the network with one VC
	Ranks   []int32        // by channel: what its turns raise
	NoSet   []int32
}

// FindPossible looks for a set with some channels closed. Time 0: 10 s.
func FindPossible(ctx context.Context, n *model.Network, closed []model.ChannelID, limit time.Duration) (*Possible, error) {
	if limit == 0 {
		limit = 10 * time.Second
	}
	short, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	x := newInstance(n, closed...)
	d := x.newDecider(len(x.turns), &Packing{Denominator: denominator}, true, func(int32) bool { return false })
	switch d.decide(short, func() bool { return false }) {
	case found:
		rank := d.ranks()
		return &Possible{Allowed: x.set(rank), Ranks: rank}, nil
	case refuted:
		return &Possible{NoSet: d.proof.written(d)}, nil
	}
	return &Possible{}, ctx.Err()
}
