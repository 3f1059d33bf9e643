// Package topo builds networks of the literature, by Go functions or from a spec such as
// "torus:8x8,vcs=2".
//
// Five terms:
//
//   - family: a kind of network (mesh, dragonfly, ...); each family has its own file.
//   - spec: NAME:SIZES[,key=value...], a family with its sizes and options.
//   - side: the number of coordinates in one dimension of a grid.
//   - level: a level of a tree. The leaves are level 0 and carry the hosts.
//   - failure: a link or switch that is removed from the complete network.
//
// A first call:
//
//	n, err := topo.Parse("torus:8x8,vcs=2,fail=3-4+7")
//
// or n, err := topo.Torus([]int{8, 8}, topo.Options{VCs: 2}).
//
// All families follow these rules. Switch and host numbers are dense; hosts are numbered by
// switch and then by port; ports are numbered from 1. Failures name switches by their numbers
// in the complete network. The switches that remain keep their order, ports and names (on a
// grid, coordinates), and get new dense numbers. Only the given links and switches fail; the
// rest need not be connected. Host h is named "h0", "h1", ...; switches of grids have
// coordinates instead of names. Networks of more than 100,000 switches or hosts have no such
// names.
//
// The package does not route (see model/route) and does not read files (see model/format).
//
// Read first: family.go is the table, keys.go has their keys, then one file per family; arrangement.go (global
// links of dragonflies), field.go (finite fields).
package topo
