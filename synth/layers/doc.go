// Package layers divides given routes among few layers of virtual channels so that they are free
// of deadlock. Each pair of source and destination uses one layer, and no layer has a dependency
// cycle.
//
// Five words:
//
//   - path: the channels between switches that packets of some pairs use;
//   - layer: a virtual channel of every link (InfiniBand: a service level that is mapped to a
//     virtual lane);
//   - first fit: put each path into the first layer where it closes no cycle;
//   - clique: paths of which each two close a cycle, so each needs a layer of its own;
//   - part: a path whose dependencies all belong to another path; it uses the layer of that path.
//
// A first call:
//
//	routes, err := layers.Collect(ctx, table)
//	r, err := layers.Find(ctx, routes, layers.Options{Time: 10 * time.Second})
//	// r.Layers are enough, r.Bound are needed, r.Of[i] is the layer of routes.Paths[i]
//
// To find the fewest layers is NP-complete (J. Domke, T. Hoefler and W. E. Nagel, Deadlock-free
// oblivious routing for arbitrary topologies, IPDPS 2011).
package layers
