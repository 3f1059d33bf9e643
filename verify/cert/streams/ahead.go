package streams

import "slices"

// This file bounds from above what may happen from a state on while certain objects are withheld: given to no packet or agent. A thing is
// listed once all that must come before it is listed. What choices take away is ignored. By induction over the events of a
// run, everything that happens in some run without the withheld objects is listed.

// flow is a packet of the state, or stands for all packets that are still to be made on a tree.
type flow struct {
	x     *parcel // nil: packets to be made
	tree  *tree
	size  int // the smallest one
	made  bool
	grabs []bool // by node: it may hold the resource
	past  []bool // by node: all its words may pass, so the resource may be given back
	gone  []bool // by leaf: all its words may be taken
	taker []bool // by leaf: someone may take its words
}

// ahead is what may happen.
type ahead struct {
	p        *plan
	s        *place
	withheld map[int]bool
	begins   [][]bool // by agent and action
	ends     [][]bool
	flows    []*flow
	of       map[*parcel]*flow
	news     []*flow // by tree
	raised   []bool  // by counter
	more     bool    // something was added
}

func (p *plan) lookAhead(s *place, withheld map[int]bool) *ahead {
	h := &ahead{p: p, s: s, withheld: withheld, of: map[*parcel]*flow{}, raised: make([]bool, len(p.values))}
	for _, list := range s.parcels {
		for _, x := range list {
			f := h.newFlow(x.tree, x)
			f.size, f.made = x.size, true
			copy(f.grabs, x.holds)
			for node, n := range x.passed {
				f.past[node] = n == x.size
				f.gone[node] = n == x.size && h.present(x, node) == 0
			}
			h.of[x] = f
		}
	}
	for t := range p.trees {
		f := h.newFlow(t, nil)
		f.size = p.trees[t].least
		h.news = append(h.news, f)
	}
	for _, list := range p.programs {
		h.begins, h.ends = append(h.begins, make([]bool, len(list)+1)), append(h.ends, make([]bool, len(list)))
	}
	for a := range p.programs {
		x, ok := p.current(s, a)
		h.enter(a, s.at[a], ok && x.kind == send && p.underWay(s, a) != nil)
	}
	for h.more = true; h.more; {
		h.more = false
		for a := range p.programs {
			h.agent(a)
		}
		for _, f := range h.flows {
			if f.made {
				h.flow(f)
			}
		}
	}
	return h
}

func (h *ahead) newFlow(t int, x *parcel) *flow {
	n := len(h.p.trees[t].resource)
	f := &flow{x: x, tree: &h.p.trees[t], grabs: make([]bool, n), past: make([]bool, n), gone: make([]bool, n), taker: make([]bool, n)}
	h.flows = append(h.flows, f)
	return f
}

// underWay returns the packet that the current action of an agent has made, if it has.
func (p *plan) underWay(s *place, a int) *parcel {
	n := len(s.parcels[a])
	if n == 0 || s.done[a] == 0 && s.parcels[a][n-1].passed[0] > 0 {
		return nil
	}
	return s.parcels[a][n-1]
}

// present returns the words of a packet in the buffer at a node.
func (h *ahead) present(x *parcel, node int) (n int) {
	for _, r := range h.s.contents[h.p.trees[x.tree].resource[node]] {
		if r.of == x && r.node == node {
			n += r.n
		}
	}
	return n
}

// enter notes that an action may begin. A send that is under way makes no other packet.
func (h *ahead) enter(a, i int, underWay bool) {
	h.more = h.more || !h.begins[a][i]
	h.begins[a][i] = true
	if i == len(h.p.programs[a]) {
		return
	}
	x := h.p.programs[a][i]
	if x.kind == send && !underWay {
		f := h.news[x.object]
		h.more = h.more || !f.made
		f.made = true
	}
	if x.kind != take {
		return
	}
	for _, f := range h.flows {
		for node, at := range f.tree.resource {
			if at == x.object && (x.only < 0 || f.tree == &h.p.trees[x.only]) {
				f.taker[node] = true
			}
		}
	}
}

// agent lets the actions of an agent end.
func (h *ahead) agent(a int) {
	for i, x := range h.p.programs[a] {
		if !h.begins[a][i] || h.ends[a][i] || !h.mayEnd(a, i, x) {
			continue
		}
		h.ends[a][i], h.more = true, true
		if x.kind == release {
			h.raised[x.object] = true
		}
		h.goOn(a, i)
	}
}

// goOn enters what may follow an action: another round of a loop that ends there, inner loops first, or the next action.
func (h *ahead) goOn(a, i int) {
	for begin := i; begin >= 0; begin-- {
		l := h.p.programs[a][begin]
		if l.kind != repeat || l.after != i+1 {
			continue
		}
		at := slices.IndexFunc(h.s.loops[a], func(x loop) bool { return x.begin == begin })
		if at < 0 || h.s.loops[a][at].left != 1 || h.begins[a][begin] {
			h.enter(a, begin+1, false)
		}
		if l.amount == 0 {
			return
		}
	}
	h.enter(a, i+1, false)
}

// mayEnd reports whether an action may end.
func (h *ahead) mayEnd(a, i int, x action) bool {
	now := i == h.s.at[a]
	switch x.kind {
	case acquire:
		return !h.withheld[len(h.p.words)+x.object] && h.has(x)
	case send:
		if y := h.p.underWay(h.s, a); now && y != nil {
			return h.of[y].past[0]
		}
		return h.news[x.object].past[0]
	case take:
		if now {
			return h.supplies(x, x.amount-h.s.done[a])
		}
		return h.supplies(x, x.amount)
	}
	return true
}

// has reports whether a counter may have what an action acquires.
func (h *ahead) has(x action) bool { return h.s.values[x.object] >= x.amount || h.raised[x.object] }

// supplies reports whether n words may reach the front of the buffer of a take.
func (h *ahead) supplies(x action, n int) bool {
	for _, f := range h.flows {
		if !f.made || x.only >= 0 && f.tree != &h.p.trees[x.only] {
			continue
		}
		for node, at := range f.tree.resource {
			if at != x.object || !f.tree.ends[node] || !f.grabs[node] || !h.atFront(f, node) {
				continue
			}
			arrives := node == 0 || h.wholeStage(f, f.tree.source[node])
			switch {
			case f.x == nil && arrives:
				return true
			case f.x != nil && arrives:
				n -= f.size - f.tree.drop[node] - h.consumed(f, node)
			case f.x != nil:
				n -= h.present(f.x, node)
			}
		}
	}
	return n <= 0
}
