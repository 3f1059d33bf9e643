package worms

import "slices"

// This file restricts a Graph to some VCs.

// subgraph is the states of a Graph on some VCs. A state of which a next VC is left out, and does not commit,
// cannot be that of a waiting head.
type subgraph struct {
	*Graph
	number []int32 // by state: its number in the whole graph
	work   int64   // literals that findWorms has propagated
}

// part returns the states on the VCs that within marks.
func (g *Graph) part(within []bool) *subgraph {
	p := &subgraph{Graph: &Graph{network: g.network, canHold: g.canHold}}
	for v, is := range within {
		if is {
			p.number = append(p.number, g.on[v]...)
		}
	}
	slices.Sort(p.number)
	place := make(map[int32]int32, len(p.number))
	for k, i := range p.number {
		place[i] = int32(k)
	}
	for k, i := range p.number {
		p.First = append(p.First, int32(len(p.To)))
		leaves := g.leaves[i]
		for _, j := range g.edges(i) {
			if to, inside := place[j]; inside {
				p.To, p.from = append(p.To, to), append(p.from, int32(k))
			} else {
				leaves = true
			}
		}
		p.states, p.source = append(p.states, g.states[i]), append(p.source, g.source[i])
		p.leaves, p.commits = append(p.leaves, leaves), append(p.commits, g.commits[i])
	}
	p.index()
	return p
}

// whole returns the numbers of states in the whole graph.
func (p *subgraph) whole(states []int32) (list []int32) {
	for _, i := range states {
		list = append(list, p.number[i])
	}
	return list
}
