package streams

// This file computes which resources packets may get, and which words may move (outlook.go).

// resources frees those whose holder may give them back.
func (o *outlook) resources() {
	for at, free := range o.free {
		if free || o.kept[at] {
			continue
		}
		if h := o.s.holder[at]; h.p != nil {
			x := &o.items[h.p.id]
			if h.node == 0 && !o.written(x, h.p.length) || h.node > 0 && !x.left[o.m.routes[x.route].up[h.node]] {
				continue
			}
		}
		o.free[at], o.changed = true, true
	}
}

// packets lets them get resources and move words.
func (o *outlook) packets() {
	for i := range o.items {
		x := &o.items[i]
		if !x.made {
			continue
		}
		r := &o.m.routes[x.route]
		for k, n := range r.nodes {
			if !x.can[k] && o.free[n.Resource] && o.mayAsk(x, k) {
				x.can[k], o.changed = true, true
			}
			if r.buffer[k] && !x.left[k] && o.leaves(x, k) {
				x.left[k], o.changed = true, true
			}
		}
	}
}

// mayAsk reports whether a packet may ask for node k.
func (o *outlook) mayAsk(x *item, k int) bool {
	r := &o.m.routes[x.route]
	switch {
	case k == 0:
		return true
	case r.nodes[k].Parent != r.up[k]:
		return x.can[r.nodes[k].Parent]
	}
	return x.can[r.up[k]] && o.front(x, r.up[k]) && o.flows(x, r.up[k])
}

// front reports whether all packets before this one in the buffer at node b may leave it.
func (o *outlook) front(x *item, b int) bool {
	for _, h := range o.s.queue[o.m.routes[x.route].nodes[b].Resource] {
		if h.p == x.p && h.node == b {
			return true
		}
		if !o.items[h.p.id].left[h.node] {
			return false
		}
	}
	return true
}

// flows reports whether a word may be in the buffer at node b.
func (o *outlook) flows(x *item, b int) bool {
	return b == 0 || x.p != nil && o.m.in(x.p, b) > x.p.out[b] || o.more(x, b)
}

// more reports whether words that are not there yet may come into the buffer at node b.
func (o *outlook) more(x *item, b int) bool {
	return b == 0 || (x.p == nil || o.comes(x, b)) && o.stage(x, o.m.routes[x.route].up[b])
}

// comes reports whether words of a packet of the state are still to come into the buffer at node b.
func (o *outlook) comes(x *item, b int) bool {
	return o.m.in(x.p, b) < x.p.length-o.m.routes[x.route].nodes[b].Drop
}

// stage reports whether a packet may hold the stage of the buffer at node b.
func (o *outlook) stage(x *item, b int) bool {
	for _, k := range o.m.routes[x.route].stage[b] {
		if !x.can[k] {
			return false
		}
	}
	return true
}

// leaves reports whether the last word of a packet may leave the buffer at node b.
func (o *outlook) leaves(x *item, b int) bool {
	r := &o.m.routes[x.route]
	all := b == 0 || x.left[r.up[b]] || x.p != nil && !o.comes(x, b)
	if !all || !x.can[b] || !o.front(x, b) {
		return false
	}
	if r.leaf[b] {
		return o.drained(x, b)
	}
	return o.stage(x, b) && o.fits(x, b, x.least)
}

func (o *outlook) drained(x *item, leaf int) bool {
	return x.taken[leaf] || o.drains[o.m.routes[x.route].nodes[leaf].Resource]
}

// fits reports whether the first n words of a packet may go to the leaves that follow the buffer at node b.
func (o *outlook) fits(x *item, b, n int) bool {
	r := &o.m.routes[x.route]
	for _, k := range r.next[b] {
		if !r.leaf[k] || o.drained(x, k) {
			continue
		}
		out := 0
		if x.p != nil {
			out = x.p.out[k]
		}
		if n-r.nodes[k].Drop-out > r.words[k] {
			return false
		}
	}
	return true
}

// written reports whether all n words of a packet may get into the root.
func (o *outlook) written(x *item, n int) bool {
	words := o.m.routes[x.route].words[0]
	switch {
	case !x.can[0]:
		return false
	case x.p != nil && n-x.p.out[0] <= words || x.p == nil && n <= words:
		return true
	case o.m.routes[x.route].leaf[0]:
		return o.front(x, 0) && o.drained(x, 0)
	}
	return o.front(x, 0) && o.stage(x, 0) && o.fits(x, 0, n-words)
}
