// Package enumerate counts and lists the sets of class turns of a space: those whose
// turns close no cycle on any network of the family, those that keep all pairs
// connected besides, the largest ones, all of them up to symmetry.
//
// Five words:
//
//   - choice: a point where one of several options is taken: a turn allowed or not, or
//     the turn of a basic cycle that is prohibited;
//   - free: acyclic on every network of the family; connected: on every one;
//   - maximal: free, and no turn can be added;
//   - conflict: a smallest set of turns that is not free;
//   - class: sets that symmetries of the family take to each other.
//
// A first call:
//
//	s, err := space.Parse("mesh:3", space.Options{})
//	e, err := enumerate.New(s)
//	counts, err := e.Count(ctx, enumerate.OnePerCycle)
//
// What it does not do: evidence is verify/family's.
package enumerate
