// Package space describes spaces of class turns. A space gives the directions of the channels
// in a family of networks, and the turns between directions that a routing may allow or
// prohibit. A set of class turns defines a turn set on each network of the family.
//
// Five terms:
//
//   - family: all networks of one kind, for example all two-dimensional meshes.
//   - direction: a class of channels, such as x+ or LU.
//   - class turn: an ordered pair of directions, in text x+>y-.
//   - place: the channels of one direction, or a part of them, such as the channels at an edge or
//     on one virtual channel.
//   - move: the constraints on the coordinates at both ends of the channels of a place.
//
// A first call:
//
//	s, err := space.Parse("mesh:2", space.Options{})
//	set, err := s.ParseSet("x+>y+ x+>y- x->y+ x->y-")
//
// Source: C. J. Glass and L. M. Ni, The turn model for adaptive routing, ISCA 1992, section 2;
// for H/V graphs Jouraku, Koibuchi and Amano, IPSJ Trans. ACS 44(SIG 11), 2003, section 3.
//
// This package does not decide sets (see verify/family) and does not enumerate them (see
// synth/enumerate).
//
// Read first: space.go, then a file per family.
package space
