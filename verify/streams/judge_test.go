package streams

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model/streams"
)

// This file is a judge that shares no code with the search: it moves single words, makes one step at a time in
// every possible order, and visits every state. It follows the rules in model/streams/problem.go.

// word is one word of a packet: number i of packet id, whose node is where it is.
type word struct{ id, node, i int }

type judgePacket struct {
	route, agent, length, written int
	got                           [8]bool
}

type judgeState struct {
	pc      []int    // by agent: in the unrolled program
	part    []int    // by agent: words of the action that are done, or -1
	value   []int    // by counter
	owner   []int    // by resource: the packet that holds it, or -1
	ownNode []int    // by resource: the node by which it holds it
	words   [][]word // by buffer, in order
	line    [][]int  // by buffer: the packets that got it and have words to come or to go, in order
	packets []judgePacket
}

type judge struct {
	p        *streams.Problem
	programs [][]streams.Action // unrolled; a loop without end comes back to its beginning
	back     []int              // by agent: where the unrolled program goes on after its end, or -1
}

// unroll writes a program without loops. Only a loop without end at the end of the program stays.
func unroll(list []streams.Action) (out []streams.Action, back int) {
	back = -1
	for i := 0; i < len(list); i++ {
		x := list[i]
		if x.Kind != streams.Repeat {
			out = append(out, x)
			continue
		}
		body, _ := unroll(list[i+1 : i+1+x.Object])
		if x.Amount == 0 {
			back = len(out)
			return append(out, body...), back
		}
		for range x.Amount {
			out = append(out, body...)
		}
		i += x.Object
	}
	return out, back
}

func newJudge(p *streams.Problem) *judge {
	j := &judge{p: p}
	for _, a := range p.Agents {
		list, back := unroll(a.Program)
		j.programs, j.back = append(j.programs, list), append(j.back, back)
	}
	return j
}

// hangs visits every state. It returns whether some state has no step while a required agent has not ended, and false for
// known if there are more than most states.
func (j *judge) hangs(most int) (hang, known bool) {
	start := judgeState{pc: make([]int, len(j.p.Agents)), part: slices.Repeat([]int{-1}, len(j.p.Agents)),
		owner: slices.Repeat([]int{-1}, len(j.p.Resources)), ownNode: make([]int, len(j.p.Resources)),
		words: make([][]word, len(j.p.Resources)), line: make([][]int, len(j.p.Resources))}
	for _, c := range j.p.Counters {
		start.value = append(start.value, c.Value)
	}
	seen := map[string]bool{fmt.Sprint(start): true}
	todo := []judgeState{start}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		next := j.steps(s)
		if len(next) == 0 {
			for a := range s.pc {
				if j.p.Agents[a].Required && s.pc[a] < len(j.programs[a]) {
					return true, true
				}
			}
		}
		for _, n := range next {
			if key := fmt.Sprint(n); !seen[key] {
				if seen[key] = true; len(seen) > most {
					return false, false
				}
				todo = append(todo, n)
			}
		}
	}
	return false, true
}

func (s judgeState) copy() judgeState {
	c := judgeState{slices.Clone(s.pc), slices.Clone(s.part), slices.Clone(s.value), slices.Clone(s.owner), slices.Clone(s.ownNode),
		make([][]word, len(s.words)), make([][]int, len(s.line)), slices.Clone(s.packets)}
	for i := range s.words {
		c.words[i], c.line[i] = slices.Clone(s.words[i]), slices.Clone(s.line[i])
	}
	return c
}

// steps returns the states after each possible step.
func (j *judge) steps(s judgeState) (list []judgeState) {
	for a := range s.pc {
		if n, ok := j.agentStep(s, a); ok {
			list = append(list, n)
		}
	}
	for id := range s.packets {
		for k := range j.p.Routes[s.packets[id].route].Nodes {
			if j.canGet(&s, id, k) {
				n := s.copy()
				j.get(&n, id, k)
				list = append(list, n)
			}
		}
	}
	for b := range s.words {
		if n, ok := j.wordStep(s, b); ok {
			list = append(list, n)
		}
	}
	return list
}

func (j *judge) agentStep(s judgeState, a int) (judgeState, bool) {
	if s.pc[a] == len(j.programs[a]) {
		return s, false
	}
	x := j.programs[a][s.pc[a]]
	n := s.copy()
	ended := false
	switch x.Kind {
	case streams.Acquire:
		if s.value[x.Object] < x.Amount {
			return s, false
		}
		n.value[x.Object] -= x.Amount
		ended = true
	case streams.Release:
		n.value[x.Object] += x.Amount
		ended = true
	case streams.Send:
		if s.part[a] < 0 {
			n.part[a] = 0
			n.packets = append(n.packets, judgePacket{route: x.Object, agent: a, length: x.Amount})
			return n, true
		}
		id := -1
		for k, p := range s.packets {
			if p.agent == a {
				id = k
			}
		}
		root := j.p.Routes[x.Object].Nodes[0].Resource
		if s.owner[root] != id || len(s.words[root]) == j.p.Resources[root].Words {
			return s, false
		}
		n.words[root] = append(n.words[root], word{id, 0, s.part[a]})
		n.packets[id].written++
		n.part[a]++
		if ended = n.part[a] == x.Amount; ended {
			n.owner[root] = -1
		}
	case streams.Take:
		w := s.words[x.Object]
		if len(w) == 0 || len(j.children(s.packets[w[0].id].route, w[0].node)) > 0 || x.Route >= 0 && s.packets[w[0].id].route != x.Route {
			return s, false
		}
		n.part[a] = max(0, n.part[a]) + 1
		n.words[x.Object] = w[1:]
		if w[0].i == s.packets[w[0].id].length-1 {
			n.line[x.Object] = n.line[x.Object][1:]
		}
		ended = n.part[a] == x.Amount
	}
	if ended {
		n.part[a] = -1
		if n.pc[a]++; n.pc[a] == len(j.programs[a]) && j.back[a] >= 0 {
			n.pc[a] = j.back[a]
		}
	}
	return n, true
}

func (j *judge) children(route, node int) (list []int) {
	for k, n := range j.p.Routes[route].Nodes {
		if n.Parent == node {
			list = append(list, k)
		}
	}
	return list
}

// canGet reports whether a packet asks for node k and its resource is free.
func (j *judge) canGet(s *judgeState, id, k int) bool {
	p := &s.packets[id]
	nodes := j.p.Routes[p.route].Nodes
	if p.got[k] || s.owner[nodes[k].Resource] >= 0 {
		return false
	}
	if k == 0 {
		return true
	}
	parent := nodes[k].Parent
	at := nodes[parent].Resource
	if j.p.Resources[at].Words == 0 {
		return p.got[parent]
	}
	return len(s.words[at]) > 0 && s.words[at][0].id == id && s.words[at][0].node == parent
}

func (j *judge) get(s *judgeState, id, k int) {
	at := j.p.Routes[s.packets[id].route].Nodes[k].Resource
	s.packets[id].got[k] = true
	s.owner[at], s.ownNode[at] = id, k
	if j.p.Resources[at].Words > 0 {
		s.line[at] = append(s.line[at], id)
	}
}

// wordStep moves the first word of a buffer to the next buffers of its route.
func (j *judge) wordStep(s judgeState, b int) (judgeState, bool) {
	if len(s.words[b]) == 0 {
		return s, false
	}
	w := s.words[b][0]
	p := &s.packets[w.id]
	var stage, into []int
	var collect func(node int)
	collect = func(node int) {
		for _, k := range j.children(p.route, node) {
			stage = append(stage, k)
			if j.p.Resources[j.p.Routes[p.route].Nodes[k].Resource].Words > 0 {
				into = append(into, k)
			} else {
				collect(k)
			}
		}
	}
	collect(w.node)
	if len(stage) == 0 {
		return s, false
	}
	nodes := j.p.Routes[p.route].Nodes
	for _, k := range stage {
		if !p.got[k] {
			return s, false
		}
	}
	for _, k := range into {
		if at := nodes[k].Resource; w.i >= nodes[k].Drop && len(s.words[at]) == j.p.Resources[at].Words {
			return s, false
		}
	}
	n := s.copy()
	n.words[b] = n.words[b][1:]
	for _, k := range into {
		if w.i >= nodes[k].Drop {
			n.words[nodes[k].Resource] = append(n.words[nodes[k].Resource], word{w.id, k, w.i})
		}
	}
	if w.i == p.length-1 {
		n.line[b] = n.line[b][1:]
		for _, k := range stage {
			n.owner[nodes[k].Resource] = -1
		}
	}
	return n, true
}
