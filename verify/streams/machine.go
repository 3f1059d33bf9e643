package streams

import (
	"slices"

	"github.com/turnproof/turnproof/model/streams"
)

// This file holds what does not change during a run: the stages of routes, and which
// resources and counters are contended.
//
// A resource is contended if packets from two different places can ask for it. The place of a node is
// the buffer before it, or at the root the agent that sends. Packets from one place come one after the
// other, so the order in which they get the resource is fixed. A counter is contended if two agents acquire it.
// Everything but the giving of contended objects is a step that no other step prevents and whose
// result does not depend on other steps. So all such steps can be made first, in any order.

// machine is a problem, prepared for running.
type machine struct {
	p      *streams.Problem
	routes []route
	// raced says, by resource, then by counter, whether it is contended.
	raced []bool
	// places holds, by resource, the places that ask for it, ascending; by counter, the agents
	// that acquire it. A place is a buffer, or the number of resources plus an agent.
	places [][]int
	loops  int
	loopOf [][]int   // by agent and action: the number of the loop that begins there, or -1
	ends   [][][]int // by agent and action: the beginnings of the loops that end behind it, inner first
	sends  [][]int   // by route: the agents that send on it
	least  []int     // by route: the words of the shortest packet that is sent
}

// route is a route with its stages.
type route struct {
	nodes  []streams.Node
	words  []int   // by node: of its resource
	up     []int   // by node: the buffer before it, or -1
	stage  [][]int // by node, if it is a buffer: the nodes of its stage
	next   [][]int // by node, if it is a buffer: the next buffers
	leaf   []bool
	buffer []bool
}

func newMachine(p *streams.Problem) *machine {
	m := &machine{p: p, raced: make([]bool, len(p.Resources)+len(p.Counters)), places: make([][]int, len(p.Resources)+len(p.Counters))}
	m.sends, m.least = make([][]int, len(p.Routes)), make([]int, len(p.Routes))
	for a := range p.Agents {
		m.prepareAgent(a)
	}
	for i := range p.Routes {
		m.routes = append(m.routes, m.prepareRoute(i))
	}
	for i, list := range m.places {
		slices.Sort(list)
		m.places[i] = slices.Compact(list)
		m.raced[i] = len(m.places[i]) > 1
	}
	return m
}

func (m *machine) prepareAgent(a int) {
	program := m.p.Agents[a].Program
	loopOf, ends := make([]int, len(program)), make([][]int, len(program))
	for i, x := range program {
		loopOf[i] = -1
		switch x.Kind {
		case streams.Send:
			if len(m.sends[x.Object]) == 0 || x.Amount < m.least[x.Object] {
				m.least[x.Object] = x.Amount
			}
			m.sends[x.Object] = append(m.sends[x.Object], a)
		case streams.Acquire:
			m.places[len(m.p.Resources)+x.Object] = append(m.places[len(m.p.Resources)+x.Object], len(m.p.Resources)+a)
		case streams.Repeat:
			loopOf[i] = m.loops
			m.loops++
			ends[i+x.Object] = append([]int{i}, ends[i+x.Object]...)
		}
	}
	m.loopOf, m.ends = append(m.loopOf, loopOf), append(m.ends, ends)
}

func (m *machine) prepareRoute(i int) route {
	nodes := m.p.Routes[i].Nodes
	r := route{nodes: nodes, up: m.p.Upstream(&m.p.Routes[i]), stage: make([][]int, len(nodes)), next: make([][]int, len(nodes)),
		leaf: make([]bool, len(nodes)), buffer: make([]bool, len(nodes)), words: make([]int, len(nodes))}
	for k, n := range nodes {
		r.words[k] = m.p.Resources[n.Resource].Words
		r.buffer[k], r.leaf[k] = r.words[k] > 0, true
		if k == 0 {
			for _, a := range m.sends[i] {
				m.places[n.Resource] = append(m.places[n.Resource], len(m.p.Resources)+a)
			}
			continue
		}
		r.leaf[n.Parent] = false
		up := r.up[k]
		r.stage[up] = append(r.stage[up], k)
		if r.buffer[k] {
			r.next[up] = append(r.next[up], k)
		}
		if len(m.sends[i]) > 0 {
			m.places[n.Resource] = append(m.places[n.Resource], nodes[up].Resource)
		}
	}
	return r
}
