package worms

import (
	"cmp"
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
)

// This file decides whether a relation has an escape at all, of any hops in any states.
//
// An elimination finds out. A VC is eliminated if no packet on it needs the VCs that are left: from each
// state on it, every further state of the packet permits ejection or a hop to an eliminated VC. A state
// that commits permits no other hops. If all VCs are eliminated, number them backwards. Each state
// has a hop to ejection, or to a VC whose number is greater than those of all VCs that lead to the state.
// These are the escape hops. Conversely, an escape lets the elimination take its VCs by descending rank, then the others.
//
// Promise: an escape, if there is one. A relation with a state without hops has none.
// Cost: O(states × hops) for each round of elimination. Rounds are few in practice, and at most as many as VCs.

// Escape returns an escape of the relation, with the ranks of its VCs, or nil.
func (g *Graph) Escape() ([]int32, cdg.Escape) {
	if g.drops {
		return nil, nil
	}
	rank := g.eliminateVCs()
	if rank == nil {
		return nil, nil
	}
	most := g.greatestBefore(rank)
	at := map[model.State]int32{}
	for i, s := range g.states {
		at[s] = most[i]
	}
	links := model.VCID(len(rank))
	escape := func(s model.State, h model.Hop) bool {
		if h.VC >= links {
			return false
		}
		s.Dest = g.like[s.Dest]
		before, inside := at[s]
		return !inside || rank[h.VC] > before // all hops of injection are escape hops
	}
	return g.usedRanks(rank, most), escape
}

// eliminateVCs returns a rank for each VC: the first eliminated VC has the greatest one. If some VCs are left, it
// returns nil.
func (g *Graph) eliminateVCs() []int32 {
	rank := make([]int32, len(g.on))
	for v := range rank {
		rank[v] = -1
	}
	for left := len(rank); left > 0; {
		stuck := g.markStuck(rank)
		var gone []model.VCID
		for v, states := range g.on {
			if rank[v] < 0 && !slices.ContainsFunc(states, func(i int32) bool { return stuck[i] }) {
				gone = append(gone, model.VCID(v))
			}
		}
		if len(gone) == 0 {
			return nil
		}
		for _, v := range gone {
			left--
			rank[v] = int32(left)
		}
	}
	return rank
}

// markStuck marks the states from which a packet can reach a state without a hop to ejection or a ranked VC.
func (g *Graph) markStuck(rank []int32) []bool {
	stuck := make([]bool, len(g.states))
	var todo []int32
	for i := range stuck {
		edges := g.edges(int32(i))
		isLeft := func(to int32) bool { return rank[g.states[to].VC] < 0 }
		isGone := func(to int32) bool { return !isLeft(to) }
		if g.commits[i] && slices.ContainsFunc(edges, isLeft) || !g.commits[i] && !g.leaves[i] && !slices.ContainsFunc(edges, isGone) {
			stuck[i] = true
			todo = append(todo, int32(i))
		}
	}
	for len(todo) > 0 {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, e := range g.edgesInto(i) {
			if from := g.from[e]; !stuck[from] {
				stuck[from] = true
				todo = append(todo, from)
			}
		}
	}
	return stuck
}

// greatestBefore returns, by state, the greatest rank of a VC from which a packet can reach the state; that of its own
// VC is one of them.
func (g *Graph) greatestBefore(rank []int32) []int32 {
	most := make([]int32, len(g.states))
	order := make([]int32, len(g.states))
	for i := range most {
		most[i], order[i] = -1, int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int { return cmp.Compare(rank[g.states[b].VC], rank[g.states[a].VC]) })
	var todo []int32
	for _, i := range order {
		if most[i] >= 0 {
			continue
		}
		at := rank[g.states[i].VC]
		most[i], todo = at, append(todo, i)
		for len(todo) > 0 {
			k := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			for _, to := range g.edges(k) {
				if most[to] < 0 {
					most[to], todo = at, append(todo, to)
				}
			}
		}
	}
	return most
}

// usedRanks renumbers the ranks of VCs that escape hops lead to as 0, 1, ...; the others have -1.
func (g *Graph) usedRanks(rank, most []int32) []int32 {
	used := make([]bool, len(rank))
	for e, to := range g.To {
		if v := g.states[to].VC; rank[v] > most[g.from[e]] {
			used[v] = true
		}
	}
	for i, s := range g.states {
		if g.source[i].VC != model.NoVC {
			used[s.VC] = true
		}
	}
	var list []int32 // VCs by rank
	for v := range rank {
		if used[v] {
			list = append(list, int32(v))
		}
	}
	slices.SortFunc(list, func(a, b int32) int { return cmp.Compare(rank[a], rank[b]) })
	ranks := make([]int32, len(rank))
	for v := range ranks {
		ranks[v] = -1
	}
	for k, v := range list {
		ranks[v] = int32(k)
	}
	return ranks
}
