package verify

import (
	"context"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/internal/parallel"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/waits"
)

// This file gives the states of a relation to verify/cert in blocks, which are made when they are asked for.

// blocks implements cert.Blocks.
type blocks struct {
	ctx     context.Context
	rel     model.Relation
	groups  []cdg.Group            // of each orbit, the first
	commits func(model.State) bool // if nil, the blocks have no list of commits
	escape  cdg.Escape             // if nil, the blocks have no list of escape hops
	early   *cert.Early            // what the checker found in the states during the exploration; nil before it or without it
	step    func() func()          // begins a step of progress, and returns what to call for each block
}

func newBlocks(ctx context.Context, r model.Relation) *blocks {
	return &blocks{ctx: ctx, rel: r, groups: cdg.Groups(r)}
}

// Each implements cert.Blocks. With one worker the blocks come in the order of the groups.
func (b *blocks) Each(workers int, visit func(worker int, block *cert.Block) error) error {
	list, done := make([]cert.Block, workers), b.step()
	return cdg.EachGroup(b.ctx, b.rel, workers, b.groups, func(w int, group *cdg.Group, s *cdg.Space) error {
		b.fill(&list[w], group.Dests, s)
		done()
		return visit(w, &list[w])
	})
}

// fill makes c the block of a group, given the states of its first destination.
func (b *blocks) fill(c *cert.Block, group []model.DestID, s *cdg.Space) {
	*c = cert.Block{Destinations: c.Destinations[:0], VCs: c.VCs[:0], Classes: c.Classes[:0], Counts: c.Counts[:0], Hops: c.Hops[:0],
		HopClasses: c.HopClasses[:0], Commits: c.Commits[:0], Escape: c.Escape[:0]}
	for _, d := range group {
		c.Destinations = append(c.Destinations, int32(d))
	}
	several := b.rel.Classes() > 1
	home := b.rel.Network().VC(b.rel.Network().EjectChannel(b.rel.DestinationHost(s.Dest)), 0)
	for i, at := range s.States {
		hops, next := s.HopsOf(i)
		c.VCs, c.Counts = append(c.VCs, int32(at.VC)), append(c.Counts, int32(len(hops)))
		if several {
			c.Classes = append(c.Classes, int32(at.Class))
		}
		if b.commits != nil {
			c.Commits = append(c.Commits, flag(waits.IsChoice(hops) && b.commits(at)))
		}
		for k, h := range hops {
			vc := int32(h.VC)
			if next[k] == cdg.Delivered && h.VC == home {
				vc = cert.Home
			}
			c.Hops = append(c.Hops, vc)
			if several {
				c.HopClasses = append(c.HopClasses, int32(h.Class))
			}
			if b.escape != nil {
				c.Escape = append(c.Escape, flag(b.escape(at, h)))
			}
		}
	}
	if len(group) > 1 {
		b.addOwn(c, group)
	}
}

// addOwn adds the states of packets from the host of the first destination to the other ones.
func (b *blocks) addOwn(c *cert.Block, group []model.DestID) {
	own := b.rel.DestinationHost(group[0])
	if int(own) >= b.rel.Sources() {
		return
	}
	for _, k := range b.rel.Inject(own, group[1], nil) {
		at := model.InjectState(b.rel, own, group[1], k)
		c.VCs, c.Counts, c.Hops = append(c.VCs, int32(at.VC)), append(c.Counts, 1), append(c.Hops, cert.Home)
		if b.rel.Classes() > 1 {
			c.Classes, c.HopClasses = append(c.Classes, int32(k)), append(c.HopClasses, int32(k))
		}
		if b.commits != nil {
			c.Commits = append(c.Commits, 0)
		}
		if b.escape != nil {
			c.Escape = append(c.Escape, 0)
		}
	}
}

func flag(is bool) int32 {
	if is {
		return 1
	}
	return 0
}

// eachGroup calls visit with the states of each group of destinations, from several goroutines.
func eachGroup(ctx context.Context, r model.Relation, visit func(worker int, s *cdg.Space) error) error {
	groups := cdg.Groups(r)
	return cdg.EachGroup(ctx, r, parallel.Workers(len(groups)), groups, func(w int, _ *cdg.Group, s *cdg.Space) error {
		return visit(w, s)
	})
}
