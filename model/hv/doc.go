// Package hv gives the switches of any network the coordinates in which the
// turn methods for irregular networks speak: a spanning tree, depth and
// horizontal spread, and for each channel one of four directions.
//
// Five words:
//
//   - tree: a spanning tree, breadth first or depth first, from a root;
//   - depth: channels between a switch and the root, on the tree;
//   - horizontal spread: the number of a switch in preorder, from 0;
//   - direction: LU, LD, RU, RD, left or right by spread, up or down by depth;
//   - class turn: an ordered pair of different directions, written LD>RU.
//
// A first call:
//
//	tree, err := hv.NewTree(network, root, hv.Options{})
//	graph, err := hv.New(tree)
//	fmt.Println(graph.Dir(channel))
//
// Source: Jouraku, Koibuchi and Amano, IPSJ Trans. ACS 44(SIG 11), 2003,
// section 3.1. The package places and names; which turns to prohibit is the
// business of synth.
package hv
