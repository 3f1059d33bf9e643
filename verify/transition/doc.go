// Package transition decides what packets can meet while one forwarding table replaces another on the same network.
//
//   - part: what changes at once: an entry, all entries of a switch, or all entries of a destination.
//   - mixture: the state in which a packet may meet the old or the new entry at some switches. A packet looks up its entry when it enters
//     a switch, and keeps the next hop.
//   - step: parts that change together. In a drained step, no packet meets both entries.
//
// A mixture is free of deadlock if its dependencies have no cycle (Dally and Seitz 1987); a cycle is packets that can block each
// other. J. Duato, O. Lysne, R. Pang and T. M. Pinkston, IEEE Transactions on Parallel and Distributed Systems 16(5), 2005, give the theory.
//
// A first call:
//
//	c, err := transition.New(old, now)
//	m, err := c.Mixture(ctx)
//	fmt.Println(m.Cycle, m.Loops)
//
// Package synth/reroute finds orders of steps. The judge is verify/cert/transition.
//
// Read first: doc.go, change.go, mixture.go with lasso.go, atomic.go, walk.go; evidence.go.
package transition
