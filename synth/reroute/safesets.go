package reroute

import (
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/transition"
)

// mostCounted is the largest number of switches whose sets are counted: 2^12 states.
const mostCounted = 12

// SafeSets returns how many sets of changed switches are states without a cycle of dependencies, and how many sets there are. It returns
// 0, 0 if more than 12 switches change.
func SafeSets(c Change) (safe, sets int) {
	list := c.Switches()
	if len(list) > mostCounted {
		return 0, 0
	}
	walk := c.Walk()
	meets := make([]transition.Entries, c.Network().NumSwitches())
	for set := range 1 << len(list) {
		for u := range meets {
			meets[u] = transition.OldEntry
		}
		for i, u := range list {
			if set>>i&1 != 0 {
				meets[u] = transition.NewEntry
			}
		}
		g, ok := newGraph(c.Network()), true
		for d := model.DestID(0); ok && int(d) < c.NumDestinations(); d++ {
			ok = g.add(g.ids(walk(d, func(u model.SwitchID) transition.Entries { return meets[u] })))
		}
		if ok {
			safe++
		}
	}
	return safe, 1 << len(list)
}
