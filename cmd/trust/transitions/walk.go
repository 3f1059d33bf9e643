package transitions

// This file walks single packets in all interleavings with changes of entries.

// dependency is a pair of virtual channels: channel*2 + class each.
type dependency [2]int

// entries says for each entry of a destination, by switch, what can happen to it during a step.
type entries []rune

// The values of entries.
const (
	stays   = 'o' // the old entry
	changed = 'n' // the new entry
	changes = 'x' // the old one at the beginning, the new one at the end
)

// walked is what packets to a destination do.
type walked struct {
	deps  map[dependency]bool
	loops bool // some packet comes back to a channel while no entry changes
}

// walk lets packets to destination d walk. A packet is created at any time, entries that change do so at any time, once.
func (w *world) walk(d int, e entries) walked { return w.walkAs(d, e, false) }

// walkAs is walk, where all entries change at one time if together is true.
func (w *world) walkAs(d int, e entries, together bool) walked {
	x := &walking{w, d, e, together, walked{deps: map[dependency]bool{}}, map[place]bool{}}
	for h, u := range w.hosts {
		for class := range w.classes {
			send := 0
			if e[u] != changed {
				send |= w.sends[0][d][h]
			}
			if e[u] != stays {
				send |= w.sends[1][d][h]
			}
			if h == d || send>>class&1 == 0 {
				continue
			}
			x.change(0, 0, func(switched int) {
				if next := x.entry(u, switched); next >= 0 {
					x.visit(place{next, class, switched})
				}
			})
		}
	}
	for s := range x.seen { // follow the entries as they are, for as many hops as there are channels and one more
		at, hops := s.at, 0
		for ; at >= 0 && hops <= 2*len(w.links); hops++ {
			at = x.entry(w.head(at), s.switched)
		}
		x.out.loops = x.out.loops || at >= 0
	}
	return x.out
}

// place is the channel and the class of a packet, and which entries have changed: bit u of switched for switch u.
type place struct{ at, class, switched int }

// walking is the walk of packets to one destination.
type walking struct {
	*world
	d        int
	e        entries
	together bool
	out      walked
	seen     map[place]bool
}

// entry returns the entry of switch u.
func (x *walking) entry(u, switched int) int {
	if x.e[u] == changed || x.e[u] == changes && switched>>u&1 != 0 {
		return x.tables[1][x.d][u]
	}
	return x.tables[0][x.d][u]
}

// change lets any of the entries from switch u on change now.
func (x *walking) change(u, switched int, then func(switched int)) {
	switch {
	case x.together:
		if then(switched); switched == 0 {
			then(1<<x.switches - 1)
		}
	case u == x.switches:
		then(switched)
	default:
		x.change(u+1, switched, then)
		if x.e[u] == changes && switched>>u&1 == 0 {
			x.change(u+1, switched|1<<u, then)
		}
	}
}

// visit lets a packet go on from a place, after any entries have changed.
func (x *walking) visit(s place) {
	if x.seen[s] {
		return
	}
	x.seen[s] = true
	x.change(0, s.switched, func(switched int) {
		if next := x.entry(x.head(s.at), switched); next >= 0 {
			x.out.deps[dependency{s.at*2 + s.class, next*2 + s.class}] = true
			x.visit(place{next, s.class, switched})
		}
	})
}

// cyclic reports whether some virtual channel depends on itself, over any number of steps: the closure of Warshall.
func (w *world) cyclic(sets ...map[dependency]bool) bool {
	n := 4 * len(w.links)
	reach := make([]bool, n*n)
	for _, set := range sets {
		for d := range set {
			reach[d[0]*n+d[1]] = true
		}
	}
	for k := range n {
		for i := range n {
			if reach[i*n+k] {
				for j := range n {
					reach[i*n+j] = reach[i*n+j] || reach[k*n+j]
				}
			}
		}
	}
	for i := range n {
		if reach[i*n+i] {
			return true
		}
	}
	return false
}

// all returns the same value for the entries of all switches.
func (w *world) all(value rune) entries {
	e := make(entries, w.switches)
	for u := range e {
		e[u] = value
	}
	return e
}
