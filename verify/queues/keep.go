package queues

import (
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
)

// This file leaves packets out of a run.

// Result is a run from the empty network into a deadlock. It has the packets of the deadlock only, in the order in which they enter.
type Result struct {
	Packets []*cdg.Packet // the path of each ends with the last VC that the packet has been given
	Moves   []int32       // packets, in the order in which they are given VCs; the first move of a packet is for its second state
	Flits   [][]int       // by packet and place of its path: flits there at the end
	Chosen  []model.VCID  // by packet: the next hop that the packet has chosen and waits for, or model.NoVC
	Behind  []bool        // by packet: whether its head is behind other packets in a buffer
}

// keep repeats the run with some packets only, then with those of them that block each other, and so on. It returns nil if none
// is left.
func (b *blockade) keep(in func(*packet) bool) *blockade {
	c := b.repeat(in)
	for c != nil && len(c.packets) < len(c.order()) {
		inner := c
		c = c.repeat(func(p *packet) bool { return p.set == inner })
	}
	if c == nil || len(c.packets) == 0 {
		return nil
	}
	return c
}

// repeat makes the moves of some packets. It returns nil if they are impossible.
func (b *blockade) repeat(in func(*packet) bool) *blockade {
	r := &run{Setup: b.Setup, each: b.each, queue: make([][]slot, len(b.queue)), used: make([]int, len(b.used)), sending: make([]*packet, len(b.sending))}
	copies := map[*packet]*packet{}
	for _, p := range b.moves {
		if !in(p) {
			continue
		}
		q := copies[p]
		if q == nil && r.sending[p.source] == nil {
			q = r.create(p.source, p.on[0], p.trails)
			copies[p] = q
		}
		if q == nil || len(q.on) > 1 && r.head(q.on[len(q.on)-1]) != q || !r.canTake(p.on[len(q.on)]) {
			return nil
		}
		r.give(q, p.on[len(q.on)])
	}
	return r.blocked()
}

// order returns the packets of the run in the order in which they enter.
func (r *run) order() (list []*packet) {
	known := map[*packet]bool{}
	for _, p := range r.moves {
		if !known[p] {
			known[p] = true
			list = append(list, p)
		}
	}
	return list
}

// mostTries bounds the packets that fewest tries to leave out.
const mostTries = 300

// fewest leaves out packets that the deadlock does not need.
func (b *blockade) fewest() *blockade {
	b = b.keep(func(p *packet) bool { return p.set == b })
	for i, tries := 0, 0; b != nil && i < len(b.packets) && tries < mostTries; tries++ {
		out := b.order()[i]
		if c := b.keep(func(p *packet) bool { return p != out }); c != nil {
			b = c
		} else {
			i++
		}
	}
	return b
}

// result returns the run. All of its packets must block each other.
func (b *blockade) result() *Result {
	r, number := &Result{}, map[*packet]int32{}
	for i, p := range b.order() {
		number[p] = int32(i)
		t := b.waiting(p)
		q := &cdg.Packet{Source: p.source, Dest: t.Dest}
		k, chosen := len(p.on)-1, model.NoVC
		behind := p.in[k] > 0 && b.isBehind(p, p.on[k])
		if p.in[k] > 0 && !behind {
			chosen, _ = b.choice(t.node)
		}
		var flits []int
		for k := range p.on {
			flits = append(flits, p.in[k]-p.left(k))
		}
		for ; t != nil; t = t.before {
			q.Path = append(q.Path, t.State)
		}
		slices.Reverse(q.Path)
		r.Packets, r.Flits, r.Chosen = append(r.Packets, q), append(r.Flits, flits), append(r.Chosen, chosen)
		r.Behind = append(r.Behind, behind)
	}
	for _, p := range b.moves {
		r.Moves = append(r.Moves, number[p])
	}
	return r
}
