package minimum

import "math/bits"

// This file counts the pairs of switches that no rising path joins, and updates the count as
// channels move.
//
// For each channel, a row of bits records the switches that it reaches. For each switch, a row is
// the union over its output channels. When a channel moves, the rows of the channels with changed
// turns are computed again, the highest first, then those of the predecessors of each changed row.
// Most rows stay the same, since other paths reach the same switches. A move can be undone.
//
// Cost: for a move, the recomputed channels times their turns and words; for the first count, that
// of all channels.

// reach records which switches each channel reaches over rising paths.
type reach struct {
	words  int
	row    []uint64 // by channel: bits of the switches that it reaches
	from   []uint64 // by switch: bits of the switches that it reaches, including itself
	hosts  []uint64 // bits of the switches with hosts
	missed []int    // by switch with hosts: number of other such switches that it does not reach
	apart  int      // number of pairs that are not joined

	undo   []uint64 // previous rows: the words of a row, then its channel
	queue  []int32  // heap of channels, the highest first
	queued []bool
	fresh  []uint64 // scratch
	old    []int32  // switches whose row in from changed; oldRow and oldMis hold the previous from and missed
	oldRow []uint64
	oldMis []int
	seen   []bool // by switch: whether it is in old
}

func (r *reach) init(x *instance) {
	w := (x.switches + 63) / 64
	r.words = w
	r.row, r.from, r.hosts, r.fresh = make([]uint64, x.channels()*w), make([]uint64, x.switches*w), make([]uint64, w), make([]uint64, w)
	r.missed, r.queued, r.seen = make([]int, x.switches), make([]bool, x.channels()), make([]bool, x.switches)
	for u, hosted := range x.hosted {
		if hosted {
			r.hosts[u/64] |= 1 << (u % 64)
		}
	}
}

// join computes all rows and counts.
func (a *annealer) join() {
	r := &a.reach
	a.sort()
	for i := len(a.order) - 1; i >= 0; i-- {
		a.work(a.order[i])
		copy(r.row[int(a.order[i])*r.words:], r.fresh)
	}
	r.apart = 0
	for u := range int32(a.switches) {
		r.missed[u] = 0
		a.workSwitch(u)
		r.apart += r.missed[u]
	}
}

// work computes the row of channel c into r.fresh.
func (a *annealer) work(c int32) {
	r := &a.reach
	f := r.fresh
	clear(f)
	h := a.head[c]
	f[h/64] |= 1 << (h % 64)
	k := a.key[c]
	for _, t := range a.out[c] {
		b := int(a.turns[t].out)
		switch {
		case k >= a.key[b] || a.both && a.falls(a.reverse[t]):
		case r.words == 1:
			f[0] |= r.row[b]
		default:
			for i, word := range r.row[b*r.words : (b+1)*r.words] {
				f[i] |= word
			}
		}
	}
}

// workSwitch computes the row of switch u and the number of switches that u does not reach.
func (a *annealer) workSwitch(u int32) {
	r := &a.reach
	s := r.from[int(u)*r.words : int(u+1)*r.words]
	clear(s)
	s[u/64] |= 1 << (u % 64)
	for _, c := range a.leaves[u] {
		for i, word := range r.row[int(c)*r.words : int(c+1)*r.words] {
			s[i] |= word
		}
	}
	if a.hosted[u] {
		k := 0
		for i, word := range r.hosts {
			k += bits.OnesCount64(word &^ s[i])
		}
		r.missed[u] = k
	}
}

// moved updates all rows and counts after the key of channel c has changed from old.
func (a *annealer) moved(c int32, old float64) {
	r := &a.reach
	r.undo, r.old, r.oldRow, r.oldMis = r.undo[:0], r.old[:0], r.oldRow[:0], r.oldMis[:0]
	a.enqueue(c)
	key := a.key[c]
	for _, t := range a.in[c] {
		if k := a.key[a.turns[t].in]; (k >= old) != (k >= key) {
			a.enqueue(a.turns[t].in)
			if a.both {
				a.enqueue(a.turns[a.reverse[t]].in)
			}
		}
	}
	if a.both {
		for _, t := range a.out[c] {
			if k := a.key[a.turns[t].out]; (old >= k) != (key >= k) {
				a.enqueue(a.turns[a.reverse[t]].in)
			}
		}
	}
	w := r.words
	for len(r.queue) > 0 {
		d := a.dequeue()
		a.work(d)
		row := r.row[int(d)*w : int(d+1)*w]
		same := true
		for i, word := range r.fresh {
			same = same && word == row[i]
		}
		if same {
			continue
		}
		r.undo = append(append(r.undo, row...), uint64(d))
		copy(row, r.fresh)
		if u := a.tail[d]; !r.seen[u] {
			r.seen[u] = true
			r.old = append(r.old, u)
		}
		k := a.key[d]
		for _, t := range a.in[d] {
			if b := a.turns[t].in; a.key[b] < k && !r.queued[b] && (!a.both || !a.falls(a.reverse[t])) {
				a.enqueue(b)
			}
		}
	}
	for _, u := range r.old {
		r.seen[u] = false
		r.oldRow = append(r.oldRow, r.from[int(u)*w:int(u+1)*w]...)
		r.oldMis = append(r.oldMis, r.missed[u])
		r.apart -= r.missed[u]
		a.workSwitch(u)
		r.apart += r.missed[u]
	}
}

// takeBack undoes the last call of moved.
func (r *reach) takeBack() {
	w := r.words
	for n := len(r.undo); n > 0; n -= w + 1 {
		copy(r.row[int(r.undo[n-1])*w:], r.undo[n-1-w:n-1])
	}
	for i, u := range r.old {
		copy(r.from[int(u)*w:], r.oldRow[i*w:(i+1)*w])
		r.apart += r.oldMis[i] - r.missed[u]
		r.missed[u] = r.oldMis[i]
	}
}

func (a *annealer) enqueue(c int32) {
	r := &a.reach
	if r.queued[c] {
		return
	}
	r.queued[c] = true
	r.queue = append(r.queue, c)
	i := len(r.queue) - 1
	for i > 0 {
		p := (i - 1) / 2
		if a.key[r.queue[p]] >= a.key[c] {
			break
		}
		r.queue[i] = r.queue[p]
		i = p
	}
	r.queue[i] = c
}

func (a *annealer) dequeue() int32 {
	r := &a.reach
	top, n := r.queue[0], len(r.queue)-1
	c := r.queue[n]
	r.queue = r.queue[:n]
	r.queued[top] = false
	if n == 0 {
		return top
	}
	i := 0
	for {
		k := 2*i + 1
		if k >= n {
			break
		}
		if k+1 < n && a.key[r.queue[k+1]] > a.key[r.queue[k]] {
			k++
		}
		if a.key[r.queue[k]] <= a.key[c] {
			break
		}
		r.queue[i] = r.queue[k]
		i = k
	}
	r.queue[i] = c
	return top
}
