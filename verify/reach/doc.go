// Package reach decides whether packets can get to their places together, from the empty network.
//
// Terms:
//
//   - A state is where a packet can be: a VC between switches, a destination and a class. A Model has all
//     states and the hops between them.
//   - The place of a packet is a list of states, from its tail to its head. The packet holds their VCs. Under
//     virtual cut-through and store-and-forward a place has one state.
//   - A move takes the head of one packet into a next VC that no packet holds. Then its tail leaves a VC if
//     the packet holds more VCs than its place has.
//   - A schedule is a list of moves, each named by its packet. The first move of a packet injects it.
//
// Premises: a VC holds flits of one packet at a time. A packet that fills k VCs lies on the last k VCs of its path, or
// on all of them. A packet may stop anywhere for any time, so moves come in any order. Hosts send one packet after
// the other.
//
// A first call:
//
//	r := reach.Search(ctx, m, places, reach.MaxVisits)
//	if r.Answer == reach.Yes { fmt.Println(r.Moves) }
//
// The package does not know relations. verify/worms/meet.go makes a Model of a relation, and Along one of given paths.
//
// Read first: doc.go (the packet model), search.go.
package reach
