package relationchanges

import (
	"fmt"
	"slices"
)

// This file searches runs of all packets with all changes of single entries, until packets block each other.

// mostRuns bounds the states of a search.
const mostRuns = 20_000

// held is a packet on a VC: its destination plus 1, or 0 for none, and the next places that it waits for.
type held struct {
	d    int
	list []int
}

// moment is a state: what is on each VC, and which entries have changed.
type moment struct {
	on       []held
	switched uint64 // by d*switches+u
}

// reachesDeadlock reports whether some run reaches a state where packets block each other. complete is false if the search was cut off.
func (w *world) reachesDeadlock() (reached, complete bool) {
	seen := map[string]bool{}
	todo := []moment{{on: make([]held, w.numVCs())}}
	push := func(m moment) {
		if key := fmt.Sprint(m); !seen[key] {
			seen[key] = true
			todo = append(todo, m)
		}
	}
	for len(todo) > 0 {
		if len(seen) > mostRuns {
			return false, false
		}
		m := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if w.blocked(m) {
			return true, true
		}
		for d := range w.hosts {
			for u := range w.switches {
				if bit := uint64(1) << (d*w.switches + u); m.switched&bit == 0 && w.differs(d, u) {
					push(moment{m.on, m.switched | bit})
				}
			}
		}
		for e, u := range w.hosts {
			for d := range w.hosts {
				if e != d {
					w.waits(m, d, w.numVCs()+u, func(list []int) { w.leave(m, -1, d, list, push) })
				}
			}
		}
		for v, p := range m.on {
			if p.d > 0 {
				w.leave(m, v, p.d-1, p.list, push)
			}
		}
	}
	return false, true
}

// waits calls visit for each list of next places that a packet at a place can wait for.
func (w *world) waits(m moment, d, place int, visit func(list []int)) {
	side := int(m.switched >> (d*w.switches + w.at(place)) & 1)
	list := w.next[side][d][place]
	if !w.one || len(list) == 0 {
		visit(list)
		return
	}
	for _, to := range list {
		visit([]int{to})
	}
}

// leave lets a packet on a VC, or a new one if from is negative, take one of the next places that are free.
func (w *world) leave(m moment, from, d int, list []int, push func(moment)) {
	for _, to := range list {
		next := moment{slices.Clone(m.on), m.switched}
		if from >= 0 {
			next.on[from] = held{}
		}
		if to == own {
			push(next)
			continue
		}
		if m.on[to].d > 0 {
			continue
		}
		w.waits(m, d, to, func(then []int) {
			if len(then) == 0 && w.drops {
				push(next)
				return
			}
			other := moment{slices.Clone(next.on), next.switched}
			other.on[to] = held{d + 1, then}
			push(other)
		})
	}
}

// blocked reports whether packets remain if those leave that can go on, one after the other.
func (w *world) blocked(m moment) bool {
	stays := make([]bool, len(m.on))
	for v, p := range m.on {
		stays[v] = p.d > 0
	}
	for moved := true; moved; {
		moved = false
		for v, p := range m.on {
			if stays[v] && slices.ContainsFunc(p.list, func(to int) bool { return to == own || !stays[to] }) {
				stays[v], moved = false, true
			}
		}
	}
	return slices.Contains(stays, true)
}
