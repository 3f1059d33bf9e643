package transitions

// This file decides by all sets of changed parts whether an order exists.

// step is the state of all entries while a part changes, or while none does: by destination and switch.
type step []entries

// state returns the dependencies of a step as sets, one for each destination that is not left out.
func (w *world) state(s step, left int) (sets []map[dependency]bool) {
	for d := range w.hosts {
		if d != left {
			sets = append(sets, w.walk(d, s[d]).deps)
		}
	}
	return sets
}

// values returns a step in which parts of the set have changed, part p of a kind changes, and others have not. p may be -1.
func (w *world) values(bySwitch bool, set, p int) step {
	var s step
	for d := range w.hosts {
		e := w.all(stays)
		for u := range e {
			part := d
			if bySwitch {
				part = u
			}
			switch {
			case part == p:
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

// safe reports whether a part can change after the parts of a set, or with p = -1 whether the set is a safe state.
func (w *world) safe(bySwitch, drained bool, set, p int) bool {
	if p >= 0 && drained {
		return true // the states before and after are what counts
	}
	return !w.cyclic(w.state(w.values(bySwitch, set, p), -1)...)
}

// orderExists reports whether an order of single parts exists, by reaching sets from the empty one.
func (w *world) orderExists(bySwitch, drained bool) bool {
	list := w.parts(bySwitch)
	last := 0
	for _, p := range list {
		last |= 1 << p
	}
	if !w.safe(bySwitch, drained, 0, -1) {
		return false
	}
	reached, todo := map[int]bool{0: true}, []int{0}
	for ; len(todo) > 0; todo = todo[1:] {
		for _, p := range list {
			next := todo[0] | 1<<p
			if todo[0] == next || reached[next] || !w.safe(bySwitch, drained, todo[0], p) || !w.safe(bySwitch, drained, next, -1) {
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
		if w.safe(true, true, set, -1) {
			safe++
		}
		sets++
	}
	return safe, sets
}

// holds reports whether an order that was found is one: each part once, each step and state safe.
func (w *world) holds(bySwitch, drained bool, order []int) bool {
	set := 0
	if !w.safe(bySwitch, drained, 0, -1) {
		return false
	}
	for _, p := range order {
		if set>>p&1 != 0 || !w.safe(bySwitch, drained, set, p) {
			return false
		}
		if set |= 1 << p; !w.safe(bySwitch, drained, set, -1) {
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
