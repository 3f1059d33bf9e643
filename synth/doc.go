// Package synth makes turn sets. A turn set says which turns of a network are allowed, so that the
// allowed turns close no cycle and leave a path between every pair of hosts.
//
// Terms:
//
//   - method: an algorithm that chooses the turns; Methods lists the methods by name;
//   - prohibited, allowed: the two states of a turn; U-turns have no state;
//   - conditional turn: a turn that is prohibited only if it lies on a cycle (DA);
//   - turn traffic: the traffic through a turn if no turn were prohibited;
//   - release: to allow a prohibited turn that closes no cycle.
//
// A first call:
//
//	r, err := synth.New(ctx, "lturn-alpha", network, synth.Options{})
//	paths, err := synth.MeasurePaths(ctx, r.Allowed, demand)
//	rel := route.FromTurns(synth.Lift(r.Allowed, network), false)
//
// The comment of each method says what the method guarantees. verify.CheckTurns proves for a given
// set that it is acyclic and connected.
//
// Read first: methods.go is the table; updown.go, turnmodel.go with da.go, prohibition.go, addition.go, then
// release.go; traffic.go weighs turns, root.go finds roots, metrics.go and onepath.go measure, intree.go makes
// tables; flow.go measures the load of any routing, worstcase.go with assignment.go finds its worst permutation;
// objective.go, wanted.go, trade.go are the other goals of minimum.
package synth
