// Package reroute finds orders in which the parts of one forwarding table replace those of another, so that no deadlock and no loop
// arises on the way. A part is all entries of a destination, or all entries of a switch.
//
//   - in service: while a part changes, its packets may meet the old and the new entry at each switch.
//   - drained: while a part changes, no packets meet both.
//   - blocked: parts each of which has to wait for another one of them. No order exists.
//
// The search visits sets of parts that have changed, each once, and leaves a set when the remaining parts block each other. A set is
// safe if the dependencies of its state have no cycle. If all sets that can be reached were visited, no order exists.
//
// A first call:
//
//	c, err := transition.New(old, now)
//	r, err := reroute.Find(ctx, c, reroute.Options{Part: transition.Destination})
//	fmt.Println(r.Answer, r.Steps)
//
// Read first: find.go, then destinations.go with blocked.go, or switches.go; graph.go; fewest.go with windows.go, stops.go,
// via.go.
package reroute
