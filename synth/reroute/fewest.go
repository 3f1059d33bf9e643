package reroute

import (
	"math/rand/v2"
	"slices"

	"github.com/turnproof/turnproof/verify/transition"
)

// This file joins parts into few steps in service.
//
// Of one order, the longest first step, then the longest second one, and so on, are the fewest steps: a step that is safe is also safe
// without its first or its last parts. Several orders are packed. A clique of destinations no two of which can change in one step gives a
// bound; windows.go gives another one, and finds fewer steps.

const (
	mostPairs  = 400 // destinations of which all pairs are tried
	otherPacks = 6   // random orders that are packed
)

// group joins the parts of an order into the fewest steps.
func group(s space, changed []int32, order []int) (steps []transition.Step) {
	var open []int32
	end := func() {
		if s.close(); len(open) > 0 {
			steps = append(steps, transition.Step{Kind: transition.InService, Parts: slices.Sorted(slices.Values(open))})
			open = nil
		}
	}
	for _, i := range order {
		if !s.join(i) {
			if end(); !s.join(i) {
				panic("reroute: a step of an order is not safe")
			}
		}
		open = append(open, changed[i])
	}
	end()
	return steps
}

// pack fills one step after the other with all parts that can join, in several orders. It returns the fewest steps that it finds, or nil.
func pack(c Change, changed []int32, part transition.Part) (best []transition.Step) {
	for k := range otherPacks + 1 {
		s := newSpace(c, changed, Options{Part: part})
		r := rand.New(rand.NewPCG(1, uint64(k)))
		var random []int
		if k > 0 {
			random = r.Perm(len(changed))
		}
		if steps := packOne(s, changed, random); steps != nil && (best == nil || len(steps) < len(best)) {
			best = steps
		}
		if len(best) == 2 || part == transition.Switch && len(changed) > 100 && best != nil {
			break
		}
	}
	return best
}

// packOne packs in one order, or if it is nil in the order of the space. It returns nil if no part can change at some time.
func packOne(s space, changed []int32, order []int) (steps []transition.Step) {
	done, left := make([]bool, len(changed)), len(changed)
	for left > 0 {
		list := order
		if list == nil {
			list = s.order(done)
		}
		step := transition.Step{Kind: transition.InService}
		for _, i := range list {
			if !done[i] && s.join(i) {
				done[i] = true
				step.Parts = append(step.Parts, changed[i])
			}
		}
		if s.close(); len(step.Parts) == 0 {
			return nil
		}
		slices.Sort(step.Parts)
		steps, left = append(steps, step), left-len(step.Parts)
	}
	return steps
}

// shorten replaces the steps by fewer ones where the number can be exact, and finds a bound.
func (r *Result) shorten(c Change, part transition.Part) {
	switch n := len(r.Steps); {
	case n <= 1:
		r.Bound = &transition.Bound{Steps: n}
	case n == 2:
		r.Bound = &transition.Bound{Steps: 2} // all parts in one step have a cycle
	default:
		r.Bound = &transition.Bound{Steps: 2}
		if part == transition.Destination && len(r.Changed) <= mostPairs {
			if clique := newDestinations(c, r.Changed, false).clique(); len(clique) > 2 {
				r.Bound = &transition.Bound{Steps: len(clique)}
				for _, i := range clique {
					r.Bound.Clique = append(r.Bound.Clique, r.Changed[i])
				}
			}
		}
		r.fewer(c, part)
	}
}

// clique returns destinations no two of which can change in one step, ascending: of each start the first that fit.
func (s *destinations) clique() (best []int) {
	n := s.size()
	apart := make([][]bool, n)
	g := s.relaxed
	g.mustAdd(s.kept)
	for i := range n {
		apart[i] = make([]bool, n)
		if !g.add(s.mix[i]) {
			continue
		}
		for j := range i {
			if g.add(s.mix[j]) {
				g.remove(s.mix[j])
				continue
			}
			apart[i][j], apart[j][i] = true, true
		}
		g.remove(s.mix[i])
	}
	g.remove(s.kept)
	degree := make([]int, n)
	for i := range n {
		for _, x := range apart[i] {
			if x {
				degree[i]--
			}
		}
	}
	list := remaining(make([]bool, n))
	sortByFew(list, degree)
	for _, first := range list {
		set := []int{first}
		for _, i := range list {
			if !slices.ContainsFunc(set, func(j int) bool { return !apart[i][j] }) {
				set = append(set, i)
			}
		}
		if len(set) > len(best) {
			best = set
		}
	}
	slices.Sort(best)
	return best
}
