// Package layers gives the paths of routes few virtual channels (VCs) so that they are free of
// deadlock: no cycle of dependencies is left. It also shows how many VCs are needed at least.
//
// Five words:
//
//   - path: the channels between switches that packets of some pairs use;
//   - layer: the VC that a path, or all paths of a pair, keeps on every link (InfiniBand: a service
//     level that is mapped to a virtual lane). By hop, a path may use several VCs (Mode);
//   - first fit: put each path into the first layer where it closes no cycle;
//   - clique: paths of which each two close a cycle, so each needs a layer of its own;
//   - core: paths that need as many VCs as the bound says; Evidence proves it.
//
// A first call, for one path for each pair:
//
//	routes, err := layers.Collect(ctx, table)
//	r, err := layers.Find(ctx, routes, layers.Options{Time: 10 * time.Second})
//	// r.Layers are enough, r.Bound are needed, r.Of[i] is the layer of routes.Paths[i]
//
// For several paths, CollectPaths or CollectPairs takes the place of Collect. FindHops takes that of
// Find if the VC may change from hop to hop.
//
// To find the fewest layers is NP-complete (J. Domke, T. Hoefler and W. E. Nagel, Deadlock-free
// oblivious routing for arbitrary topologies, IPDPS 2011).
//
// Read first: mode.go: what gets a VC; routes.go, sets.go collect routes; find.go, then bound.go for layers,
// hops.go with place.go for VCs by hop; exact.go decides by formula.go, evidence.go writes the proof.
package layers
