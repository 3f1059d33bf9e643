package relations

import (
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/transition"
)

// This file walks the states of packets to one destination that meet given entries.
//
// Cost: O(states + hops) for a destination.

// walker walks states. It is not safe for concurrent use.
type walker struct {
	*Change
	seen  []uint32 // by state: the last walk that reached it
	round uint32
	queue []int32
	found []model.Turn
}

// Walk returns a function that returns the dependencies of packets to a destination, sorted and without duplicates. The VC of a stranded
// packet depends on itself.
func (c *Change) Walk() transition.Walk {
	w := &walker{Change: c, seen: make([]uint32, len(c.states))}
	return w.dependencies
}

func (w *walker) dependencies(d model.DestID, meets func(model.SwitchID) transition.Entries) []model.Turn {
	w.found = w.found[:0]
	w.start(d)
	links := model.VCID(w.net.NumLinkVCs())
	for i := 0; i < len(w.queue); i++ {
		state := w.queue[i]
		at, set := w.states[state].vc, meets(w.at(state))
		for side := range w.hops {
			if set>>side&1 == 0 {
				continue
			}
			list, next := w.hops[side].of(state)
			if len(list) == 0 && at < links && !w.drops {
				w.found = append(w.found, model.Turn{In: at, Out: at})
			}
			for j, v := range list {
				if next[j] < 0 {
					continue
				}
				if w.reach(next[j]); at < links {
					w.found = append(w.found, model.Turn{In: at, Out: v})
				}
			}
		}
	}
	slices.SortFunc(w.found, compareTurns)
	return slices.Clone(slices.Compact(w.found))
}

// start begins a walk with the states of packets that have just been created.
func (w *walker) start(d model.DestID) {
	w.round++
	w.queue = w.queue[:0]
	links := model.VCID(w.net.NumLinkVCs())
	for i := w.first[d+1] - 1; i >= w.first[d] && w.states[i].vc >= links; i-- {
		w.reach(i)
	}
}

func (w *walker) reach(state int32) {
	if w.seen[state] != w.round {
		w.seen[state] = w.round
		w.queue = append(w.queue, state)
	}
}

func compareTurns(a, b model.Turn) int {
	if a.In != b.In {
		return int(a.In) - int(b.In)
	}
	return int(a.Out) - int(b.Out)
}
