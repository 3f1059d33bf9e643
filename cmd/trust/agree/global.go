package agree

import (
	"context"
	"errors"
)

// This file visits all states of a tiny network under virtual cut-through or
// store-and-forward, one packet to a VC: which packet is on which VC. A packet is created at
// any time, goes on to any permitted VC that is empty, and leaves where it may. A deadlock is
// reached if in some state packets are left after all have been taken away, again and again,
// that could go on if those taken away were not there.
//
// What is proved free of deadlock must reach none; and where each packet of a configuration
// can be created at the tail of its VC, one must be reached. That none is reached else says
// nothing: a configuration need not be.

// mostGlobal is the number of states of the network up to which they are visited.
const mostGlobal = 3000

// global is a visit to all states. A state of the network is a number of mixed radix, by VC a
// digit: 0 empty, or one more than the place of the packet's state in at.
type global struct {
	w     *walk
	at    [][]int // by VC: the packets' states on it
	digit []int   // by packets' state
	unit  []int   // by VC
}

func askGlobal(_ context.Context, s *subject) (a answers, err error) {
	if s.c.Switching == "wormhole" {
		return a, nil
	}
	g := &global{w: s.w, at: make([][]int, len(s.w.vcs)), digit: make([]int, len(s.w.at)), unit: make([]int, len(s.w.vcs))}
	for i, on := range s.w.on {
		if on >= 0 {
			g.at[on] = append(g.at[on], i)
			g.digit[i] = len(g.at[on])
		}
	}
	size := 1
	for v := range g.at {
		g.unit[v] = size
		if size *= len(g.at[v]) + 1; size > mostGlobal {
			return a, nil
		}
	}
	switch reached := g.reached(size); {
	case reached:
		a[deadlockFree] = refuted
	case g.atTails():
		return a, errors.New("packets created at the tails of their VCs block each other, but no state does")
	default:
		a[deadlockFree] = notFrozen
	}
	return a, nil
}

// on gives the state of the packet on a VC, -1 where it is empty.
func (g *global) on(state, v int) int {
	d := state / g.unit[v] % (len(g.at[v]) + 1)
	if d == 0 {
		return -1
	}
	return g.at[v][d-1]
}

// with gives the state after a packet has come to state j of its own, where that VC is empty.
func (g *global) with(state, j int) (int, bool) {
	v := g.w.on[j]
	return state + g.digit[j]*g.unit[v], g.on(state, v) < 0
}

// reached visits states from the empty network on.
func (g *global) reached(size int) bool {
	seen := make([]bool, size)
	seen[0] = true
	add := func(list []int, state int) []int {
		if !seen[state] {
			seen[state] = true
			list = append(list, state)
		}
		return list
	}
	for list := []int{0}; len(list) > 0; {
		state := list[len(list)-1]
		list = list[:len(list)-1]
		if g.blocked(state) {
			return true
		}
		for i, next := range g.w.next {
			rest, v := state, g.w.on[i]
			if v >= 0 {
				if g.on(state, v) != i {
					continue
				}
				rest -= g.digit[i] * g.unit[v]
			}
			if len(next) == 0 && v >= 0 {
				list = add(list, rest) // dropped
			}
			for _, j := range next {
				if j < 0 {
					if v >= 0 {
						list = add(list, rest)
					}
				} else if to, ok := g.with(state, j); ok {
					list = add(list, to-state+rest)
				}
			}
		}
	}
	return false
}

// blocked reports whether packets are left that never can go on.
func (g *global) blocked(state int) bool {
	left := map[int]int{} // packets' states by VC
	for v := range g.at {
		if i := g.on(state, v); i >= 0 {
			left[v] = i
		}
	}
	for more := true; more; {
		more = false
		for v, i := range left {
			free := len(g.w.next[i]) == 0
			for _, j := range g.w.next[i] {
				if j < 0 {
					free = true
				} else if _, ok := left[g.w.on[j]]; !ok {
					free = true
				}
			}
			if free {
				delete(left, v)
				more = true
			}
		}
	}
	return len(left) > 0
}

// atTails reports whether packets that have just been created block each other: states are
// taken away that wait for a VC with none of them, until nothing changes.
func (g *global) atTails() bool {
	left := make([][]int, len(g.at))
	for i, on := range g.w.on {
		if on >= 0 {
			continue
		}
		for _, j := range g.w.next[i] {
			if j >= 0 {
				left[g.w.on[j]] = append(left[g.w.on[j]], j)
			}
		}
	}
	for more := true; more; {
		more = false
		for v, list := range left {
			var keep []int
			for _, i := range list {
				ok := len(g.w.next[i]) > 0
				for _, j := range g.w.next[i] {
					ok = ok && j >= 0 && len(left[g.w.on[j]]) > 0
				}
				if ok {
					keep = append(keep, i)
				}
			}
			more = more || len(keep) < len(list)
			left[v] = keep
		}
	}
	for _, list := range left {
		if len(list) > 0 {
			return true
		}
	}
	return false
}
