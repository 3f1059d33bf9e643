// Package relations decides what packets can meet while one routing relation replaces another on the same network. It is for routings that are
// no forwarding tables: the next hops may depend on where a packet comes from, there may be several, and they may lead to several VCs.
//
//   - entry: the next hops of all states at a switch for a destination. Entries, switches or destinations change at once, as in package
//     transition.
//   - union: the states that packets can reach which meet the old or the new entry at each hop. A change lists them once, with both
//     kinds of hops. All questions are about this list.
//   - stranded: a packet in a state without a next hop, where switches do not drop packets. It holds its VC for ever, so the VC depends on
//     itself.
//   - order of lookups: the packets of a cycle meet their entries if some order of all lookups and changes lets them. Each entry changes once.
//
// A mixture whose dependencies have no cycle is free of deadlock, whatever packets choose. A cycle refutes if each packet on it waits for one
// hop and an order of lookups exists. Else the mixture is undecided.
//
// A first call:
//
//	c, err := relations.New(ctx, old, now, relations.Options{})
//	m, err := c.MixtureOf(ctx, transition.Entry, false)
//	fmt.Println(m.Cycle, m.Undecided)
//
// Package synth/reroute finds orders of steps. The judge is verify/cert/transition.
//
// Read first: change.go, traffic.go, align.go (cables that are gone); mixture.go with graph.go, packets.go, circle.go; walk.go; evidence.go.
package relations
