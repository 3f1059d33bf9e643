// Package hv computes H/V graphs: the coordinates of switches and the directions of channels
// that turn methods for irregular networks use.
//
// Five terms:
//
//   - tree: a spanning tree, found by breadth-first or depth-first search from a root.
//   - depth: the number of channels between a switch and the root on the tree.
//   - horizontal spread: the number of a switch in preorder, from 0.
//   - direction: LU, LD, RU or RD: left or right by spread, up or down by depth.
//   - class turn: an ordered pair of different directions, written LD>RU.
//
// A first call:
//
//	tree, err := hv.NewTree(network, root, hv.Options{})
//	graph, err := hv.New(tree)
//	fmt.Println(graph.Dir(channel))
//
// Source: Jouraku, Koibuchi and Amano, IPSJ Trans. ACS 44(SIG 11), 2003, section 3.1. This
// package does not choose the turns to prohibit; synth does.
//
// Read first: tree.go, graph.go.
package hv
