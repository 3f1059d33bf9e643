package relationchanges

import "slices"

// This file walks single packets in all interleavings with changes of entries.

// dependency is a pair of VCs.
type dependency [2]int

// The values that an entry can have during a step.
const (
	stays   = 'o' // the old one
	changed = 'n' // the new one
	changes = 'x' // the old one at the beginning, the new one at the end
)

// walking is the walk of packets to one destination.
type walking struct {
	*world
	d        int
	entries  []rune // by switch
	together bool   // all entries that change do so at one time
	deps     map[dependency]bool
	seen     map[[2]int]bool     // by place and set of switches that have changed
	follow   map[[2]int][][2]int // the same: those that follow; nil if not wanted
}

// walk returns the dependencies of packets to destination d, with the self-dependency of stranded ones.
func (w *world) walk(d int, entries []rune, together bool) map[dependency]bool {
	x := &walking{world: w, d: d, entries: entries, together: together, deps: map[dependency]bool{}, seen: map[[2]int]bool{}}
	for _, place := range w.starts(d) {
		x.visit(place, 0)
	}
	return x.deps
}

// returns reports whether a packet to destination d can come back to a place. If all entries change at one time, a packet that does so once, by an
// old entry first and by a new one then, does not count: it is not forwarded for ever.
func (w *world) returns(d int, entries []rune, together bool) bool {
	x := &walking{world: w, d: d, entries: entries, together: together, deps: map[dependency]bool{}, seen: map[[2]int]bool{},
		follow: map[[2]int][][2]int{}}
	for _, place := range w.starts(d) {
		x.visit(place, 0)
	}
	for from := range x.follow {
		reached, todo := map[[2]int]bool{}, [][2]int{from}
		for ; len(todo) > 0; todo = todo[1:] {
			for _, to := range x.follow[todo[0]] {
				if to[0] == from[0] && (!together || to == from) {
					return true
				}
				if !reached[to] {
					reached[to] = true
					todo = append(todo, to)
				}
			}
		}
	}
	return false
}

// visit lets a packet look up its entry at a place, after any entries have changed, and go on.
func (x *walking) visit(place, late int) {
	if x.seen[[2]int{place, late}] {
		return
	}
	x.seen[[2]int{place, late}] = true
	u, n := x.at(place), x.numVCs()
	for set := range 1 << x.switches {
		if set&late != late || x.together && set != 0 && set != 1<<x.switches-1 {
			continue
		}
		side := 0
		if x.entries[u] == changed || x.entries[u] == changes && set>>u&1 != 0 {
			side = 1
		}
		list := x.next[side][x.d][place]
		if len(list) == 0 && place < n && !x.drops {
			x.deps[dependency{place, place}] = true
		}
		for _, to := range list {
			if to == own {
				continue
			}
			if place < n {
				x.deps[dependency{place, to}] = true
			}
			if x.follow != nil {
				x.follow[[2]int{place, late}] = append(x.follow[[2]int{place, late}], [2]int{to, set})
			}
			x.visit(to, set)
		}
	}
}

// cyclic reports whether some VC depends on itself, over any number of steps.
func (w *world) cyclic(sets ...map[dependency]bool) bool { return closes(w.numVCs(), sets...) }

// closes reports whether some number below n depends on itself, over any number of steps: the closure of Warshall.
func closes(n int, sets ...map[dependency]bool) bool {
	reach := make([]bool, n*n)
	for _, set := range sets {
		for d := range set {
			reach[d[0]*n+d[1]] = true
		}
	}
	for k := range n {
		for i := range n {
			for j := 0; reach[i*n+k] && j < n; j++ {
				reach[i*n+j] = reach[i*n+j] || reach[k*n+j]
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
func (w *world) all(value rune) []rune { return slices.Repeat([]rune{value}, w.switches) }

// state returns whether the dependencies have a cycle while the parts of set have changed and those of more change.
func (w *world) state(bySwitch bool, set, more int) bool {
	var sets []map[dependency]bool
	for d := range w.hosts {
		e := w.all(stays)
		for u := range e {
			part := d
			if bySwitch {
				part = u
			}
			switch {
			case more>>part&1 != 0:
				e[u] = changes
			case set>>part&1 != 0:
				e[u] = changed
			}
		}
		sets = append(sets, w.walk(d, e, false))
	}
	return w.cyclic(sets...)
}

// orderExists reports whether an order of single parts exists, by reaching sets from the empty one.
func (w *world) orderExists(bySwitch, drained bool, last int) bool {
	if w.state(bySwitch, 0, 0) {
		return false
	}
	reached, todo := map[int]bool{0: true}, []int{0}
	for ; len(todo) > 0; todo = todo[1:] {
		for p := 1; p <= last; p <<= 1 {
			next := todo[0] | p
			if p&last == 0 || todo[0] == next || reached[next] || !drained && w.state(bySwitch, todo[0], p) || w.state(bySwitch, next, 0) {
				continue
			}
			reached[next] = true
			todo = append(todo, next)
		}
	}
	return reached[last]
}

// fewest returns the fewest steps in service, or -1 if no order exists.
func (w *world) fewest(bySwitch bool, last int) int {
	if w.state(bySwitch, 0, 0) || w.state(bySwitch, last, 0) {
		return -1
	}
	steps := map[int]int{0: 0}
	for todo := []int{0}; len(todo) > 0; todo = todo[1:] {
		for more := 1; more <= last; more++ {
			next := todo[0] | more
			if _, ok := steps[next]; !ok && more&^last == 0 && todo[0]&more == 0 && !w.state(bySwitch, todo[0], more) {
				steps[next] = steps[todo[0]] + 1
				todo = append(todo, next)
			}
		}
	}
	if n, ok := steps[last]; ok {
		return n
	}
	return -1
}
