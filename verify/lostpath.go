package verify

import (
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/cert"
)

// This file finds the path of a packet that does not arrive.

// lostPath returns a shortest path from state i to a state in which the packet is dropped or delivered to another host. If there
// is none, the packet goes on forever, and the path ends in a state that it visited before.
func (f *follower) lostPath(s *cdg.Space, i int) ([]model.State, string) {
	from := map[int32]int32{int32(i): -1}
	loop := int32(-1) // the nearest state from which no path leads to the destination
	for queue := []int32{int32(i)}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		hops, next := s.HopsOf(int(at))
		end := f.lossAt(s, int(at))
		if end == cert.EndLooping && loop < 0 {
			loop = at
		}
		if end == cert.EndDropped || end == cert.EndWrongHost {
			path := pathBack(s, from, at)
			for k, j := range next {
				if j == cdg.WrongHost && end == cert.EndWrongHost {
					path = append(path, model.State{VC: hops[k].VC, Dest: s.Dest, Class: hops[k].Class})
					break
				}
			}
			return path, end
		}
		for _, j := range next {
			if _, ok := from[j]; j >= 0 && !ok {
				from[j] = at
				queue = append(queue, j)
			}
		}
	}
	if loop < 0 {
		panic("verify: a state from which no lost state can be reached was marked lost")
	}
	path, seen := pathBack(s, from, loop), map[int32]bool{}
	for at := loop; !seen[at]; {
		seen[at] = true
		_, next := s.HopsOf(int(at))
		at = next[0]
		path = append(path, s.States[at])
	}
	return path, cert.EndLooping
}

// pathBack returns the states from the first state to a state, where from has the state before each.
func pathBack(s *cdg.Space, from map[int32]int32, at int32) (path []model.State) {
	for j := at; j >= 0; j = from[j] {
		path = append(path, s.States[j])
	}
	slices.Reverse(path)
	return path
}
