// Package vcrule finds how few virtual channels (VCs) a routing needs, and a rule that assigns them, on every network of a
// family. The routing is a program that returns directions only.
//
// Terms:
//
//   - A rule says on which VC a packet leaves in a direction. It knows whether the path crosses the dateline ahead,
//     whether the packet continues in its direction, and on which VC the packet came.
//   - An escape rule adds VCs to a routing that keeps VC 0 for all of its directions. The added VCs are the
//     escape; they follow the first or the last direction of the program.
//
// A first call:
//
//	p, err := program.Read("shortest.star")
//	found, err := vcrule.Find(ctx, p, vcrule.Options{Most: 3})
//	// found.Program, found.Levels
//
// Reading order: find.go (the search), rule.go (the rules), text.go (the program with a rule); numbered.go is the same for programs for
// any network.
//
// Read first: find.go, then rule.go; numbered.go for programs for any network.
package vcrule
