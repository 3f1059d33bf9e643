package streams

import (
	"context"
	"errors"
	"slices"

	"github.com/turnproof/turnproof/model/streams"
)

// This file makes all steps that are no choices. Their order has no influence on the result, because none
// of them prevents another (machine.go).

// mostSteps bounds the steps between two choices.
const mostSteps = 50_000_000

var errEndless = errors.New("some agents can go on for ever without a choice")

// settle makes steps until only choices are left.
func (m *machine) settle(ctx context.Context, s *state) error {
	for steps := 0; ; {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		before := steps
		for a := range s.at {
			for m.act(s, a) {
				if steps++; steps > mostSteps {
					return errEndless
				}
				if steps%(1<<16) == 0 && ctx.Err() != nil {
					return ctx.Err()
				}
			}
		}
		for _, p := range s.packets {
			steps += m.advance(s, p)
		}
		s.packets = slices.DeleteFunc(s.packets, func(p *packet) bool { return m.gone(p) })
		if steps == before {
			return nil
		}
		if steps > mostSteps {
			return errEndless
		}
	}
}

// act makes one step of an agent, or returns false if it waits or has ended.
func (m *machine) act(s *state, a int) bool {
	program := m.p.Agents[a].Program
	if s.at[a] == len(program) {
		return false
	}
	x := program[s.at[a]]
	switch x.Kind {
	case streams.Repeat:
		s.rounds[m.loopOf[a][s.at[a]]] = x.Amount
		s.at[a]++
		return true
	case streams.Release:
		s.value[x.Object] += x.Amount
	case streams.Acquire:
		if m.raced[len(m.p.Resources)+x.Object] || s.value[x.Object] < x.Amount {
			return false
		}
		s.value[x.Object] -= x.Amount
	case streams.Send:
		if s.left[a] < 0 {
			m.create(s, a, x)
			return true
		}
		if s.left[a] > 0 {
			return m.write(s, a)
		}
	case streams.Take:
		if s.left[a] < 0 {
			s.left[a] = x.Amount
		}
		if s.left[a] > 0 {
			return m.take(s, a, x)
		}
	}
	m.done(s, a)
	return true
}

// done goes to the next action of the agent, which begins loops again.
func (m *machine) done(s *state, a int) {
	s.left[a] = -1
	for _, begin := range m.ends[a][s.at[a]] {
		loop := m.loopOf[a][begin]
		if s.rounds[loop] == 0 { // for ever
			s.at[a] = begin + 1
			return
		}
		if s.rounds[loop]--; s.rounds[loop] > 0 {
			s.at[a] = begin + 1
			return
		}
		s.rounds[loop] = -1
	}
	s.at[a]++
}

// create makes the packet that the agent sends.
func (m *machine) create(s *state, a int, x streams.Action) {
	n := len(m.routes[x.Object].nodes)
	s.packets = append(s.packets, &packet{route: x.Object, agent: a, length: x.Amount, out: make([]int, n), got: make([]bool, n)})
	s.left[a] = x.Amount
}

// write writes words of the newest packet of the agent into its root.
func (m *machine) write(s *state, a int) bool {
	i := len(s.packets) - 1
	for s.packets[i].agent != a {
		i--
	}
	p := s.packets[i]
	root := m.routes[p.route].nodes[0].Resource
	n := min(s.left[a], m.room(s, root))
	if !p.got[0] || n == 0 {
		return false
	}
	p.sent += n
	if s.left[a] -= n; s.left[a] == 0 {
		s.holder[root] = held{}
	}
	return true
}

// take takes words of the first packet of a buffer.
func (m *machine) take(s *state, a int, x streams.Action) bool {
	if len(s.queue[x.Object]) == 0 {
		return false
	}
	h := s.queue[x.Object][0]
	n := min(s.left[a], m.in(h.p, h.node)-h.p.out[h.node])
	if n == 0 || !m.routes[h.p.route].leaf[h.node] || x.Route >= 0 && x.Route != h.p.route {
		return false
	}
	s.left[a] -= n
	m.leave(s, h, n)
	return true
}

// leave counts words that leave a buffer. After the last word the packet gives back the stage.
func (m *machine) leave(s *state, h held, n int) {
	r := &m.routes[h.p.route]
	if h.p.out[h.node] += n; h.p.out[h.node] < h.p.length-r.nodes[h.node].Drop {
		return
	}
	for _, k := range r.stage[h.node] {
		s.holder[r.nodes[k].Resource] = held{}
	}
	at := r.nodes[h.node].Resource
	s.queue[at] = s.queue[at][1:]
}

// advance lets a packet get resources that are not contended, and moves its words. It returns the number of steps.
func (m *machine) advance(s *state, p *packet) (steps int) {
	r := &m.routes[p.route]
	for k := range r.nodes {
		if m.asks(s, p, k) && !m.raced[r.nodes[k].Resource] {
			m.give(s, p, k)
			steps++
		}
	}
	for b := range r.nodes {
		if r.buffer[b] && !r.leaf[b] {
			steps += m.move(s, p, b)
		}
	}
	return steps
}

// asks reports whether a packet asks for the resource of node k, and the resource is free.
func (m *machine) asks(s *state, p *packet, k int) bool {
	r := &m.routes[p.route]
	if p.got[k] || s.holder[r.nodes[k].Resource].p != nil {
		return false
	}
	if k == 0 {
		return true
	}
	if parent := r.nodes[k].Parent; parent != r.up[k] {
		return p.got[parent]
	}
	return m.first(s, p, r.up[k]) && m.in(p, r.up[k]) > p.out[r.up[k]]
}

// first reports whether a packet is the first of the buffer at node b.
func (m *machine) first(s *state, p *packet, b int) bool {
	list := s.queue[m.routes[p.route].nodes[b].Resource]
	return len(list) > 0 && list[0] == held{p, b}
}

// give gives the resource of node k to a packet.
func (m *machine) give(s *state, p *packet, k int) {
	p.got[k] = true
	at := m.routes[p.route].nodes[k].Resource
	s.holder[at] = held{p, k}
	if m.routes[p.route].buffer[k] {
		s.queue[at] = append(s.queue[at], held{p, k})
	}
}

// move moves words of a packet from the buffer at node b to the next buffers.
func (m *machine) move(s *state, p *packet, b int) int {
	r := &m.routes[p.route]
	n := m.in(p, b) - p.out[b]
	if n == 0 || !m.first(s, p, b) {
		return 0
	}
	for _, k := range r.stage[b] {
		if !p.got[k] {
			return 0
		}
	}
	for _, k := range r.next[b] {
		dropped := max(0, r.nodes[k].Drop-p.out[b]) // of the words that are to come
		n = min(n, m.room(s, r.nodes[k].Resource)+dropped)
	}
	if n == 0 {
		return 0
	}
	m.leave(s, held{p, b}, n)
	return 1
}

// gone reports whether all words of the packet have left all buffers.
func (m *machine) gone(p *packet) bool {
	for b, buffer := range m.routes[p.route].buffer {
		if buffer && p.out[b] < p.length-m.routes[p.route].nodes[b].Drop {
			return false
		}
	}
	return true
}
