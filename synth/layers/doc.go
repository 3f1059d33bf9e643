// Package layers finds how few layers of virtual channels make given routes free of deadlock: each
// pair of source and destination keeps to one layer, and no layer has a dependency cycle.
//
// Five words:
//
//   - path: the channels between switches that packets of some pairs take;
//   - layer: a virtual channel of every link (InfiniBand: a service level that is mapped to a
//     virtual lane);
//   - first fit: one path after the other into the first layer where it closes no cycle;
//   - clique: paths of which each two close a cycle, so each wants a layer of its own;
//   - part: a path all of whose dependencies another path has, too; it goes where that goes.
//
// A first call:
//
//	routes, err := layers.Collect(ctx, table)
//	r, err := layers.Find(ctx, routes, layers.Options{Time: 10 * time.Second})
//	// r.Layers are enough, r.Bound are needed, r.Of[i] is the layer of routes.Paths[i]
//
// The fewest layers are hard to find: the problem is NP-complete (J. Domke, T. Hoefler and W. E. Nagel,
// Deadlock-free oblivious routing for arbitrary topologies, IPDPS 2011).
package layers
