package states

import (
	"bytes"
	"slices"
)

// This file has the moves.

// child returns the buffer in which the copy of hop k of a node still gets flits, or -1.
func (n *net) child(s state, x *node, k int) int {
	p := &n.Places[x.place]
	if p.Next[k] == Leave || !x.has(p, k) || x.done>>k&1 == 1 {
		return -1
	}
	return n.Places[p.Next[k]].Buffer
}

// has reports whether a node has been given hop k.
func (x *node) has(p *Place, k int) bool {
	if p.All {
		return x.given>>k&1 == 1
	}
	return int(x.given) == k+1
}

// takenBy returns the flits that hop k of a node at the front has taken from its buffer.
func (n *net) takenBy(s state, x *node, k int) int {
	p := &n.Places[x.place]
	switch {
	case x.done>>k&1 == 1:
		return int(x.flits)
	case p.Next[k] == Leave && p.All:
		return int(x.in) // hosts consume copies at once
	case !x.has(p, k):
		return 0
	case p.Next[k] == Leave:
		return int(x.out)
	}
	list := s[n.Places[p.Next[k]].Buffer]
	return int(list[len(list)-1].in)
}

// read returns the flits of node i of buffer b that have left the buffer.
func (n *net) read(s state, b, i int) int {
	x := &s[b][i]
	p := &n.Places[x.place]
	switch {
	case !n.front(b, i) || !p.All && x.given == 0:
		return 0
	case !p.All:
		return n.takenBy(s, x, int(x.given)-1)
	}
	least := int(x.in)
	for k := range p.Next {
		least = min(least, n.takenBy(s, x, k))
	}
	return least
}

// used returns the flits in buffer b.
func (n *net) used(s state, b int) (count int) {
	for i := range s[b] {
		count += int(s[b][i].in) - n.read(s, b, i)
	}
	return count
}

// canTake reports whether VC w can be given to a packet of some flits that comes from buffer v.
func (n *net) canTake(s state, v, w, flits int, fresh bool) bool {
	list := s[w]
	if len(list) > 0 {
		last := &list[len(list)-1]
		if n.Reuse == WhenEmpty || last.in < last.flits && !last.fed {
			return false
		}
	}
	need := 1
	if n.whole {
		need = flits
	}
	if n.Reuse == WhenFull {
		need = 0
	}
	return n.Buffers[w].Flits-n.used(s, w) >= need && n.admits(s, v, w) && n.isOpen(s, v, w, fresh)
}

// hasHead reports whether the head of node x can ask for its next VC.
func (n *net) hasHead(x *node) bool {
	return x.fed || x.in > 0 && (n.Switching != StoreAndForward || x.in == x.flits)
}

// front reports whether flits of node i of buffer b are at the front.
func (n *net) front(b, i int) bool { return i == 0 || n.Buffers[b].Kind == Inject }

// eachMove calls f with each state after a move, and says what moves.
func (n *net) eachMove(s state, f func(text string, to state)) {
	settle := func(text string, to state) {
		if !n.everyFlit() {
			n.settle(to)
		}
		for b := range to {
			if n.Buffers[b].Kind == Inject {
				sortNodes(to, b)
			}
		}
		f(text, to)
	}
	n.eachEntry(s, settle)
	for b := range s {
		for i := range s[b] {
			if !n.front(b, i) {
				break
			}
			n.eachGrant(s, b, i, settle)
			if n.everyFlit() {
				n.eachFlit(s, b, i, settle)
			}
		}
	}
}

// eachEntry lets packets enter the network. Without messages a packet enters when it is given its first VC: before that,
// no other packet waits for it.
func (n *net) eachEntry(s state, f func(string, state)) {
	for _, y := range n.streams {
		x := n.packet(y.Start, y.Flits[0])
		b := n.Places[y.Start].Buffer
		if n.Messages != nil {
			x.origin, x.sender = uint8(y.Origin), uint8(n.Buffers[b].Host)
			if n.Messages.Outstanding > 0 && n.unfinished(s, y.Origin) >= n.Messages.Outstanding {
				continue
			}
		}
		if !n.hasLane(s, b) {
			continue
		}
		to := s.clone()
		to.push(b, x)
		if n.reserve || n.plain {
			f("enter", to)
			continue
		}
		n.eachGrant(to, b, len(to[b])-1, f)
	}
}

// packet returns a packet of some flits at its host. A host sends flits as soon as the injection buffer has room. Only copies
// that advance without each other show that this buffer is finite.
func (n *net) packet(start, flits int) node {
	x := node{place: uint16(start), flits: uint8(flits), in: uint8(flits)}
	if p := &n.Places[start]; p.All && !n.whole {
		x.in = uint8(min(flits, n.Buffers[p.Buffer].Flits))
	}
	return x
}

// refill lets the host send more flits of node i of injection buffer b.
func (n *net) refill(s state, b, i int) {
	x := s[b][i]
	for x.in < x.flits && int(x.in)-n.read(s, b, i) < n.Buffers[b].Flits {
		x.in++
		s.set(b, i, x)
	}
}

// hasLane reports whether a packet can begin to leave a host by injection buffer b. A host sends the packets of a buffer one
// after the other: the next one begins when the rest of the one before fits into its VC.
func (n *net) hasLane(s state, b int) bool {
	if len(s[b]) >= n.Buffers[b].VCs {
		return false
	}
	for i := range s[b] {
		if int(s[b][i].flits)-n.read(s, b, i) > n.Buffers[b].Flits {
			return false
		}
	}
	return true
}

// eachGrant gives the head of node i of buffer b each VC that it can have.
func (n *net) eachGrant(s state, b, i int, f func(string, state)) {
	x := s[b][i]
	p := &n.Places[x.place]
	if n.Buffers[b].Kind == Queue {
		n.eachSent(s, b, f)
		return
	}
	if !n.hasHead(&x) || !p.All && x.given > 0 {
		return
	}
	if len(p.Next) == 0 && !p.All && n.everyFlit() {
		to := s.clone()
		n.drop(to, b, i)
		f("drop", to)
		return
	}
	for k, q := range p.Next {
		switch {
		case x.has(p, k):
		case q == Leave && !p.All:
			n.eachConsumer(s, b, i, k, f)
		case q == Leave:
		case p.All || n.useful[q]:
			if w := n.Places[q].Buffer; n.canTake(s, b, w, int(x.flits), false) {
				n.give(s, b, i, k, f)
			}
		}
	}
}

// give gives node i of buffer b hop k. If a flit can follow, it does.
func (n *net) give(s state, b, i, k int, f func(string, state)) {
	to, x := s.clone(), s[b][i]
	p := &n.Places[x.place]
	q := p.Next[k]
	w := n.Places[q].Buffer
	y := node{place: uint16(q), flits: x.flits, origin: x.origin, sender: x.sender}
	if p.All {
		x.given |= 1 << k
	} else {
		x.given, x.origin, x.sender = uint8(k+1), 0, 0
	}
	to.set(b, i, x)
	to.push(w, y)
	text := "give " + n.Buffers[w].Name
	if n.byFlit() && (n.Gates.Late || n.Gates.Split) {
		f(text, to) // the gate may close before the head moves
		return
	}
	if n.Buffers[w].Flits > n.used(s, w) {
		n.pass(to, b, i, k)
	}
	f(text, to)
}

// canPass reports whether a flit of node i of buffer b can take hop k, which the packet has been given.
func (n *net) canPass(s state, b, i, k int, fresh bool) bool {
	x := &s[b][i]
	p := &n.Places[x.place]
	if p.Next[k] == Leave {
		return !p.All && x.has(p, k) && (x.in > x.out || x.fed)
	}
	w := n.child(s, x, k)
	if w < 0 {
		return false
	}
	y := &s[w][len(s[w])-1]
	if int(x.in) <= int(y.in) && !x.fed || n.Buffers[w].Flits <= n.used(s, w) {
		return false
	}
	if y.in > 0 || x.fed || n.hasHead(x) {
		return !n.byFlit() || n.isOpen(s, b, w, fresh)
	}
	return false
}

// pass moves a flit of node i of buffer b over hop k.
func (n *net) pass(s state, b, i, k int) {
	x := s[b][i]
	p := &n.Places[x.place]
	if p.Next[k] == Leave {
		x.out++
		s.set(b, i, x)
		if x.out == x.flits {
			s.remove(b, i)
			n.sweep(s, b)
			n.answer(s, &x)
		}
		return
	}
	w := n.Places[p.Next[k]].Buffer
	last := len(s[w]) - 1
	y := s[w][last]
	y.in++
	s.set(w, last, y)
	if y.in == y.flits {
		x.done |= 1 << k
		s.set(b, i, x)
	}
	n.sweep(s, b)
	n.sweep(s, w)
}

// sweep removes the nodes at the front of buffer b whose flits have all left.
func (n *net) sweep(s state, b int) {
	for i := 0; i < len(s[b]) && n.front(b, i); {
		if n.Buffers[b].Kind == Inject {
			n.refill(s, b, i)
		}
		x := &s[b][i]
		if x.in < x.flits || n.read(s, b, i) < int(x.flits) || n.Buffers[b].Kind == Queue {
			i++
			continue
		}
		s.remove(b, i)
	}
}

// drop removes the packet whose head is node i of buffer b, with all of its flits.
func (n *net) drop(s state, b, i int) {
	for b >= 0 {
		from, at := -1, -1
		if x := &s[b][i]; x.in < x.flits {
			from, at = n.feederNode(s, b)
		}
		if s.remove(b, i); from == b && at > i {
			at--
		}
		n.sweep(s, b)
		b, i = from, at
	}
}

// eachFlit moves each flit that follows its head from node i of buffer b.
func (n *net) eachFlit(s state, b, i int, f func(string, state)) {
	for k := range n.Places[s[b][i].place].Next {
		if n.canPass(s, b, i, k, false) {
			to := s.clone()
			n.pass(to, b, i, k)
			f("flit from "+n.Buffers[b].Name, to)
		}
	}
}

// settle moves flits behind heads as far as they can. No other move prevents such a move, and it prevents no other: its
// buffer takes no other packet before.
func (n *net) settle(s state) {
	for again := true; again; {
		again = false
		for b := range s {
			again = n.settleAt(s, b) || again
		}
	}
}

// settleAt moves one flit from buffer b, if one can.
func (n *net) settleAt(s state, b int) bool {
	for i := range s[b] {
		if !n.front(b, i) {
			break
		}
		if n.Buffers[b].Kind == Queue {
			continue
		}
		for k := range n.Places[s[b][i].place].Next {
			if n.canPass(s, b, i, k, false) {
				n.pass(s, b, i, k)
				return true
			}
		}
	}
	return false
}

// sortNodes orders the nodes of buffer b, which have no order.
func sortNodes(s state, b int) {
	if len(s[b]) < 2 {
		return
	}
	list := append([]node(nil), s[b]...)
	slices.SortFunc(list, func(x, y node) int { return bytes.Compare(x.bytes(), y.bytes()) })
	s[b] = list
}

func (x *node) bytes() []byte {
	return []byte{byte(x.place >> 8), byte(x.place), x.flits, x.in, x.out, x.given, x.done, x.origin, x.sender, x.aim}
}
