package queues

import (
	"context"
	"math/rand/v2"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
)

// This file searches.

// The search makes rounds of walks in each region. Work is the number of VCs and packets that are looked at.
const (
	rounds    = 5
	walks     = 6
	firstWork = 20_000 // of a walk in the first round; four times as much in each further round
	mostShare = 8      // regions that need this share of the work of a walk to be filled are left for later rounds
	totalWork = 30_000_000
)

// Find returns a run of packets into a deadlock, or nil.
func Find(ctx context.Context, r model.Relation, s *Setup, graph *cdg.Graph) (*Result, error) {
	x := newRoutes(r, s.Commits)
	var list []*region
	for _, vcs := range regions(graph) {
		g, err := x.newRegion(ctx, vcs)
		if err != nil {
			return nil, err
		}
		if len(g.starts) > 0 {
			list = append(list, g)
		}
	}
	left := totalWork
	for round := range uint64(rounds) {
		most := firstWork << (2 * round)
		for i, g := range list {
			if s.toFill(g) > mostShare*most && round+1 < rounds {
				continue
			}
			for k := range uint64(walks) {
				if err := ctx.Err(); err != nil || left <= 0 {
					return nil, err
				}
				w := newWalk(newRun(r.Network(), s), g, rand.New(rand.NewPCG(round*walks+k, uint64(i))))
				b := w.search(min(left, most+s.toFill(g)))
				if left -= w.work; b == nil {
					continue
				}
				if b = b.fewest(); b != nil {
					return b.result(), nil
				}
			}
		}
	}
	return nil, nil
}

// toFill returns about the work of a walk that fills the VCs of a region.
func (s *Setup) toFill(g *region) int {
	flits := 0
	for _, v := range g.vcs {
		flits += s.Buffers[int(v)*len(s.Buffers)/len(g.in)]
	}
	return (flits/s.Packet + 2*len(g.vcs)) * len(g.vcs) / 4
}
