package transition

import (
	"slices"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file judges that parts cannot change in fewer steps in service.

// mostTried is the largest number of parts for which all sequences of steps are tried: 3^9 pairs of a set and a step.
const mostTried = 9

// fewest judges the evidence transition-fewest.
func (x *change) fewest(claim *cert.Claim) error {
	list, bound := *claim.Steps, *claim.Bound
	if err := x.exact(claim, false); err != nil {
		return err
	}
	switch {
	case x.t.Parts == "entry":
		return cert.Reject(claim.Claim, "a number of steps of single entries")
	case len(list) > 0:
		return x.clique(claim, list, bound)
	case bound == 1 && len(x.changed) > 0:
		return nil
	case bound == 2:
		g := newGraph(x.old.LinkVCs())
		for d := range x.destinations {
			g.add(1, g.numbers(x.walk.dependencies(d, all(both))))
		}
		if len(x.changed) == 0 || g.acyclic() {
			return cert.Reject(claim.Claim, "all parts can change in one step")
		}
		return nil
	case len(x.changed) > mostTried:
		return cert.Reject(claim.Claim, "%d parts; all sequences are tried of at most %d", len(x.changed), mostTried)
	}
	if n := x.trySteps(); bound < 0 || n >= 0 && int64(n) < bound {
		return cert.Reject(claim.Claim, "the parts can change in %d steps", n)
	}
	return nil
}

// clique judges that no two of the destinations can change in one step.
func (x *change) clique(claim *cert.Claim, list []int32, bound int64) error {
	if x.t.Parts != "destination" || bound != int64(len(list)) {
		return cert.Reject(claim.Claim, "%d parts for a bound of %d", len(list), bound)
	}
	p := newDestinations(x, x.changed)
	mixed := map[int32][]int32{}
	for i, d := range list {
		if _, ok := slices.BinarySearch(x.changed, d); !ok || i > 0 && d <= list[i-1] {
			return cert.Reject(claim.Claim, "destination %d does not change, or is out of order", d)
		}
		mixed[d] = p.g.numbers(x.walk.dependencies(int(d), all(both)))
	}
	for _, d := range p.all {
		p.g.add(-1, p.old[d])
	}
	for i, a := range list {
		p.g.add(1, mixed[a])
		for _, b := range list[:i] {
			p.g.add(1, mixed[b])
			ok := p.g.acyclic()
			p.g.add(-1, mixed[b])
			if ok {
				return cert.Reject(claim.Claim, "destinations %d and %d can change in one step", a, b)
			}
		}
		p.g.add(-1, mixed[a])
	}
	return nil
}

// trySteps returns the fewest steps in service that change all parts, or -1 if none do.
func (x *change) trySteps() int {
	last := 1<<len(x.changed) - 1
	steps := slices.Repeat([]int{-1}, last+1)
	steps[0] = 0
	for todo := []int{0}; len(todo) > 0 && steps[last] < 0; todo = todo[1:] {
		for more := last; more > 0; more-- {
			if next := todo[0] | more; todo[0]&more == 0 && steps[next] < 0 && x.stepIsSafe(todo[0], more) {
				steps[next] = steps[todo[0]] + 1
				todo = append(todo, next)
			}
		}
	}
	return steps[last]
}

// stepIsSafe reports whether the parts of the set more, by place in changed, can change together after those of done.
func (x *change) stepIsSafe(done, more int) bool {
	g := newGraph(x.old.LinkVCs())
	set := func(part int) int {
		switch i, ok := slices.BinarySearch(x.changed, int32(part)); {
		case ok && more>>i&1 != 0:
			return both
		case ok && done>>i&1 != 0:
			return meetsNew
		}
		return meetsOld
	}
	for d := range x.destinations {
		meets := all(set(d))
		if x.t.Parts == "switch" {
			meets = func(u int32) int { return set(int(u)) }
		}
		g.add(1, g.numbers(x.walk.dependencies(d, meets)))
	}
	return g.acyclic()
}
