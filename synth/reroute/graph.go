package reroute

import (
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
)

// This file keeps dependencies that come and go, as long as they have no cycle.

// graph is a multiset of dependencies without a cycle.
type graph struct {
	net    *model.Network
	number map[model.Turn]int32
	turns  []model.Turn
	count  []int32
	order  *cdg.Order
}

func newGraph(n *model.Network) *graph {
	return &graph{net: n, number: map[model.Turn]int32{}, order: cdg.NewOrder(n, nil)}
}

// like returns an empty graph that numbers the dependencies of g as g does.
func (g *graph) like() *graph {
	return &graph{net: g.net, number: g.number, turns: g.turns, count: make([]int32, len(g.turns)), order: cdg.NewOrder(g.net, nil)}
}

// ids returns the numbers of dependencies.
func (g *graph) ids(list []model.Turn) []int32 {
	out := make([]int32, len(list))
	for i, t := range list {
		id, ok := g.number[t]
		if !ok {
			id = int32(len(g.turns))
			g.number[t] = id
			g.turns, g.count = append(g.turns, t), append(g.count, 0)
		}
		out[i] = id
	}
	return out
}

// add adds dependencies. If that closes a cycle, it adds none and returns false.
func (g *graph) add(ids []int32) bool {
	for i, id := range ids {
		if g.count[id] == 0 && !g.order.Add(g.turns[id]) {
			g.remove(ids[:i])
			return false
		}
		g.count[id]++
	}
	return true
}

// mustAdd adds dependencies that were there before, together with all that are there now.
func (g *graph) mustAdd(ids []int32) {
	if !g.add(ids) {
		panic("reroute: dependencies of a state that was acyclic have a cycle")
	}
}

// remove removes dependencies that are there.
func (g *graph) remove(ids []int32) {
	for _, id := range ids {
		if g.count[id]--; g.count[id] == 0 {
			g.order.Remove(g.turns[id])
		}
	}
}

// fresh counts the dependencies that are not there.
func (g *graph) fresh(ids []int32) (k int) {
	for _, id := range ids {
		if g.count[id] == 0 {
			k++
		}
	}
	return k
}

// sortByFew sorts parts by a cost, and parts of the same cost by number.
func sortByFew(list []int, cost []int) {
	slices.SortStableFunc(list, func(a, b int) int { return cost[a] - cost[b] })
}
