package minimum

import "slices"

// This file is the propagator for cycles: each dependency cycle has a prohibited turn.
//
// Two bit matrices record which channels each channel reaches over allowed turns, and which
// channels reach it. A turn is prohibited if its output channel reaches its input channel. The
// reason is a shortest path back from the output channel to the input channel.
//
// Cost: for an allowed turn, channels × words.

// closure is the transitive closure of the allowed turns.
type closure struct {
	words    int
	to, from []uint64 // by channel: the channels that it reaches, and those that reach it, including itself
	undo     []uint64 // previous rows: the words of a row, then its index
	marks    []int    // by processed literal on the trail: length of undo before it
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

// save records a row of to (side 0) or from (side 1) for back.
func (c *closure) save(side, row int) {
	list := c.to
	if side == 1 {
		list = c.from
	}
	c.undo = append(append(c.undo, list[row*c.words:(row+1)*c.words]...), uint64(2*row+side))
}

// back undoes allow for the trail at or after position from.
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

// allow adds the turns of variable v, which has become allowed, and prohibits all turns that would
// now close a cycle. It returns false if the turns of v close a cycle.
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
		for u := range k { // rows a and b are read here and do not change
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

// why returns the clause of a cycle that implies that variable v is prohibited, and its number in
// the proof.
func (c *closure) why(d *decider, v int32) ([]literal, int32) {
	var best []literal
	for _, t := range d.of[v] {
		if lits := c.pathBack(d, t, d.at[v]); lits != nil && (best == nil || len(lits) < len(best)) {
			best = lits
		}
	}
	if best == nil {
		panic("minimum: a turn is prohibited without a cycle")
	}
	return best, d.proof.axiom(kindCycle, best)
}

// cycle returns the clause of a cycle through turn t, and its number in the proof. All other turns
// of the cycle are allowed on the trail before position until.
func (c *closure) cycle(d *decider, t int32, until int) ([]literal, int32) {
	lits := c.pathBack(d, t, until)
	if lits == nil {
		panic("minimum: no cycle where one was closed")
	}
	return lits, d.proof.axiom(kindCycle, lits)
}

// pathBack finds a shortest path back over turns allowed on the trail before position until. It
// returns the variables of the cycle as a clause, starting with turn t, in the order of the cycle.
// It returns nil if there is no such path.
func (c *closure) pathBack(d *decider, t int32, until int) []literal {
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
