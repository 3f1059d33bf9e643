package transition

import (
	"slices"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file judges that parts cannot change in fewer steps in service.

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
	case bound < 1 || bound > mostSteps:
		return cert.Reject(claim.Claim, "a bound of %d steps; at most %d are judged", bound, mostSteps)
	}
	return x.windows(claim, int(bound)-1)
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
