package agree

import "context"

// This file tries all sets of VCs of a small case.

// mostSets is the largest number of VCs.
const mostSets = 12

// askSets answers by these facts. There is a dependency cycle if and only if in some set of VCs, which is
// not empty, each VC has a dependency on a VC of the set. There is a deadlock configuration if and only
// if in some set, each VC can hold a packet that waits only for VCs of the set. Under wormhole
// switching, such a set is a deadlock of short packets; without such a set there is no answer.
func askSets(_ context.Context, s *subject) (a answers, err error) {
	n := len(s.w.vcs)
	if n > mostSets {
		return a, nil
	}
	after, waits := make([]uint, n), make([][]uint, n)
	for v, list := range s.w.dependencies() {
		for _, w := range list {
			after[v] |= 1 << w
		}
	}
	for _, x := range s.w.waits() {
		var set uint
		for _, o := range x.until {
			set |= 1 << o
		}
		waits[x.on] = append(waits[x.on], set)
	}
	each := func(set uint, has func(v int) bool) bool {
		for v := range n {
			if set>>v&1 == 1 && !has(v) {
				return false
			}
		}
		return true
	}
	cycle, blocked := false, false
	for set := uint(1); set < 1<<n; set++ {
		cycle = cycle || each(set, func(v int) bool { return after[v]&set != 0 })
		blocked = blocked || each(set, func(v int) bool {
			for _, w := range waits[v] {
				if w&^set == 0 {
					return true
				}
			}
			return false
		})
	}
	a[acyclic] = holds(!cycle)
	if blocked || s.c.Switching != "wormhole" {
		a[deadlockFree] = s.unlessUnreached(holds(!blocked))
	}
	return a, nil
}
