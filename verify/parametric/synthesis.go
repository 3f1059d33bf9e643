package parametric

import "slices"

// This file finds ranks, component by component (template.go).

// synthesise returns ranks, or a failure if it finds none.
func (s *system) synthesise(req requirement) (tuples, *failure, error) {
	components := strongComponents(req.pairs)
	found := tuples{}
	for number, nodes := range components {
		inner, ranked := pairsInside(nodes, req.pairs), tuples{}
		for _, n := range nodes {
			ranked[n] = nil
		}
		if len(inner) > 0 {
			var fail *failure
			var err error
			if ranked, fail, err = s.solveComponent(nodes, inner, req); fail != nil || err != nil {
				return nil, fail, err
			}
		}
		for n, tuple := range ranked {
			found[n] = append([]form{s.number(int64(number))}, tuple...)
		}
	}
	longest := 0
	for _, tuple := range found {
		longest = max(longest, len(tuple))
	}
	for n, tuple := range found {
		for len(tuple) < longest {
			tuple = append(tuple, s.number(0))
		}
		found[n] = tuple
	}
	return found, nil, nil
}

// pairsInside returns the pairs between nodes of a list.
func pairsInside(nodes []node, pairs []pair) (inner []pair) {
	for _, p := range pairs {
		if slices.Contains(nodes, p.from) && slices.Contains(nodes, p.to) {
			inner = append(inner, p)
		}
	}
	return inner
}
