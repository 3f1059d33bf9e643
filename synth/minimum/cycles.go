package minimum

import "slices"

// This file propagates: of each dependency cycle one turn is prohibited.
//
// Kept up: which channels each channel leads to by allowed turns, and the other way, as
// bits. A turn that would lead from a channel to one that leads back to it is prohibited.
// Its reason is a shortest such way back.
// Cost: for an allowed turn, channels × words.

// closure knows what leads to what.
type closure struct {
	words    int
	to, from []uint64 // by channel: the channels that it leads to, that lead to it; itself too
	undo     []uint64 // rows as they were: the row's words, then its place
	marks    []int    // by literal on the trail that was processed: undo before it
	dist     []int32  // scratch
	by       []int32
	queue    []int32
}

func (c *closure) init(d *decider) {
	k := d.channels()
	c.words = (k + 63) / 64
	c.to, c.from = make([]uint64, k*c.words), make([]uint64, k*c.words)
	for i := range k {
		c.to[i*c.words+i/64] = 1 << (i % 64)
		c.from[i*c.words+i/64] = 1 << (i % 64)
	}
	c.dist, c.by = make([]int32, k), make([]int32, k)
}

// save keeps a row of to (side 0) or from (side 1).
func (c *closure) save(side, row int) {
	list := c.to
	if side == 1 {
		list = c.from
	}
	c.undo = append(append(c.undo, list[row*c.words:(row+1)*c.words]...), uint64(2*row+side))
}

// back takes back what was allowed from a place in the trail on.
func (c *closure) back(d *decider, from int) {
	if len(c.marks) <= from {
		return
	}
	until := c.marks[from]
	for len(c.undo) > until {
		n := len(c.undo)
		at := int(c.undo[n-1])
		list := c.to
		if at&1 == 1 {
			list = c.from
		}
		copy(list[at/2*c.words:(at/2+1)*c.words], c.undo[n-1-c.words:n-1])
		c.undo = c.undo[:n-1-c.words]
	}
	c.marks = c.marks[:from]
}

// allow draws the conclusions of a variable's turns being allowed.
func (c *closure) allow(d *decider, v int32) bool {
	for len(c.marks) <= d.cyclesAt {
		c.marks = append(c.marks, len(c.undo))
	}
	w := c.words
	for _, t := range d.of[v] {
		a, b := int(d.turns[t].in), int(d.turns[t].out)
		if c.to[b*w+a/64]>>(a%64)&1 == 1 {
			lits, n := c.cycle(d, t, len(d.trail))
			return d.fails(lits, n)
		}
		if c.to[a*w+b/64]>>(b%64)&1 == 1 {
			continue
		}
		before, after := c.from[a*w:(a+1)*w], c.to[b*w:(b+1)*w]
		k := d.channels()
		for u := range k { // rows of others than a and b, which are read
			if before[u/64]>>(u%64)&1 == 1 && u != b {
				c.save(0, u)
				row := c.to[u*w : (u+1)*w]
				for i := range row {
					row[i] |= after[i]
				}
			}
			if after[u/64]>>(u%64)&1 == 1 && u != a {
				c.save(1, u)
				row := c.from[u*w : (u+1)*w]
				for i := range row {
					row[i] |= before[i]
				}
			}
		}
		for f := range k {
			if after[f/64]>>(f%64)&1 == 0 {
				continue
			}
			for _, back := range d.out[f] {
				g := int(d.turns[back].out)
				if u := d.row[back]; d.value[2*u] == 0 && before[g/64]>>(g%64)&1 == 1 {
					d.assign(2*u, byCycle)
				}
			}
		}
	}
	return true
}

// why names the cycle for which a variable is prohibited.
func (c *closure) why(d *decider, v int32) ([]literal, int32) {
	var best []literal
	for _, t := range d.of[v] {
		if lits := c.wayBack(d, t, d.at[v]); lits != nil && (best == nil || len(lits) < len(best)) {
			best = lits
		}
	}
	if best == nil {
		panic("minimum: a turn is prohibited without a cycle")
	}
	return best, d.proof.axiom(kindCycle, best)
}

// cycle names a cycle through turn t whose other turns are allowed on the trail before until.
func (c *closure) cycle(d *decider, t int32, until int) ([]literal, int32) {
	lits := c.wayBack(d, t, until)
	if lits == nil {
		panic("minimum: no cycle where one was closed")
	}
	return lits, d.proof.axiom(kindCycle, lits)
}

// wayBack finds a shortest way back over turns that were allowed on the trail before until.
// The clause holds the turns of the cycle in its order, t first.
func (c *closure) wayBack(d *decider, t int32, until int) []literal {
	for i := range c.by {
		c.by[i] = -1
	}
	start, goal := d.turns[t].out, d.turns[t].in
	c.queue = append(c.queue[:0], start)
	for i := 0; i < len(c.queue) && c.by[goal] < 0; i++ {
		for _, next := range d.out[c.queue[i]] {
			u := d.row[next]
			if g := d.turns[next].out; d.value[2*u+1] > 0 && d.at[u] < until && g != start && c.by[g] < 0 {
				c.by[g] = next
				c.queue = append(c.queue, g)
			}
		}
	}
	if c.by[goal] < 0 {
		return nil
	}
	lits := []literal{}
	for g := goal; g != start; g = d.turns[c.by[g]].in {
		if l := 2 * d.row[c.by[g]]; !slices.Contains(lits, l) {
			lits = append(lits, l)
		}
	}
	if l := 2 * d.row[t]; !slices.Contains(lits, l) {
		lits = append(lits, l)
	}
	slices.Reverse(lits)
	return lits
}
