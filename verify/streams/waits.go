package streams

import (
	"fmt"

	"github.com/turnproof/turnproof/model/streams"
)

// This file says what agents and packets of a stuck state wait for.

// Wait is one wait of a stuck state.
type Wait struct {
	Who string `json:"who"` // an agent, or a packet by its route and sender
	For string `json:"for"`
	// Holds lists the resources that a packet holds.
	Holds []string `json:"holds,omitempty"`
}

// waits returns the waits of agents that have not ended, then of packets.
func (m *machine) waits(s *state) (list []Wait) {
	for a := range s.at {
		if w, ok := m.agentWaits(s, a); ok {
			list = append(list, w)
		}
	}
	for _, p := range s.packets {
		list = append(list, m.packetWaits(s, p))
	}
	return list
}

func (m *machine) agentWaits(s *state, a int) (Wait, bool) {
	agent := &m.p.Agents[a]
	if s.at[a] == len(agent.Program) {
		return Wait{}, false
	}
	x := agent.Program[s.at[a]]
	w := Wait{Who: agent.Name}
	switch x.Kind {
	case streams.Acquire:
		w.For = fmt.Sprintf("%s to be %d, which is %d", m.p.Counters[x.Object].Name, x.Amount, s.value[x.Object])
	case streams.Send:
		w.For = fmt.Sprintf("room for the last %d of %d words of its packet on %s", s.left[a], x.Amount, m.p.Routes[x.Object].Name)
	case streams.Take:
		w.For = fmt.Sprintf("the last %d of %d words at %s", s.left[a], x.Amount, m.p.Resources[x.Object].Name)
	}
	return w, true
}

func (m *machine) packetWaits(s *state, p *packet) Wait {
	r := &m.routes[p.route]
	w := Wait{Who: fmt.Sprintf("the packet of %d words on %s of %s", p.length, m.p.Routes[p.route].Name, m.p.Agents[p.agent].Name)}
	for k, n := range r.nodes {
		if s.holder[n.Resource] == (held{p, k}) {
			w.Holds = append(w.Holds, m.p.Resources[n.Resource].Name)
		}
	}
	w.For = m.blocker(s, p)
	return w
}

// blocker says why no word of a packet moves.
func (m *machine) blocker(s *state, p *packet) string {
	r := &m.routes[p.route]
	if !p.got[0] {
		return m.heldText(s, r.nodes[0].Resource)
	}
	for b := range r.nodes {
		if !r.buffer[b] || m.in(p, b) == p.out[b] {
			continue
		}
		at := r.nodes[b].Resource
		switch {
		case !m.first(s, p, b):
			return fmt.Sprintf("the packet on %s before it in %s", m.p.Routes[s.queue[at][0].p.route].Name, m.p.Resources[at].Name)
		case r.leaf[b]:
			return "the receiver at " + m.p.Resources[at].Name
		}
		for _, k := range r.stage[b] {
			if !p.got[k] && s.holder[r.nodes[k].Resource].p != nil {
				return m.heldText(s, r.nodes[k].Resource)
			}
		}
	}
	return "more of its words"
}

func (m *machine) heldText(s *state, resource int) string {
	h := s.holder[resource]
	if h.p == nil {
		return m.p.Resources[resource].Name
	}
	return fmt.Sprintf("%s, which the packet on %s holds", m.p.Resources[resource].Name, m.p.Routes[h.p.route].Name)
}
