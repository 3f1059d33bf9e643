package cert

import "fmt"

// This file defines what the judges of tables and relations share.

// A State is the VC that a packet is on and the class that it has. The destination
// of the packet is not part of the State; functions take it beside the State.
type State struct{ VC, Class int32 }

func (s State) String() string { return fmt.Sprintf("VC %d with class %d", s.VC, s.Class) }

// A forwarding is a validated table or relation.
type forwarding interface {
	// enumerate visits every reachable state and every dependency. It rejects the
	// certificate if a dependency contradicts an order, or a state the escape.
	// If escape is nil, no claim rests on an escape.
	enumerate(orders []order, escape *escapeOrder) (*facts, error)
	// Traffic returns the number of sources, and the endpoint by destination.
	Traffic() (sources int, ends []int32)
	// talks reports whether endpoint e, a source, sends packets to destination d of another endpoint.
	talks(e, d int32) bool
	// starts reports whether endpoint e may send to destination d with class k.
	// If k is -1, it reports whether any class exists for the pair.
	starts(e, d int, k int32) bool
	// Next appends the permitted next hops of a reachable state to list.
	Next(d int, at State, list []State) []State
	// permits reports whether the hop from a reachable state to another is permitted.
	permits(d int, from, to State) bool
	// commits reports whether a packet in a reachable state waits for one next hop.
	commits(d int, at State) bool
	// arrives reports whether some path leads from a reachable state to the
	// ejection channel of the destination's endpoint.
	arrives(d int, at State) bool
}

// An order is the ranks of a claim, by VC between switches.
type order struct {
	claim string
	ranks []int32
	every bool // true: every next hop must lead to a greater rank; false: at least one
}

// facts are the results of enumerating all reachable states.
type facts struct {
	pairs       int64 // pairs of source and destination
	unreachable int64 // pairs of which some packet can get lost
	hops        int64 // the most switches that a packet passes, if loops is -1
	loops       int   // a destination for which some packet can come back to a state, or -1
}
