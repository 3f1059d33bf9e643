package vlans

import (
	"math/rand/v2"
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/vlan"
)

// This file gives priorities to VLANs such that the VLANs of one priority close no cycle of
// dependencies. A single VLAN never does: it is a tree, and frames do not turn back.
//
// Promise: a result has no cycle. If no result is found, one may still exist. Method: first fit
// with the VLANs in descending number of dependencies, then in random orders.

// prioritiesTries is the number of orders to try.
const prioritiesTries = 50

// Prioritise returns a class from 0 to classes-1 for each VLAN, or false if it finds no solution.
func Prioritise(s *vlan.Set, classes int, seed uint64) (of []int, ok bool) {
	turns := dependencies(s)
	order := make([]int, s.Len())
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return len(turns[b]) - len(turns[a]) })
	random := rand.New(rand.NewPCG(seed, 12))
	for range prioritiesTries {
		if of, ok = firstClasses(s, turns, order, classes); ok {
			return of, true
		}
		random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	}
	return nil, false
}

// firstClasses puts each VLAN into the first class in which it closes no cycle.
func firstClasses(s *vlan.Set, turns [][]model.Turn, order []int, classes int) ([]int, bool) {
	n := s.Network().WithVCs(1)
	graphs := make([]*cdg.Order, classes)
	for i := range graphs {
		graphs[i] = cdg.NewOrder(n, nil)
	}
	of := make([]int, s.Len())
	for _, k := range order {
		of[k] = slices.IndexFunc(graphs, func(g *cdg.Order) bool { return addAll(g, turns[k]) })
		if of[k] < 0 {
			return nil, false
		}
	}
	return of, true
}

// addAll adds all dependencies, or none if they would close a cycle.
func addAll(g *cdg.Order, turns []model.Turn) bool {
	var added []model.Turn
	for _, t := range turns {
		if g.Has(t) {
			continue
		}
		if !g.Add(t) {
			for _, t := range added {
				g.Remove(t)
			}
			return false
		}
		added = append(added, t)
	}
	return true
}

// dependencies returns, by VLAN, the dependencies between channels that its frames cause.
func dependencies(s *vlan.Set) [][]model.Turn {
	n := s.Network().WithVCs(1)
	known := make([]map[model.Turn]bool, s.Len())
	list := make([][]model.Turn, s.Len())
	for h := range model.HostID(n.NumHosts()) {
		for d := range model.HostID(n.NumHosts()) {
			k := s.Use(h, d)
			if k == vlan.None {
				continue
			}
			last := model.NoVC
			for u := n.Host(h).Switch; u != n.Host(d).Switch; {
				c := s.Next(k, u, d)
				v := n.VC(c, 0)
				if t := (model.Turn{In: last, Out: v}); last != model.NoVC && !known[k][t] {
					if known[k] == nil {
						known[k] = map[model.Turn]bool{}
					}
					known[k][t] = true
					list[k] = append(list[k], t)
				}
				last, u = v, n.Head(c)
			}
		}
	}
	return list
}
