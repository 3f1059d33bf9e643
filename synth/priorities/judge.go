package priorities

import "github.com/turnproof/turnproof/model"

// This file finds the buffers that frames reach under rules, and circles of them.

// rules has for each turn and priority the next priority. A turn without an entry keeps all priorities.
type rules struct {
	k    int
	to   [][]int8 // by turn, nil: keeps all
	turn int      // number of turns
}

func newRules(turns, k int) *rules { return &rules{k: k, to: make([][]int8, turns), turn: turns} }

// at returns the priority after a turn.
func (x *rules) at(turn int32, p int) int {
	if x.to[turn] == nil {
		return p
	}
	return int(x.to[turn][p])
}

// set sets the priority after a turn.
func (x *rules) set(turn int32, p, q int) {
	if x.to[turn] == nil {
		x.to[turn] = make([]int8, x.k)
		for i := range x.to[turn] {
			x.to[turn][i] = int8(i)
		}
	}
	x.to[turn][p] = int8(q)
}

// use is a turn of frames with a priority.
type use struct {
	turn int32
	p    int8
}

// reached returns the turns that frames make, each with the priorities with which they come. top is the highest priority that they get.
func (r *Routes) reached(x *rules) (used map[use]bool, top int) {
	used = map[use]bool{}
	for i := range r.flows {
		f := &r.flows[i]
		seen := make([]uint64, len(f.channel)) // priorities, as a mask
		var todo []use                         // turn is a node here
		go1 := func(s step, p int) {
			used[use{s.turn, int8(p)}] = true
			q := x.at(s.turn, p)
			top = max(top, q)
			if seen[s.node]>>q&1 == 0 {
				seen[s.node] |= 1 << q
				todo = append(todo, use{s.node, int8(q)})
			}
		}
		for _, s := range f.starts {
			go1(s, 0)
		}
		for len(todo) > 0 {
			at := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			for _, s := range f.next[at.turn] {
				go1(s, int(at.p))
			}
		}
	}
	return used, top
}

// buffer is a channel with a priority.
type buffer struct {
	c model.ChannelID
	p int8
}

// graph has for each buffer the turns by which frames in it wait for others.
type graph map[buffer][]use

// graphOf returns what waits for what, given the turns that frames make.
func (r *Routes) graphOf(used map[use]bool) graph {
	g := graph{}
	for u := range used {
		if t := r.Turns[u.turn]; t.In != model.NoChannel {
			g[buffer{t.In, u.p}] = append(g[buffer{t.In, u.p}], u)
		}
	}
	return g
}

// after returns the buffer that frames of a turn wait for.
func (r *Routes) after(x *rules, u use) buffer {
	return buffer{r.Turns[u.turn].Out, int8(x.at(u.turn, int(u.p)))}
}
