// Package opensm routes a network by OpenSM, the subnet manager of InfiniBand, over ibsim, which simulates the switches.
//
// Both are programs of others. The package starts them in a folder of its own, and reads what OpenSM writes: forwarding tables
// and SL-to-VL tables. It asks OpenSM's subnet administrator (SA) for the service level of each path.
//
// A first call:
//
//	tools, err := opensm.Find(ctx)
//	routed, err := tools.Route(ctx, network, folder, opensm.Options{Engine: "lash"})
//	s, err := resolve.Load(ctx, resolve.Request{Network: routed.Folder})
//
// The package judges nothing. ibsim listens in the abstract namespace of Unix sockets, so the package needs Linux.
//
// Read first: route.go; simulation.go (the programs), sa.go (queries), levels.go (service levels).
package opensm
