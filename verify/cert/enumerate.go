package cert

// This file enumerates the states of a relation, one destination after the other. The
// steps are in reach.go; escape.go judges an escape on the states of one destination.

func (r *relation) enumerate(orders []order, escapes *escapeOrder) (*facts, error) {
	if escapes != nil {
		if err := r.checkEscapes(escapes); err != nil {
			return nil, err
		}
	}
	s := &reach{relation: r, orders: orders, escapes: escapes, facts: facts{loops: -1}}
	s.channel = make([]int, len(r.Head))
	for d := range r.Destinations {
		s.d, s.lo, s.hi = d, r.firstOf[d], r.firstOf[d+1]
		for _, step := range []func() error{s.resolve, s.begin, s.reachAll, s.depend} {
			if err := step(); err != nil {
				return nil, err
			}
		}
		if err := s.escape(); err != nil {
			return nil, err
		}
		s.reverse(func(int) bool { return true })
		s.countPairs()
		s.longest()
	}
	return &s.facts, nil
}
