package reroute

import (
	"math/rand/v2"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/transition"
)

// This file joins parts into few steps in service.
//
// Of one order, the longest first step, then the longest second one, and so on, are the fewest steps: a step that is safe is also safe
// without its first or its last parts. Over all orders the number is exact for at most mostExact parts. For more, several orders are
// packed, and a clique of destinations no two of which can change in one step gives a bound.

const (
	mostExact  = 9   // parts: 3^9 pairs of a set and a step
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
	case len(r.Changed) <= mostExact:
		r.Steps = exact(c, r.Changed, part)
		r.Bound = &transition.Bound{Steps: len(r.Steps)}
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

// exact returns the fewest steps, by all sets that can be reached. Some steps must exist.
func exact(c Change, changed []int32, part transition.Part) (steps []transition.Step) {
	last := 1<<len(changed) - 1
	before := slices.Repeat([]int{-1}, last+1)
	before[0] = 0
	safe := newMasks(c, changed, part)
	for todo := []int{0}; before[last] < 0; todo = todo[1:] {
		for more := last &^ todo[0]; more > 0; more = (more - 1) &^ todo[0] & last {
			if next := todo[0] | more; before[next] < 0 && safe.step(todo[0], more) {
				before[next] = todo[0]
				todo = append(todo, next)
			}
		}
	}
	for set := last; set != 0; set = before[set] {
		step := transition.Step{Kind: transition.InService}
		for i, p := range changed {
			if (set&^before[set])>>i&1 != 0 {
				step.Parts = append(step.Parts, p)
			}
		}
		steps = append(steps, step)
	}
	slices.Reverse(steps)
	return steps
}

// masks decides steps of sets of parts, which are bits.
type masks struct {
	c    Change
	walk transition.Walk
	part transition.Part
	bit  []int // by switch or destination: its bit, or 0
}

func newMasks(c Change, changed []int32, part transition.Part) *masks {
	m := &masks{c: c, walk: c.Walk(), part: part, bit: make([]int, max(c.Network().NumSwitches(), c.NumDestinations()))}
	for i, p := range changed {
		m.bit[p] = 1 << i
	}
	return m
}

// step reports whether the parts of more can change together after those of done.
func (m *masks) step(done, more int) bool {
	g := newGraph(m.c.Network())
	entries := func(i int32) transition.Entries {
		switch b := m.bit[i]; {
		case b&more != 0:
			return transition.BothEntries
		case b&done != 0:
			return transition.NewEntry
		}
		return transition.OldEntry
	}
	for d := range model.DestID(m.c.NumDestinations()) {
		meets := transition.Fixed(entries(int32(d)))
		if m.part == transition.Switch {
			meets = func(u model.SwitchID) transition.Entries { return entries(int32(u)) }
		}
		if !g.add(g.ids(m.walk(d, meets))) {
			return false
		}
	}
	return true
}
