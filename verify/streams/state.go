package streams

import (
	"encoding/binary"
	"slices"
)

// This file holds the state of a run.

// packet is a packet that is not yet consumed entirely.
type packet struct {
	route, agent int
	length       int
	sent         int   // words that are written into the root
	out          []int // by node that is a buffer: the words that have left it
	got          []bool
	id           int // its number in the state, while an outlook is computed
}

// held is a packet at a node of its route.
type held struct {
	p    *packet
	node int
}

type state struct {
	at      []int // by agent: the action
	left    []int // by agent: words that the action still sends or takes, or -1 if it has not begun
	rounds  []int // by loop: how often it is still to be begun again, or -1 outside of the loop
	value   []int // by counter
	packets []*packet
	holder  []held   // by resource; p is nil if it is free
	queue   [][]held // by resource: the packets in the buffer, in order
}

func (m *machine) initial() *state {
	s := &state{at: make([]int, len(m.p.Agents)), left: make([]int, len(m.p.Agents)), rounds: make([]int, m.loops),
		holder: make([]held, len(m.p.Resources)), queue: make([][]held, len(m.p.Resources))}
	for i := range s.left {
		s.left[i] = -1
	}
	for i := range s.rounds {
		s.rounds[i] = -1
	}
	for _, c := range m.p.Counters {
		s.value = append(s.value, c.Value)
	}
	return s
}

func (s *state) clone() *state {
	c := &state{at: slices.Clone(s.at), left: slices.Clone(s.left), rounds: slices.Clone(s.rounds), value: slices.Clone(s.value),
		holder: slices.Clone(s.holder), queue: make([][]held, len(s.queue)), packets: make([]*packet, len(s.packets))}
	to := make(map[*packet]*packet, len(s.packets))
	for i, p := range s.packets {
		q := *p
		q.out, q.got = slices.Clone(p.out), slices.Clone(p.got)
		c.packets[i] = &q
		to[p] = &q
	}
	for i, h := range c.holder {
		if h.p != nil {
			c.holder[i].p = to[h.p]
		}
	}
	for i, list := range s.queue {
		c.queue[i] = slices.Clone(list)
		for k := range c.queue[i] {
			c.queue[i][k].p = to[c.queue[i][k].p]
		}
	}
	return c
}

// key returns a text that is the same for states from which the same can happen. Packets are numbered by the
// agent and route, and in the order in which the agent sent them.
func (s *state) key() string {
	var b []byte
	put := func(list []int) {
		for _, x := range list {
			b = binary.AppendVarint(b, int64(x))
		}
	}
	put(s.at)
	put(s.left)
	put(s.rounds)
	put(s.value)
	order := slices.Clone(s.packets)
	slices.SortStableFunc(order, func(p, q *packet) int {
		return slices.Compare([]int{p.agent, p.route}, []int{q.agent, q.route})
	})
	number := make(map[*packet]int, len(order))
	put([]int{len(order)})
	for i, p := range order {
		number[p] = i
		put([]int{p.agent, p.route, p.length, p.sent})
		put(p.out)
		for _, got := range p.got {
			b = append(b, map[bool]byte{true: 1}[got])
		}
	}
	for _, list := range s.queue {
		put([]int{len(list)})
		for _, h := range list {
			put([]int{number[h.p], h.node})
		}
	}
	return string(b)
}

// in returns how many words of the packet have come into the buffer at node b, without those that it dropped.
func (m *machine) in(p *packet, b int) int {
	if b == 0 {
		return p.sent
	}
	r := &m.routes[p.route]
	return max(0, p.out[r.up[b]]-r.nodes[b].Drop)
}

// room returns how many words the buffer has room for.
func (m *machine) room(s *state, resource int) int {
	n := m.p.Resources[resource].Words
	for _, h := range s.queue[resource] {
		n -= m.in(h.p, h.node) - h.p.out[h.node]
	}
	return n
}
