// Package minimum looks for the fewest prohibited turns of a network, and for a proof that
// there cannot be fewer.
//
// Five words:
//
//   - rank: a number of a channel; turns that fall are prohibited, so no cycle is closed;
//   - joined: a way of rising ranks leads from each switch with hosts to each other;
//   - packing: weighted cycles, at most 1 in sum on each turn;
//   - bound: the weights in sum, rounded up; fewer turns break no cycle packing. Where that is
//     not enough, each number from there on is refuted by a search that writes its proof;
//   - gap: from the bound to the fewest found.
//
// A first call:
//
//	r, err := minimum.Find(ctx, network, minimum.Options{Time: 10 * time.Second})
//	// r.Least turns are prohibited; r.Packing shows that r.Bound must be
//
// Three searches run side by side: annealing (anneal.go) for sets, packing (packing.go) for
// bounds, and then decisions (decide.go), which find a set or refute that there is one.
package minimum
