// Package family decides a set of class turns for all networks of a family at once.
//
// Five words:
//
//   - step: from a channel of one place to one of another, if the set allows it;
//   - component: places that steps join both ways; only there can a cycle be;
//   - functional: a linear form of a switch's coordinates that no move of a
//     component lowers;
//   - rank: constants and functionals of a place, compared one after the other,
//     that every step of the set raises: then no network of the family has a cycle;
//   - member: a network of the family.
//
// A first call:
//
//	s, err := space.Parse("mesh:2", space.Options{})
//	d := family.New(s)
//	v, err := d.Decide(set)
//
// What it does not do: it enumerates no sets (package synth/enumerate does). Ranks
// are evidence that verify/cert judges.
//
// Source: the theorem behind it for meshes is Glass and Ni, ISCA 1992, theorem 2;
// the elimination of components by functionals is that of lexicographic linear
// ranks (C. Alias, A. Darte, P. Feautrier and L. Gonnord, SAS 2010).
package family
