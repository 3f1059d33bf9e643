// Package minimum looks for the fewest prohibited turns of a network, and for a proof that
// there cannot be fewer.
//
// Five words:
//
//   - rank: a number of a channel; turns that fall are prohibited, so no cycle is closed;
//   - joined: a way of rising ranks leads from each switch with hosts to each other;
//   - packing: weighted cycles, at most 1 in sum on each turn;
//   - bound: the weights in sum, rounded up; fewer turns break no cycle packing;
//   - gap: from the bound to the fewest found.
//
// A first call:
//
//	r, err := minimum.Find(ctx, network, minimum.Options{Time: 10 * time.Second})
//	// r.Least turns are prohibited; r.Packing shows that r.Bound must be
//
// What it does not do: where the gap stays open it searches no further than annealing
// and packing; the bound does not look at connectedness.
package minimum
