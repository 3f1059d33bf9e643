package cert

// This file judges all blocks of a relation. The steps for one block are in reach.go; escape.go judges
// an escape.

// judgeBlocks judges all blocks, in parallel.
func judgeBlocks(r *relation, blocks Blocks, orders []order, escapes *escapeOrder, images []symmetry) (*facts, error) {
	list := make([]*reach, workers())
	err := blocks.Each(len(list), func(w int, b *Block) error {
		if list[w] == nil {
			list[w] = newReach(r, orders, escapes, images)
		}
		return list[w].judge(b)
	})
	if err != nil {
		return nil, err
	}
	return combine(r, list, orders, escapes, images)
}

// combine returns the facts of all blocks, given what each worker found.
func combine(r *relation, list []*reach, orders []order, escapes *escapeOrder, images []symmetry) (*facts, error) {
	f, deps := &facts{loops: -1}, (*dependencies)(nil)
	var several [2]bool
	covered, asked := make([]bool, len(r.Destinations)), make([]bool, r.LinkVCs())
	for _, s := range list {
		if s == nil {
			continue
		}
		f.add(&s.facts)
		deps = deps.merge(s.deps)
		several = [2]bool{several[0] || s.several[0], several[1] || s.several[1]}
		for _, d := range s.covered {
			if covered[d] {
				return nil, Reject("subject", "destination %d is in two blocks, or an image in both", d)
			}
			covered[d] = true
		}
		for vc, is := range s.asked {
			asked[vc] = asked[vc] || is
		}
	}
	for d, is := range covered {
		if !is {
			return nil, Reject("subject", "destination %d is in no block, and no image of one", d)
		}
	}
	if r.mixed && (!several[0] || !several[1]) {
		return nil, Reject("subject", "commits: all states with several next hops have the same flag, which is no mixture")
	}
	if deps != nil {
		deps.close(images)
		if err := deps.obey(orders); err != nil {
			return nil, err
		}
	}
	return f, escapes.checkAsked(asked)
}

// add adds the facts of other destinations.
func (f *facts) add(o *facts) {
	f.pairs, f.unreachable, f.hops = f.pairs+o.pairs, f.unreachable+o.unreachable, max(f.hops, o.hops)
	if o.loops >= 0 && (f.loops < 0 || o.loops < f.loops) {
		f.loops = o.loops
	}
}
