package transitions

import "github.com/turnproof/turnproof/verify/transition" // the kinds of steps only

// This file decides by all sets of changed parts whether an order exists.

// step is the state of all entries while a part changes, or while none does: by destination and switch.
type step []entries

// state returns the dependencies of a step as sets, one for each destination.
func (w *world) state(s step) (sets []map[dependency]bool) {
	for d := range w.hosts {
		sets = append(sets, w.walk(d, s[d]).deps)
	}
	return sets
}

// values returns a step in which the parts of set have changed, those of more change, and others have not.
func (w *world) values(bySwitch bool, set, more int) step {
	var s step
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
		s = append(s, e)
	}
	return s
}

// parts returns the parts whose entries differ.
func (w *world) parts(bySwitch bool) (list []int) {
	n := len(w.hosts)
	if bySwitch {
		n = w.switches
	}
	for p := range n {
		if w.partDiffers(bySwitch, p) {
			list = append(list, p)
		}
	}
	return list
}

func (w *world) partDiffers(bySwitch bool, p int) bool {
	for d := range w.hosts {
		for u := range w.switches {
			if w.differs(d, u) && (bySwitch && u == p || !bySwitch && d == p) {
				return true
			}
		}
	}
	return false
}

// safe reports whether the parts of more can change together after the parts of a set, or if more is 0 whether the set is a safe state.
func (w *world) safe(bySwitch, drained bool, set, more int) bool {
	if more > 0 && drained {
		return true // the states before and after are what counts
	}
	return !w.cyclic(w.state(w.values(bySwitch, set, more))...)
}

// orderExists reports whether an order of single parts exists, by reaching sets from the empty one.
func (w *world) orderExists(bySwitch, drained bool) bool {
	list := w.parts(bySwitch)
	last := 0
	for _, p := range list {
		last |= 1 << p
	}
	if !w.safe(bySwitch, drained, 0, 0) {
		return false
	}
	reached, todo := map[int]bool{0: true}, []int{0}
	for ; len(todo) > 0; todo = todo[1:] {
		for _, p := range list {
			next := todo[0] | 1<<p
			if todo[0] == next || reached[next] || !w.safe(bySwitch, drained, todo[0], 1<<p) || !w.safe(bySwitch, drained, next, 0) {
				continue
			}
			reached[next] = true
			todo = append(todo, next)
		}
	}
	return reached[last]
}

// safeSets counts the sets of switches that are safe states, and all sets.
func (w *world) safeSets() (safe, sets int) {
	list := w.parts(true)
	for k := range 1 << len(list) {
		set := 0
		for i, p := range list {
			set |= k >> i & 1 << p
		}
		if w.safe(true, true, set, 0) {
			safe++
		}
		sets++
	}
	return safe, sets
}

// holds reports whether an order of sets that was found is one: each part once, each step and state safe.
func (w *world) holds(bySwitch, drained bool, order []int) bool {
	set := 0
	if !w.safe(bySwitch, drained, 0, 0) {
		return false
	}
	for _, more := range order {
		if set&more != 0 || !w.safe(bySwitch, drained, set, more) {
			return false
		}
		if set |= more; !w.safe(bySwitch, drained, set, 0) {
			return false
		}
	}
	for _, p := range w.parts(bySwitch) {
		if set>>p&1 == 0 {
			return false
		}
	}
	return true
}

// fewest returns the fewest steps in service, or -1 if no order exists.
func (w *world) fewest(bySwitch bool) int {
	last := 0
	for _, p := range w.parts(bySwitch) {
		last |= 1 << p
	}
	if !w.safe(bySwitch, false, 0, 0) || !w.safe(bySwitch, false, last, 0) {
		return -1
	}
	steps := map[int]int{0: 0}
	for todo := []int{0}; len(todo) > 0; todo = todo[1:] {
		for more := 1; more <= last; more++ {
			next := todo[0] | more
			if _, ok := steps[next]; !ok && more&^last == 0 && todo[0]&more == 0 && w.safe(bySwitch, false, todo[0], more) {
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

// stopsHold reports whether steps are safe in which destinations stop, others change in service, and the stopped ones get packets
// again. Each step is a kind and a set.
func (w *world) stopsHold(kinds []transition.Kind, sets []int) bool {
	done, stopped := 0, 0
	safe := func(more int) bool {
		var deps []map[dependency]bool
		for d, e := range w.values(false, done, more) {
			if stopped>>d&1 == 0 {
				deps = append(deps, w.walk(d, e).deps)
			}
		}
		return !w.cyclic(deps...)
	}
	for i, set := range sets {
		switch kinds[i] {
		case transition.Stop:
			stopped |= set
		case transition.Resume:
			if stopped&set != set {
				return false
			}
			stopped, done = stopped&^set, done|set
		default:
			if done&set != 0 || stopped&set != 0 || !safe(set) {
				return false
			}
			done |= set
		}
		if !safe(0) {
			return false
		}
	}
	for _, p := range w.parts(false) {
		if done>>p&1 == 0 {
			return false
		}
	}
	return stopped == 0
}
