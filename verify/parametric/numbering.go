package parametric

import (
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/program"
)

// This file turns ranks for every size into numbers on one network.

// numbering gives each VC between switches its place in the order of ranks: a
// permutation, as the checker wants it. With an escape under virtual cut-through the
// other VCs come first.
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

// rankAt is the rank of a VC, nil where it has none.
func (p *proof) rankAt(n *model.Network, v model.VCID, sides []int) []int64 {
	c, at := p.channelOf(n, v, 0, sides)
	if c.dir == program.NoDir {
		return nil
	}
	return p.ranks.at(c.node(), at)
}
