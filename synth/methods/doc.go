// Package methods makes routings of the turn methods of package synth, by name and options, and the relations of turn sets: which of the legal
// paths packets take. It registers with package resolve.
//
// A first call, with "methods" imported for its effect:
//
//	route, err := resolve.Routing(ctx, "l-turn,paths=balanced", "", network, format.Options{})
//
// Read first: methods.go, paths.go.
package methods
