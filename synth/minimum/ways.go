package minimum

// This file is the propagator for paths: a path of turns that are not prohibited leads from each
// switch with hosts to each other one.
//
// For each switch with hosts, a tree of turns reaches all channels that can be reached. When a
// turn of the tree is prohibited, the tree is grown again. If a switch with hosts is out of reach,
// the reason is a cut: the prohibited turns from reached channels into channels that lead to that
// switch.
//
// Cost: for a tree that is grown again, the number of turns.

type ways struct {
	sources []int32
	words   int
	uses    []uint64  // by turn: a bit for each source whose tree contains it
	tree    [][]int32 // by source: the turns of its tree
	dirty   []uint64
	reached []bool // scratch, by channel
	queue   []int32
}

func (w *ways) init(d *decider) {
	for s, hosted := range d.hosted {
		if hosted {
			w.sources = append(w.sources, int32(s))
		}
	}
	w.words = (len(w.sources) + 63) / 64
	w.uses, w.tree = make([]uint64, len(d.turns)*w.words), make([][]int32, len(w.sources))
	w.dirty = make([]uint64, w.words)
	for i := range w.sources {
		w.dirty[i/64] |= 1 << (i % 64)
	}
	w.reached = make([]bool, d.channels())
}

// prohibit updates the trees after the turns prohibited on the trail since the last call. It
// returns false if some switch with hosts is out of reach.
func (w *ways) prohibit(d *decider) bool {
	for _, l := range d.trail[max(d.waysAt, 0):] {
		if l&1 == 0 {
			for _, t := range d.of[l>>1] {
				for i, word := range w.uses[int(t)*w.words : int(t+1)*w.words] {
					w.dirty[i] |= word
				}
			}
		}
	}
	for i, s := range w.sources {
		if w.dirty[i/64]>>(i%64)&1 == 0 {
			continue
		}
		if lost := w.grow(d, i, s); lost >= 0 {
			lits := w.cut(d, lost)
			return d.fails(lits, d.proof.way(lits, s, lost))
		}
		w.dirty[i/64] &^= 1 << (i % 64)
	}
	return true
}

// grow grows the tree of source i, switch s. It returns a switch with hosts that the tree does not
// reach, or -1 if there is none.
func (w *ways) grow(d *decider, i int, s int32) int32 {
	bit := uint64(1) << (i % 64)
	for _, t := range w.tree[i] {
		w.uses[int(t)*w.words+i/64] &^= bit
	}
	w.tree[i] = w.tree[i][:0]
	clear(w.reached)
	w.queue = w.queue[:0]
	for c, tail := range d.tail {
		if tail == s && (d.closed == nil || !d.closed[c]) {
			w.reached[c] = true
			w.queue = append(w.queue, int32(c))
		}
	}
	for k := 0; k < len(w.queue); k++ {
		for _, t := range d.out[w.queue[k]] {
			if g := d.turns[t].out; !w.reached[g] && d.value[2*d.row[t]] <= 0 {
				w.reached[g] = true
				w.queue = append(w.queue, g)
				w.tree[i] = append(w.tree[i], t)
				w.uses[int(t)*w.words+i/64] |= bit
			}
		}
	}
	return w.lost(d, s)
}

// lost returns a switch with hosts that is not reached, or -1.
func (w *ways) lost(d *decider, s int32) int32 {
	at := make([]bool, d.switches)
	at[s] = true
	for c, r := range w.reached {
		if r {
			at[d.head[c]] = true
		}
	}
	for _, u := range w.sources {
		if !at[u] {
			return u
		}
	}
	return -1
}

// cut returns a clause: one of the prohibited turns from reached channels towards switch goal must
// be allowed.
func (w *ways) cut(d *decider, goal int32) []literal {
	toward := make([]bool, d.channels())
	var queue []int32
	for c, h := range d.head {
		if h == goal {
			toward[c] = true
			queue = append(queue, int32(c))
		}
	}
	for k := 0; k < len(queue); k++ {
		for _, t := range d.in[queue[k]] {
			if f := d.turns[t].in; !w.reached[f] && !toward[f] {
				toward[f] = true
				queue = append(queue, f)
			}
		}
	}
	var lits []literal
	in := make([]bool, len(d.of))
	for t, pair := range d.turns {
		if v := d.row[t]; w.reached[pair.in] && toward[pair.out] && !in[v] {
			in[v] = true
			lits = append(lits, 2*v+1)
		}
	}
	return lits
}
