package parametric

import (
	"slices"

	"turnproof/model"
	"turnproof/model/program"
)

// This file turns ranks for every size into numbers on one network.

// numbering gives each VC between switches its place in the order of ranks: a
// permutation, as the checker wants it. With an escape under virtual cut-through the
// other VCs come first; under wormhole switching they get -1.
func (p *proof) numbering(n *model.Network, sides []int) []int32 {
	type numbered struct {
		vc   model.VCID
		rank []int64
	}
	order := make([]numbered, 0, n.NumLinkVCs())
	for v := range model.VCID(n.NumLinkVCs()) {
		order = append(order, numbered{v, p.rankAt(n, v, sides)})
	}
	slices.SortStableFunc(order, func(a, b numbered) int { return slices.Compare(a.rank, b.rank) })
	given, next := make([]int32, len(order)), int32(0)
	for _, o := range order {
		if o.rank == nil && p.detour != nil {
			given[o.vc] = -1
			continue
		}
		given[o.vc] = next
		next++
	}
	return given
}

// rankAt is the rank of a VC, nil where it has none.
func (p *proof) rankAt(n *model.Network, v model.VCID, sides []int) []int64 {
	c, at := p.channelOf(n, v, 0, sides)
	if c.dir == program.NoDir {
		return nil
	}
	tuple, ok := p.ranks[c.node()]
	if !ok {
		return nil
	}
	rank := make([]int64, len(tuple))
	for i, f := range tuple {
		rank[i] = f.at(at)
	}
	return rank
}
