// Package space holds spaces of class turns: the directions that channels have in
// a family of networks, and the turns between directions that a routing may be
// allowed or not. A set of class turns stands for a turn set on each network of
// the family at once.
//
// Five words:
//
//   - family: all networks of a kind, as all meshes of two dimensions;
//   - direction: what a channel is told apart by, as x+ or LU;
//   - class turn: an ordered pair of directions, in text x+>y-;
//   - place: a direction, or where that says too little the part of its channels
//     that lie at an edge, or have a virtual channel, of their own;
//   - move: what is known of the coordinates at both ends of a place's channels.
//
// A first call:
//
//	s, err := space.Parse("mesh:2", space.Options{})
//	set, err := s.ParseSet("x+>y+ x+>y- x->y+ x->y-")
//
// Source: C. J. Glass and L. M. Ni, The turn model for adaptive routing, ISCA
// 1992, section 2; for H/V graphs Jouraku, Koibuchi and Amano, IPSJ Trans. ACS
// 44(SIG 11), 2003, section 3.
//
// What it does not do: package verify/family decides sets, synth/enumerate lists
// them.
package space
