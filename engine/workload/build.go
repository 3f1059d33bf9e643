package workload

import (
	"errors"
	"fmt"
	"slices"
)

// This file completes a graph: it sorts the dependencies, numbers the channels and checks that the
// workload can run.

// builder collects operations and dependencies.
type builder struct {
	Graph
	pairs []pair
}

// pair is a dependency: op requires the end of on, or its start.
type pair struct {
	op, on OpID
	start  bool
}

func newBuilder(name, unit string, ranks int, files ...string) *builder {
	return &builder{Graph: Graph{Name: name, Ranks: ranks, Unit: unit, Files: files}}
}

// add appends an operation.
func (b *builder) add(o Op) OpID {
	b.Ops = append(b.Ops, o)
	return OpID(len(b.Ops) - 1)
}

// require lets op start after the end of each operation of on that is not NoOp.
func (b *builder) require(op OpID, on ...OpID) {
	for _, x := range on {
		if x != NoOp {
			b.pairs = append(b.pairs, pair{op, x, false})
		}
	}
}

// finish checks the operations and returns the graph. Cost: O(operations + dependencies), and a
// map of the channels.
func (b *builder) finish() (*Graph, error) {
	g := &b.Graph
	if len(g.Ops) > maxOps {
		return nil, &Error{File: g.Files[0], Msg: fmt.Sprintf("%d operations, allowed are %d", len(g.Ops), maxOps)}
	}
	for x := range OpID(len(g.Ops)) {
		if err := g.checkOp(x); err != nil {
			return nil, err
		}
	}
	g.after, g.started = b.sort(false), b.sort(true)
	g.needs = make([]int32, len(g.Ops))
	for _, p := range b.pairs {
		g.needs[p.op]++
	}
	if err := g.checkCycles(); err != nil {
		return nil, err
	}
	g.number()
	return g, g.checkCounts()
}

// sort returns the dependencies on ends or on starts by the operation that others wait for.
func (b *builder) sort(start bool) edges {
	e := edges{from: make([]int32, len(b.Ops)+1)}
	for _, p := range b.pairs {
		if p.start == start {
			e.from[p.on+1]++
		}
	}
	for i := range b.Ops {
		e.from[i+1] += e.from[i]
	}
	e.list = make([]OpID, e.from[len(b.Ops)])
	next := slices.Clone(e.from)
	for _, p := range b.pairs {
		if p.start == start {
			e.list[next[p.on]] = p.op
			next[p.on]++
		}
	}
	return e
}

// checkOp fails for values out of range.
func (g *Graph) checkOp(x OpID) error {
	o := &g.Ops[x]
	switch {
	case o.Rank < 0 || int(o.Rank) >= g.Ranks:
		return g.errorAt(x, "no such rank, ranks are 0 to %d", g.Ranks-1)
	case o.Kind == Calc && (o.Amount < 0 || o.Amount > maxTime):
		return g.errorAt(x, "a calculation of %d ns, allowed are 0 to %d", o.Amount, int64(maxTime))
	case o.Kind == Calc:
		return nil
	case o.Amount < 0 || o.Amount > maxBytes:
		return g.errorAt(x, "a message of %d bytes, allowed are 0 to %d", o.Amount, int64(maxBytes))
	case o.Kind == Recv && o.Peer == Any:
		return nil
	case o.Peer < 0 || int(o.Peer) >= g.Ranks:
		return g.errorAt(x, "a message with rank %d, ranks are 0 to %d", o.Peer, g.Ranks-1)
	case o.Kind == Send && o.Tag == Any:
		return g.errorAt(x, "a send needs a tag")
	}
	return nil
}

// channelKey identifies a channel.
type channelKey struct {
	from, to int32
	tag      int64
}

// number gives each send and receive its channel. A rank with a receive of Any has no channels.
func (g *Graph) number() {
	g.Wild = make([]bool, g.Ranks)
	for i := range g.Ops {
		if o := &g.Ops[i]; o.Kind == Recv && (o.Peer == Any || o.Tag == Any) {
			g.Wild[o.Rank] = true
		}
	}
	known := map[channelKey]int32{}
	g.channel = make([]int32, len(g.Ops))
	for i := range g.Ops {
		o := &g.Ops[i]
		key := channelKey{o.Peer, o.Rank, o.Tag}
		if o.Kind == Send {
			key.from, key.to = o.Rank, o.Peer
		}
		if o.Kind == Calc || g.Wild[key.to] {
			g.channel[i] = -1
			continue
		}
		c, ok := known[key]
		if !ok {
			c = int32(len(known))
			known[key] = c
		}
		g.channel[i] = c
	}
	g.channels = len(known)
}

// checkCounts fails if a channel has more sends than receives, or fewer. Of a rank with receives
// of Any it compares the sums.
func (g *Graph) checkCounts() error {
	open, wild := make([]int32, g.channels), make([]int64, g.Ranks)
	for i := range g.Ops {
		o := &g.Ops[i]
		if k := balance(o.Kind); g.channel[i] >= 0 {
			open[g.channel[i]] += k
		} else if o.Kind == Send {
			wild[o.Peer]++
		} else if o.Kind == Recv {
			wild[o.Rank]--
		}
	}
	// The last operations of a channel are those without a partner, so search from the end.
	for x := OpID(len(g.Ops)) - 1; x >= 0; x-- {
		o, left := &g.Ops[x], int64(0)
		switch {
		case o.Kind == Calc:
			continue
		case g.channel[x] >= 0:
			left = int64(open[g.channel[x]])
		case o.Kind == Send:
			left = wild[o.Peer]
		default:
			left = wild[o.Rank]
		}
		if o.Kind == Send && left > 0 {
			return g.errorAt(x, "the %s has no receive", g.Describe(x))
		}
		if o.Kind == Recv && left < 0 {
			return g.errorAt(x, "the %s gets no message: no rank sends it", g.Describe(x))
		}
	}
	return nil
}

// checkCycles fails if operations of a rank wait for each other in a cycle.
func (g *Graph) checkCycles() error {
	needs := slices.Clone(g.needs)
	var ready []OpID
	for x, k := range needs {
		if k == 0 {
			ready = append(ready, OpID(x))
		}
	}
	for done := 0; done < len(ready); done++ {
		for _, e := range [...]*edges{&g.after, &g.started} {
			for _, y := range e.of(ready[done]) {
				if needs[y]--; needs[y] == 0 {
					ready = append(ready, y)
				}
			}
		}
	}
	if len(ready) == len(g.Ops) {
		return nil
	}
	return g.cycleError(needs)
}

// cycleError describes a cycle among the operations with needs.
func (g *Graph) cycleError(needs []int32) error {
	on := map[OpID]OpID{} // an operation that waits: one of those that it waits for
	g.Requires(func(op, other OpID, _ bool) {
		if needs[op] > 0 && needs[other] > 0 {
			on[op] = other
		}
	})
	x := OpID(slices.IndexFunc(needs, func(k int32) bool { return k > 0 }))
	seen := map[OpID]bool{}
	for !seen[x] {
		seen[x] = true
		next, ok := on[x]
		if !ok {
			return errors.New("internal error: a cycle of dependencies without a cycle")
		}
		x = next
	}
	text := ""
	for y, k := on[x], 0; ; y, k = on[y], k+1 {
		if k < 10 {
			text += ", which requires " + g.At(y)
		}
		if y == x {
			return g.errorAt(x, "the %s waits for itself: it%s", g.Describe(x), text[len(", which"):])
		}
	}
}

// balance returns 1 for a send, -1 for a receive, 0 for a calculation.
func balance(k Kind) int32 { return [...]int32{Calc: 0, Send: 1, Recv: -1}[k] }
