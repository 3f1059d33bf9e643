package streams

import "slices"

// This file says what happens in a run. It is the specification, and shares no code with the prover.
//
// A packet is made when an agent begins to send it. It asks for its root. A packet that has the front words of
// a buffer asks for the nodes of the stage of that buffer: the nodes behind it up to the next buffers, with these. It asks for a node
// once it holds the node before it, or that is the buffer. A resource is given to one packet at a time. The packet gives it back
// when its last word has passed the node: is written into the root, or has left the buffer of the stage.
//
// A word moves from a buffer to the next buffers of the stage at once, if the packet holds the whole stage and each of
// these buffers has room; words that a leaf drops need none. A leaf gives its front words to agents that take. An agent that sends writes
// words into the root while its packet holds it and it has room.
//
// A resource that packets from two places can ask for is given by choice; so is a counter that two agents acquire. A place is the
// buffer before the node, or for a root the agent. All else that can happen, happens before the next choice:
// no such step takes another one away, so the state in which no such step is left does not depend on their order.

// parcel is a packet under way.
type parcel struct {
	agent, tree, size int
	passed            []int // by node: words that have passed it
	holds             []bool
}

// run is a number of words of a packet in a buffer, at a node.
type run struct {
	of      *parcel
	node, n int
}

// loop is a loop that an agent is in.
type loop struct{ begin, left int }

// place is the state of a run.
type place struct {
	at       []int    // by agent: the action
	done     []int    // by agent: words of the action that are sent or taken
	loops    [][]loop // by agent
	values   []int    // by counter
	parcels  [][]*parcel
	owner    []*parcel // by resource
	contents [][]run   // by resource
	steps    int       // since the beginning
}

func (p *plan) start() *place {
	return &place{at: make([]int, len(p.programs)), done: make([]int, len(p.programs)), loops: make([][]loop, len(p.programs)),
		values: slices.Clone(p.values), parcels: make([][]*parcel, len(p.programs)), owner: make([]*parcel, len(p.words)),
		contents: make([][]run, len(p.words))}
}

// settle lets everything happen but choices. It returns false if that takes more than limit steps.
func (p *plan) settle(s *place, limit int) bool {
	for moved := true; moved; {
		moved = false
		for a := range p.programs {
			for p.agentStep(s, a) {
				if moved = true; s.steps > limit {
					return false
				}
			}
		}
		for a := range s.parcels {
			for _, x := range s.parcels[a] {
				moved = p.parcelSteps(s, x) || moved
			}
		}
		if s.steps > limit {
			return false
		}
	}
	return true
}

// current returns the action of an agent, and false if it has ended.
func (p *plan) current(s *place, a int) (action, bool) {
	if s.at[a] == len(p.programs[a]) {
		return action{}, false
	}
	return p.programs[a][s.at[a]], true
}

// agentStep lets an agent do one thing that is no choice.
func (p *plan) agentStep(s *place, a int) bool {
	x, ok := p.current(s, a)
	if !ok {
		return false
	}
	switch x.kind {
	case repeat:
		s.loops[a] = append(s.loops[a], loop{s.at[a], x.amount})
		s.at[a]++
	case release:
		if s.values[x.object] > most*8 {
			s.steps = 1 << 62
			return true
		}
		s.values[x.object] += x.amount
		p.next(s, a)
	case acquire:
		if p.open[len(p.words)+x.object] || s.values[x.object] < x.amount {
			return false
		}
		s.values[x.object] -= x.amount
		p.next(s, a)
	case send:
		if !p.write(s, a, x) {
			return false
		}
	case take:
		if !p.consume(s, a, x) {
			return false
		}
	}
	s.steps++
	return true
}

// next goes on to the action behind the current one.
func (p *plan) next(s *place, a int) {
	s.done[a] = 0
	s.at[a]++
	for n := len(s.loops[a]); n > 0; n = len(s.loops[a]) {
		l := &s.loops[a][n-1]
		if p.programs[a][l.begin].after != s.at[a] {
			return
		}
		if l.left != 1 {
			l.left = max(0, l.left-1)
			s.at[a] = l.begin + 1
			return
		}
		s.loops[a] = s.loops[a][:n-1]
	}
}

// write makes the packet of a send, or writes words of it.
func (p *plan) write(s *place, a int, x action) bool {
	mine := s.parcels[a]
	if s.done[a] == 0 && (len(mine) == 0 || mine[len(mine)-1].passed[0] > 0) {
		n := len(p.trees[x.object].resource)
		s.parcels[a] = append(mine, &parcel{agent: a, tree: x.object, size: x.amount, passed: make([]int, n), holds: make([]bool, n)})
		return true
	}
	packet := mine[len(mine)-1]
	n := min(x.amount-s.done[a], p.free(s, p.trees[x.object].resource[0]))
	if n == 0 || !packet.holds[0] {
		return false
	}
	p.enter(s, packet, 0, n)
	if s.done[a] += n; s.done[a] == x.amount {
		p.next(s, a)
	}
	return true
}

// consume takes front words of a buffer.
func (p *plan) consume(s *place, a int, x action) bool {
	if len(s.contents[x.object]) == 0 {
		return false
	}
	front := s.contents[x.object][0]
	if !p.trees[front.of.tree].ends[front.node] || x.only >= 0 && x.only != front.of.tree {
		return false
	}
	n := min(front.n, x.amount-s.done[a])
	p.drop(s, x.object, n)
	p.forget(s, front.of)
	if s.done[a] += n; s.done[a] == x.amount {
		p.next(s, a)
	}
	return true
}

// free returns the room of a buffer.
func (p *plan) free(s *place, resource int) int {
	n := p.words[resource]
	for _, r := range s.contents[resource] {
		n -= r.n
	}
	return n
}

// enter lets words of a packet pass a node. At a buffer they come in behind all others, except those that it drops.
func (p *plan) enter(s *place, x *parcel, node, n int) {
	at := p.trees[x.tree].resource[node]
	if kept := n - max(0, min(n, p.trees[x.tree].drop[node]-x.passed[node])); p.words[at] > 0 && kept > 0 {
		list := s.contents[at]
		if k := len(list) - 1; k >= 0 && list[k].of == x && list[k].node == node {
			list[k].n += kept
		} else {
			s.contents[at] = append(list, run{x, node, kept})
		}
	}
	if x.passed[node] += n; x.passed[node] == x.size {
		s.owner[at] = nil
	}
}

// drop removes front words of a buffer.
func (p *plan) drop(s *place, resource, n int) {
	if s.contents[resource][0].n -= n; s.contents[resource][0].n == 0 {
		s.contents[resource] = s.contents[resource][1:]
	}
}

// forget removes a packet of which no word is left.
func (p *plan) forget(s *place, x *parcel) {
	for node := range x.passed {
		if x.passed[node] < x.size {
			return
		}
	}
	for _, list := range s.contents {
		for _, r := range list {
			if r.of == x {
				return
			}
		}
	}
	s.parcels[x.agent] = slices.DeleteFunc(s.parcels[x.agent], func(y *parcel) bool { return x == y })
}

// parcelSteps gives resources to a packet that are no choice, and moves its words.
func (p *plan) parcelSteps(s *place, x *parcel) bool {
	moved := false
	t := &p.trees[x.tree]
	for node, at := range t.resource {
		if !p.open[at] && p.wants(s, x, node) {
			p.grant(s, x, node)
			s.steps++
			moved = true
		}
	}
	for node := range t.resource {
		if len(t.stage[node]) > 0 && p.flow(s, x, node) {
			s.steps++
			moved = true
		}
	}
	return moved
}

// wants reports whether a packet asks for a node whose resource is free.
func (p *plan) wants(s *place, x *parcel, node int) bool {
	t := &p.trees[x.tree]
	if x.holds[node] || s.owner[t.resource[node]] != nil {
		return false
	}
	if node == 0 {
		return true
	}
	if t.parent[node] != t.source[node] {
		return x.holds[t.parent[node]]
	}
	list := s.contents[t.resource[t.source[node]]]
	return len(list) > 0 && list[0].of == x && list[0].node == t.source[node]
}

// grant gives the resource of a node to a packet.
func (p *plan) grant(s *place, x *parcel, node int) {
	x.holds[node] = true
	s.owner[p.trees[x.tree].resource[node]] = x
}

// flow moves words from a buffer node of a packet to the next buffers.
func (p *plan) flow(s *place, x *parcel, node int) bool {
	t := &p.trees[x.tree]
	list := s.contents[t.resource[node]]
	if len(list) == 0 || list[0].of != x || list[0].node != node {
		return false
	}
	n := list[0].n
	for _, k := range t.stage[node] {
		if !x.holds[k] {
			return false
		}
		if at := t.resource[k]; p.words[at] > 0 {
			n = min(n, p.free(s, at)+max(0, t.drop[k]-x.passed[k]))
		}
	}
	if n == 0 {
		return false
	}
	p.drop(s, t.resource[node], n)
	for _, k := range t.stage[node] {
		p.enter(s, x, k, n)
	}
	return true
}
