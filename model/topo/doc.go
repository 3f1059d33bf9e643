// Package topo builds the networks of the literature, from Go or from a spec
// such as "torus:8x8,vcs=2".
//
// Five words:
//
//   - family: a kind of network (mesh, dragonfly, ...), one file each;
//   - spec: NAME:SIZES[,key=value...], a family with its sizes and options;
//   - side: the number of coordinates of a grid's dimension;
//   - level: leaves of a tree are level 0, and carry its hosts;
//   - failure: a link or switch that is taken out of the whole network.
//
// A first call:
//
//	n, err := topo.Parse("torus:8x8,vcs=2,fail=3-4+7")
//
// or n, err := topo.Torus([]int{8, 8}, topo.Options{VCs: 2}).
//
// Rules that all families keep: switch and host numbers are dense, hosts are
// numbered by switch and then by port; ports are numbered from 1. A failure
// names switches by the numbers that they have without failures; the switches
// that are left keep their order, ports and names (on a grid, coordinates),
// and get new dense numbers. Only the links that are asked for fail: whether
// the rest is connected is for the reader of the network to find out. Host h
// is called "h0", "h1", ...; switches of grids have no name but coordinates.
// Networks of more than 100,000 switches or hosts have no such names.
//
// The package routes nothing (see model/route) and reads no files (see
// model/format).
package topo
