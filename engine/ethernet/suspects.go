package ethernet

import "slices"

// This file finds, before the run, the accounts that could ever be part of a freeze.
//
// By (2) of frozen.go each account of a freeze has frames that continue to another account of the
// freeze. So the same reduction, with the paths of the flows in place of frames, leaves all
// accounts that can freeze. The others need no search; if the paths have no cycle, no search is
// needed at all. Cost: O(hops of all flows).

// findSuspects computes the suspects: the greatest set of accounts each of which is followed by
// another one of the set on the path of some flow.
func (s *Sim) findSuspects() {
	s.suspect = make([]bool, len(s.account))
	before := make([][]int32, len(s.account)) // by account: its predecessors on paths, some twice
	after := make([]int, len(s.account))      // number of suspects that follow
	for at := range s.place {
		p := &s.place[at]
		if p.last {
			continue
		}
		s.suspect[p.account] = true
		if next := &s.place[at+1]; !next.last {
			before[next.account] = append(before[next.account], p.account)
			after[p.account]++
		}
	}
	var out []int32
	for i, yes := range s.suspect {
		if yes && after[i] == 0 {
			out = append(out, int32(i))
		}
	}
	for len(out) > 0 {
		i := out[len(out)-1]
		out = out[:len(out)-1]
		s.suspect[i] = false
		for _, k := range before[i] {
			if after[k]--; after[k] == 0 {
				out = append(out, k)
			}
		}
	}
	s.maySuspect = slices.Contains(s.suspect, true) && s.o.Watchdog == 0 // the watchdog ends each freeze
}
