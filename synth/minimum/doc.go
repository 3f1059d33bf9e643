// Package minimum searches for the fewest prohibited turns of a network, and proves that there
// cannot be fewer.
//
// Five words:
//
//   - rank: a number of each channel. A turn falls if its rank does not increase. Turns that fall are
//     prohibited, so the allowed turns close no cycle.
//   - joined: a path of rising ranks leads from each switch with hosts to each other one.
//   - packing: weighted cycles, with a total weight of at most 1 on each turn.
//   - bound: a lower bound on the number of prohibited turns. It is the total weight of a packing,
//     rounded up. If the packing is too weak, a search refutes the next numbers and writes a proof.
//   - gap: the difference between the bound and the fewest turns found.
//
// A first call:
//
//	r, err := minimum.Find(ctx, network, minimum.Options{Time: 10 * time.Second})
//	// r.Least turns are prohibited; r.Packing shows that at least r.Bound must be
//
// Annealing (anneal.go) searches for sets. At the same time packing (packing.go) raises the bound,
// and then decisions (decide.go) find a smaller set or refute that one exists.
//
// Read first: find.go, then anneal.go (sets), packing.go (bounds) and decide.go (a search that writes its proof;
// cycles.go, ways.go, budget.go draw its conclusions).
package minimum
