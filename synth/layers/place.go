package layers

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
)

// This file gives demands VCs one after the other, so that no dependency cycle arises.
//
// A demand takes the VCs that add the fewest new dependencies. For paths whose VC may change, this is a shortest path
// among pairs of hop and VC. Each dependency is tested for cycles alone. If the dependencies of the best VCs close a
// cycle together, the one that fails is excluded and the search repeats, a few times.

// mostTries is the number of choices of VCs that are tried for one path.
const mostTries = 8

// placer holds demands with their VCs. The dependencies between VCs have no cycle.
type placer struct {
	mode  Mode
	k     int
	net   *model.Network // with k VCs
	order *cdg.Order
	users map[model.Turn]int32
}

func newPlacer(n *model.Network, mode Mode, k int) *placer {
	n = n.WithVCs(k)
	return &placer{mode, k, n, cdg.NewOrder(n, nil), map[model.Turn]int32{}}
}

// turnsOf returns the dependencies of a demand with these VCs, one or one for each hop, that can be part of a cycle.
func (p *placer) turnsOf(d *demand, vcs []int32) (list []model.Turn) {
	for _, t := range d.turns {
		list = append(list, model.Turn{In: p.net.VC(model.ChannelID(t.In), int(vcs[0])), Out: p.net.VC(model.ChannelID(t.Out), int(vcs[0]))})
	}
	for i := range len(d.path) - 1 {
		if p.mode == PerHop || vcs[i] == vcs[i+1] {
			list = append(list, model.Turn{In: p.net.VC(d.path[i], int(vcs[i])), Out: p.net.VC(d.path[i+1], int(vcs[i+1]))})
		}
	}
	return list
}

// put adds a demand with these VCs. If a dependency closes a cycle, put adds nothing and returns it.
func (p *placer) put(d *demand, vcs []int32) (bad model.Turn, ok bool) {
	turns := p.turnsOf(d, vcs)
	for i, t := range turns {
		if p.users[t] == 0 && !p.order.Add(t) {
			for _, t := range turns[:i] {
				if p.users[t]--; p.users[t] == 0 {
					p.order.Remove(t)
				}
			}
			return t, false
		}
		p.users[t]++
	}
	return bad, true
}

// place finds VCs for a demand and adds it. It returns nil if it finds none.
func (p *placer) place(d *demand, random *rand.Rand) []int32 {
	if p.mode.byHop() {
		return p.placePath(d, random)
	}
	type choice struct{ vc, cost int32 }
	list := make([]choice, p.k)
	for v := range list {
		list[v].vc = int32(v)
		for _, t := range p.turnsOf(d, []int32{int32(v)}) {
			if p.users[t] == 0 {
				list[v].cost++
			}
		}
	}
	slices.SortStableFunc(list, func(a, b choice) int { return int(a.cost - b.cost) })
	for _, c := range list {
		if _, ok := p.put(d, []int32{c.vc}); ok {
			return []int32{c.vc}
		}
	}
	return nil
}

const impossible = math.MaxInt32 / 2

// placePath finds VCs for the hops of a path.
func (p *placer) placePath(d *demand, random *rand.Rand) []int32 {
	cost := map[model.Turn]int32{}
	for range mostTries {
		vcs := p.cheapest(d, cost, random)
		if vcs == nil {
			return nil
		}
		bad, ok := p.put(d, vcs)
		if ok {
			return vcs
		}
		cost[bad] = impossible
	}
	return nil
}

// costOf returns 0 for a dependency that exists, 1 for one that may be added, and impossible.
func (p *placer) costOf(t model.Turn, known map[model.Turn]int32) int32 {
	if c, ok := known[t]; ok {
		return c
	}
	c := int32(0)
	if p.users[t] == 0 {
		if c = 1; p.order.Add(t) {
			p.order.Remove(t)
		} else {
			c = impossible
		}
	}
	known[t] = c
	return c
}

// cheapest returns VCs for the hops of a path, such that the sum of costs is least. Ties are broken at random.
func (p *placer) cheapest(d *demand, known map[model.Turn]int32, random *rand.Rand) []int32 {
	last := len(d.path) - 1
	sum := make([][]int32, last+1) // by hop and VC
	by := make([][]int32, last+1)
	for i := range sum {
		sum[i], by[i] = make([]int32, p.k), make([]int32, p.k)
		for w := range sum[i] {
			if i == 0 {
				if p.mode == PerRise && w > 0 {
					sum[i][w] = impossible
				}
				continue
			}
			if sum[i][w] = impossible; p.mode == PerRise && i == last && w < p.k-1 {
				continue
			}
			ties := 0
			for v := range sum[i-1] {
				c := sum[i-1][v]
				if c == impossible || p.mode == PerRise && v > w {
					continue
				}
				if v == w || p.mode == PerHop {
					c += p.costOf(model.Turn{In: p.net.VC(d.path[i-1], v), Out: p.net.VC(d.path[i], w)}, known)
				}
				switch {
				case c > sum[i][w] || c >= impossible:
				case c < sum[i][w]:
					sum[i][w], by[i][w], ties = c, int32(v), 1
				default:
					if ties++; random.IntN(ties) == 0 {
						by[i][w] = int32(v)
					}
				}
			}
		}
	}
	best := int32(slices.Index(sum[last], slices.Min(sum[last])))
	if sum[last][best] >= impossible {
		return nil
	}
	vcs := make([]int32, last+1)
	for i := last; i >= 0; i-- {
		vcs[i] = best
		best = by[i][best]
	}
	return vcs
}
