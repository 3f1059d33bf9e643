package states

// This file finds the packets of a state that can never move.

// stuck returns the greatest set of nodes none of which could move if all others were gone. Nodes that can move are removed
// again and again, with the nodes behind them. What is ahead of a removed node may still get flits.
func (n *net) stuck(s state) (left int) {
	t := s.clone()
	for again := true; again; {
		again = false
		for b := range t {
			for i := 0; i < len(t[b]); i++ {
				if n.canMove(t, b, i) {
					n.removeChain(t, b, i)
					again = true
					i = -1
				}
			}
		}
	}
	for b := range t {
		left += len(t[b])
	}
	return left
}

// removeChain removes node i of buffer b and those from which it gets flits. Other copies may still get flits.
func (n *net) removeChain(s state, b, i int) {
	type at struct{ b, i int }
	chain := []at{{b, i}}
	for b >= 0 {
		x := s[b][i]
		n.feed(s, &x)
		if x = s[b][i]; x.in == x.flits || x.fed {
			break
		}
		if b, i = n.feederNode(s, b); b >= 0 {
			chain = append(chain, at{b, i})
		}
	}
	gone := map[at]bool{}
	for _, y := range chain {
		gone[y] = true
	}
	for _, y := range chain {
		var list []node
		for k := range s[y.b] {
			if !gone[at{y.b, k}] {
				list = append(list, s[y.b][k])
			}
		}
		for k := range s[y.b] {
			delete(gone, at{y.b, k})
		}
		s[y.b] = list
	}
}

// feed marks the nodes that get flits of x.
func (n *net) feed(s state, x *node) {
	for k := range n.Places[x.place].Next {
		if w := n.child(s, x, k); w >= 0 && len(s[w]) > 0 {
			y := s[w][len(s[w])-1]
			if y.in < y.flits {
				y.fed = true
				s.set(w, len(s[w])-1, y)
			}
		}
	}
}

// canMove reports whether node i of buffer b can move, or get its next VC. Gates see the state.
func (n *net) canMove(s state, b, i int) bool {
	if !n.front(b, i) {
		return false
	}
	x := &s[b][i]
	p := &n.Places[x.place]
	if n.Buffers[b].Kind == Queue {
		return n.hasLane(s, n.Places[p.Next[0]].Buffer)
	}
	for k := range p.Next {
		if n.canPass(s, b, i, k, true) {
			return true
		}
	}
	if !n.hasHead(x) {
		return false
	}
	if p.All {
		return n.canCopy(s, b, x)
	}
	return x.given == 0 && n.canGo(s, b, x)
}

// canCopy reports whether a copy of node x can get its next VC, or the hosts consume all of it.
func (n *net) canCopy(s state, b int, x *node) bool {
	p := &n.Places[x.place]
	links := 0
	for k, q := range p.Next {
		if q == Leave || x.done>>k&1 == 1 {
			continue
		}
		if links++; !x.has(p, k) && n.canTake(s, b, n.Places[q].Buffer, int(x.flits), true) {
			return true
		}
	}
	return links == 0 && (x.fed || x.in == x.flits)
}

// canGo reports whether the head of node x can get a next VC or leave the network. A head that chooses before it waits can
// only if every choice can.
func (n *net) canGo(s state, b int, x *node) bool {
	p := &n.Places[x.place]
	for _, q := range p.Next {
		can := q == Leave && n.canConsume(s, p) || q != Leave && n.canTake(s, b, n.Places[q].Buffer, int(x.flits), true)
		if can != p.Commits {
			return can
		}
	}
	return p.Commits || len(p.Next) == 0
}
