package synth

import (
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
)

// This file collects the starts for the search of minimum by an objective: the sets of the
// published methods, and the turns that the named routings use.
//
// The result of the search is no worse than any start that respects the kept and prohibited turns,
// since each start is measured unchanged.

// start is a numbering of the channels. Its set contains all turns that rise, unless set is not
// nil.
type start struct {
	rank []int32
	set  *model.TurnSet
}

// startOf returns the start of an acyclic set, and false if the set has a cycle. If possible, the
// numbering falls along each prohibited turn, so that exactly the allowed turns rise.
func startOf(set *model.TurnSet) (start, bool) {
	if rank, ok := exactRanks(set); ok {
		return start{rank, set}, true
	}
	rank, ok := cdg.FromTurns(set).Numbering()
	return start{rank, set}, ok
}

// exactRanks returns a numbering that rises along the allowed turns and falls along the prohibited
// ones, and false if there is none.
func exactRanks(set *model.TurnSet) ([]int32, bool) {
	n := set.Network().NumLinkVCs()
	next, before := make([][]model.VCID, n), make([]int, n)
	for t := range model.Turns(set.Network(), false) {
		if !set.Has(t) {
			t.In, t.Out = t.Out, t.In
		}
		next[t.In] = append(next[t.In], t.Out)
		before[t.Out]++
	}
	var ready []model.VCID
	for v := range before {
		if before[v] == 0 {
			ready = append(ready, model.VCID(v))
		}
	}
	rank := make([]int32, n)
	for i := 0; i < len(ready); i++ {
		rank[ready[i]] = int32(i)
		for _, v := range next[ready[i]] {
			if before[v]--; before[v] == 0 {
				ready = append(ready, v)
			}
		}
	}
	return rank, len(ready) == n
}

// published returns the starts from the published methods, without their last pass that releases
// turns, and from the named routings. The methods with trees count twice, with trees that are searched by the objective.
func (w *work) published(want *wanted) (list []start, err error) {
	sets, err := w.namedSets()
	if err != nil {
		return nil, err
	}
	for _, m := range methods {
		if m.Searches || w.net.NumSwitches() > mostStarts && m.Name != "updown" {
			continue
		}
		made, err := New(w.ctx, m.Name, w.net, Options{Seed: w.o.Seed, Traffic: w.o.Traffic})
		if err != nil {
			return nil, err
		}
		sets = append(sets, made.Allowed)
	}
	loads, err := w.traffic()
	if err != nil {
		return nil, err
	}
	trees, err := w.treeStarts(func(own *work, set *model.TurnSet) ([]float64, error) {
		j := &judge{ctx: own.ctx, o: want.objective, d: own.demand, loads: loads, stretch: own.o.Stretch}
		return j.values(set, nil)
	}, Options{Seed: w.o.Seed, Traffic: w.o.Traffic})
	if err != nil {
		return nil, err
	}
	sets = append(sets, trees...)
	for i, set := range sets {
		s, ok := startOf(set)
		if ok && !slices.ContainsFunc(sets[:i], set.Equal) {
			list = append(list, s)
		}
	}
	return list, nil
}

// namedSets returns the turns that the named routings use on the network with one VC. Routings by
// dimension order count twice, for two orders of the dimensions. Routings that do not fit the
// network are left out.
func (w *work) namedSets() (list []*model.TurnSet, err error) {
	if w.net.NumSwitches() > mostStarts {
		return nil, nil
	}
	for _, r := range route.Routings() {
		options := []route.Options{{}}
		if g := w.net.Grid(); g != nil && r.Reads("order") {
			reversed := make([]int, g.Dims())
			for i := range reversed {
				reversed[i] = g.Dims() - 1 - i
			}
			options = append(options, route.Options{Order: reversed})
		}
		for _, o := range options {
			rel, err := route.New(r.Name, w.net, o)
			if err != nil || rel.Network().VCs() != 1 {
				continue
			}
			g, err := cdg.Build(w.ctx, rel)
			if err != nil {
				return nil, err
			}
			set := model.NewTurnSet(w.net)
			for t := range g.All() {
				set.Add(t)
			}
			list = append(list, set)
		}
	}
	return list, nil
}

// fewestCost is the treeCost of the number of prohibited turns.
func fewestCost(_ *work, set *model.TurnSet) ([]float64, error) {
	return []float64{float64(Count(set).Prohibited)}, nil
}

// treeStarts returns the sets of the methods with trees, with options o, each on a tree of low cost.
func (w *work) treeStarts(cost treeCost, o Options) (list []*model.TurnSet, err error) {
	if w.net.NumSwitches() > mostStarts {
		return nil, nil
	}
	for _, m := range methods {
		if o.Tree.Given, err = w.startTree(m, cost); err != nil {
			return nil, err
		}
		if o.Tree.Given == nil {
			continue
		}
		made, err := New(w.ctx, m.Name, w.net, o)
		if err != nil {
			return nil, err
		}
		list = append(list, made.Allowed)
	}
	return list, nil
}
