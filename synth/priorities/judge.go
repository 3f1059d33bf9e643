package priorities

import (
	"math/bits"

	"github.com/turnproof/turnproof/model"
)

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

// usage has for each turn the priorities with which frames make it, as a mask.
type usage []uint64

func (g usage) has(u use) bool { return g[u.turn]>>u.p&1 != 0 }

// each calls visit for each turn and priority.
func (g usage) each(visit func(u use)) {
	for t, mask := range g {
		for ; mask != 0; mask &= mask - 1 {
			visit(use{int32(t), int8(bits.TrailingZeros64(mask))})
		}
	}
}

// reached returns the turns that frames make, each with the priorities with which they come. top is the highest priority that they get.
func (r *Routes) reached(x *rules) (used usage, top int) {
	used = make(usage, len(r.Turns))
	var seen []uint64 // by node: priorities, as a mask
	var todo []use    // turn is a node here
	for i := range r.flows {
		f := &r.flows[i]
		seen = append(seen[:0], make([]uint64, len(f.channel))...)
		go1 := func(s step, p int) {
			used[s.turn] |= 1 << p
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

// graph is what waits for what under rules.
type graph struct {
	*Routes
	x    *rules
	used usage
	k    int // priorities that frames have
}

func (r *Routes) graphOf(x *rules, used usage, top int) *graph { return &graph{r, x, used, top + 1} }

// turnsFrom returns the turns from each channel, ascending.
func (r *Routes) turnsFrom() [][]int32 {
	if r.from == nil || r.numbered != len(r.Turns) {
		r.from, r.numbered = make([][]int32, r.Net.NumChannels()), len(r.Turns)
		for i, t := range r.Turns {
			if t.In != model.NoChannel {
				r.from[t.In] = append(r.from[t.In], int32(i))
			}
		}
	}
	return r.from
}

// waits calls visit for each turn by which frames in a buffer wait for another one, with that.
func (g *graph) waits(b buffer, visit func(u use, to buffer)) {
	for _, t := range g.turnsFrom()[b.c] {
		if u := (use{t, b.p}); g.used.has(u) {
			visit(u, buffer{g.Turns[t].Out, int8(g.x.at(t, int(b.p)))})
		}
	}
}

// index numbers the buffers.
func (g *graph) index(b buffer) int { return int(b.c)*g.k + int(b.p) }

// at returns the buffer of a number.
func (g *graph) at(i int) buffer { return buffer{model.ChannelID(i / g.k), int8(i % g.k)} }
