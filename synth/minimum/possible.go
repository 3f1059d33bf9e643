package minimum

import (
	"context"
	"time"

	"github.com/turnproof/turnproof/model"
)

// This file asks whether any set closes no cycle and joins all hosts while some channels are
// closed. With all channels open, the turns of a spanning tree are such a set. With one-way links
// there may be none. A set exists only if an in-tree and an out-tree with a common root share no
// channel. To decide this is NP-complete (O. Mendlovic and Y. Matias, arXiv 2503.04583, 2025).
// U-turns can be ignored: a packet that takes a channel after a U-turn can take the same channel
// before it.

// Possible is the result of FindPossible: a set, or steps in the format of cert.EvidenceNoSet that
// show that there is none. All fields are nil if the time was too short.
type Possible struct {
	Allowed *model.TurnSet // turns of the network with one VC
	Ranks   []int32        // by channel: ranks by which all allowed turns rise
	NoSet   []int32
}

// FindPossible searches for a set without the closed channels. limit defaults to 10 s.
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
