// Package family decides a set of class turns for all networks of a family at once.
//
// Terms:
//
//   - A place is a kind of channel, for example all channels of one direction.
//   - A step leads from a channel of one place to a channel of another, if the set allows
//     it.
//   - A component is a strongly connected set of places. Every cycle is within one.
//   - A functional is a linear form of a switch's coordinates that no move of a component
//     decreases.
//   - A rank is a list of constants and functionals of a place, compared in lexicographic
//     order. If every step increases the rank, no network of the family has a cycle.
//   - A member is a network of the family.
//
// A first call:
//
//	s, err := space.Parse("mesh:2", space.Options{})
//	d := family.New(s)
//	v, err := d.Decide(set)
//
// The package does not enumerate sets; package synth/enumerate does. verify/cert judges
// the ranks.
//
// Sources: for meshes the theorem is C. Glass and L. Ni, ISCA 1992, theorem 2.
// Lexicographic linear ranks are those of C. Alias, A. Darte, P. Feautrier and L. Gonnord,
// SAS 2010.
//
// Read first: decide.go (ranks), connected.go, witness.go; free.go, rows.go are the same question fast.
package family
