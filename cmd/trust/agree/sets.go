package agree

import "context"

// This file tries all sets of VCs of tiny cases.

// mostSets is the number of VCs up to which they are tried.
const mostSets = 12

// askSets: there is a dependency cycle iff some set of VCs, not empty, has for each of its
// VCs a dependency within the set; and a deadlock configuration iff in some set each VC can
// hold a packet that waits for VCs of the set only. Under wormhole switching such a set is a
// deadlock of short packets, and that there is none says nothing.
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
		a[deadlockFree] = holds(!blocked)
	}
	return a, nil
}
