// Package enumerate counts and lists sets of class turns of a space. It finds the sets that close
// no cycle on any network of the family, those that also connect all pairs, the maximal ones, and
// all of these up to symmetry.
//
// Five words:
//
//   - choice: a point where one of several options is taken: a turn is allowed or not, or which turn
//     of a basic cycle is prohibited;
//   - free: acyclic on every network of the family; connected: connected on every one;
//   - maximal: free, and no turn can be added;
//   - conflict: a smallest set of turns that is not free;
//   - class: sets that symmetries of the family map to each other.
//
// A first call:
//
//	s, err := space.Parse("mesh:3", space.Options{})
//	e, err := enumerate.New(s)
//	counts, err := e.Count(ctx, enumerate.OnePerCycle)
//
// Counts and lists have no evidence. SetReport.Decide decides a single set with evidence, by
// verify/family.
//
// Read first: choices.go, parts.go, count.go, classes.go; orders.go finds the largest, border.go the maximal;
// countall.go counts by decision diagrams; report.go decides one set with evidence.
package enumerate
