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
func (w *world) walk(d int, e entries) walked {
	out := walked{deps: map[dependency]bool{}}
	type state struct{ at, class, switched int } // the channel that the packet is on; bit u of switched: entry u has changed
	seen := map[state]bool{}
	var visit func(s state)
	entry := func(u, switched int) int {
		if e[u] == changed || e[u] == changes && switched>>u&1 != 0 {
			return w.tables[1][d][u]
		}
		return w.tables[0][d][u]
	}
	var change func(u, switched int, then func(switched int))
	change = func(u, switched int, then func(switched int)) { // any of the entries from u on may change now
		if u == w.switches {
			then(switched)
			return
		}
		change(u+1, switched, then)
		if e[u] == changes && switched>>u&1 == 0 {
			change(u+1, switched|1<<u, then)
		}
	}
	visit = func(s state) {
		if seen[s] {
			return
		}
		seen[s] = true
		change(0, s.switched, func(switched int) {
			next := entry(w.head(s.at), switched)
			if next < 0 {
				return
			}
			out.deps[dependency{s.at*2 + s.class, next*2 + s.class}] = true
			visit(state{next, s.class, switched})
		})
	}
	for h, u := range w.hosts {
		for class := range w.classes {
			if h == d || w.sends[d][h]>>class&1 == 0 {
				continue
			}
			change(0, 0, func(switched int) {
				if next := entry(u, switched); next >= 0 {
					visit(state{next, class, switched})
				}
			})
		}
	}
	for s := range seen { // follow the entries as they are, for as many hops as there are channels and one more
		at, hops := s.at, 0
		for ; at >= 0 && hops <= 2*len(w.links); hops++ {
			at = entry(w.head(at), s.switched)
		}
		out.loops = out.loops || at >= 0
	}
	return out
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
