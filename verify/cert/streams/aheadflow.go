package streams

// This file bounds which resources packets may hold, and which words may move (ahead.go).

// flow adds what a packet may hold and do.
func (h *ahead) flow(f *flow) {
	add := func(list []bool, node int, may bool) {
		if may && !list[node] {
			list[node], h.more = true, true
		}
	}
	for node, at := range f.tree.resource {
		if !f.grabs[node] {
			add(f.grabs, node, !h.withheld[at] && h.mayBeFree(at) && h.mayWant(f, node))
		}
		if !f.past[node] {
			add(f.past, node, h.mayPass(f, node))
		}
		if f.tree.ends[node] && !f.gone[node] {
			add(f.gone, node, f.past[node] && f.taker[node] && h.atFront(f, node))
		}
	}
}

// mayBeFree reports whether a resource is free, or its owner may give it back.
func (h *ahead) mayBeFree(at int) bool {
	x := h.s.owner[at]
	if x == nil {
		return true
	}
	f := h.of[x]
	for node, r := range f.tree.resource {
		if r == at && x.holds[node] && x.passed[node] < x.size && f.past[node] {
			return true
		}
	}
	return false
}

// mayWant reports whether a packet may ask for a node.
func (h *ahead) mayWant(f *flow, node int) bool {
	if node == 0 {
		return true
	}
	from := f.tree.source[node]
	if up := f.tree.parent[node]; up != from {
		return f.grabs[up]
	}
	word := from == 0 || f.x != nil && h.present(f.x, from) > 0 || h.wholeStage(f, f.tree.source[from])
	return word && f.grabs[from] && h.atFront(f, from)
}

// atFront reports whether all that is before a packet in the buffer at a node may leave it.
func (h *ahead) atFront(f *flow, node int) bool {
	for _, r := range h.s.contents[f.tree.resource[node]] {
		if r.of == f.x && r.node == node {
			return true
		}
		before := h.of[r.of]
		if before.tree.ends[r.node] {
			if !before.gone[r.node] {
				return false
			}
		} else if !before.past[before.tree.stage[r.node][0]] {
			return false
		}
	}
	return true
}

// wholeStage reports whether a packet may hold all nodes of a stage.
func (h *ahead) wholeStage(f *flow, node int) bool {
	for _, k := range f.tree.stage[node] {
		if !f.grabs[k] {
			return false
		}
	}
	return true
}

// consumed returns how many words of a packet were taken at a leaf.
func (h *ahead) consumed(f *flow, leaf int) int {
	if f.x == nil {
		return 0
	}
	return max(0, f.x.passed[leaf]-f.tree.drop[leaf]) - h.present(f.x, leaf)
}

// mayPass reports whether all words of a packet may pass a node.
func (h *ahead) mayPass(f *flow, node int) bool {
	if !f.grabs[node] {
		return false
	}
	if node > 0 {
		from := f.tree.source[node]
		return f.past[from] && h.runs(f, from, f.size)
	}
	// All but the words that the root keeps have to leave it.
	inside := f.size - h.p.words[f.tree.resource[0]]
	if f.tree.ends[0] {
		return inside <= h.consumed(f, 0) || f.taker[0] && h.atFront(f, 0)
	}
	if f.x != nil && inside <= f.x.passed[f.tree.stage[0][0]] || inside <= 0 {
		return true
	}
	return h.runs(f, 0, inside)
}

// runs reports whether the first n words of a packet may leave the buffer at a node.
func (h *ahead) runs(f *flow, node, n int) bool {
	if !h.wholeStage(f, node) || !h.atFront(f, node) {
		return false
	}
	for _, k := range f.tree.stage[node] {
		if f.tree.ends[k] && !f.taker[k] && n-f.tree.drop[k]-h.consumed(f, k) > h.p.words[f.tree.resource[k]] {
			return false
		}
	}
	return true
}
