// Package priorities finds how few lossless priorities free given routes of deadlock, if switches may change the priority of a frame by
// rules: (port by which it came, port by which it leaves, priority) to priority.
//
// Terms:
//
//   - The routes choose the next hops by switch and destination, as forwarding tables with ECMP do. They stay as they are.
//   - A turn is two channels one after the other on a path. The port of the hosts of a switch is one port: all their frames begin with
//     priority 0.
//   - A rule changes the priority of the frames of a turn that have a priority. Without a rule they keep it.
//   - A buffer is a channel with a priority. Frames are free of deadlock if no buffers wait for each other in a circle, over all choices
//     of next hops (ECMP: the hash chooses before a frame waits).
//
// A first call:
//
//	routes, err := priorities.Collect(ctx, relation, nil)
//	found, err := priorities.Find(ctx, routes, priorities.Options{Most: 8, Time: 10 * time.Second})
//	// found.Priorities are enough, found.Bound are needed, found.Rules are the rules
//
// Source: S. Hu, Y. Zhu, P. Cheng, C. Guo, K. Tan, J. Padhye, K. Chen, Tagger: Practical PFC deadlock prevention in data center networks,
// CoNEXT 2017. Its rules raise a tag where a frame goes up after it has come down, and its greedy algorithm joins tags in other networks.
// Here the rules of the result are the fewest, and bounds come with them.
//
// Read first: routes.go, judge.go (the buffers that frames reach), circles.go, greedy.go, formula.go and find.go (the fewest); bounces.go:
// paths that bounce; apply.go is the relation with the rules; withdraw.go finds the fewest next hops to remove instead.
package priorities
