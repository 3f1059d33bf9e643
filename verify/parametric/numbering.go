package parametric

import (
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/program"
)

// This file converts ranks for every size into numbers on one network.

// numbering returns the position of each VC between switches in the order of ranks: a
// permutation. With detours, VCs that have no rank or no packets have -1.
func (p *proof) numbering(r model.Relation, sides []int) []int32 {
	n, used := r.Network(), make([]bool, r.Network().NumLinkVCs())
	x := cdg.NewExplorer(r)
	for d := range model.DestID(r.Destinations()) {
		for _, s := range x.Explore(d).States {
			if n.IsLinkVC(s.VC) {
				used[s.VC] = true
			}
		}
	}
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
		if p.detour != nil && (o.rank == nil || !used[o.vc]) {
			given[o.vc] = -1
			continue
		}
		given[o.vc] = next
		next++
	}
	return given
}

// rankAt returns the rank of a VC, or nil if it has none.
func (p *proof) rankAt(n *model.Network, v model.VCID, sides []int) []int64 {
	c, at := p.channelOf(n, v, 0, nil, sides)
	if c.dir == program.NoDir {
		return nil
	}
	return p.ranks.at(c.node(), at)
}
