// Package cdg builds and searches the channel dependency graph of a routing relation: strong
// components, a shortest cycle, a numbering.
//
// Five terms:
//
//   - dependency: VC b depends on VC a, written a -> b, if some packet in a reachable state on a may
//     request b next.
//   - reachable state: a state that a packet from an existing host to an existing destination can be
//     in.
//   - numbering: a rank per VC that increases along every dependency. A numbering exists if and only
//     if the graph has no cycle (Dally and Seitz, IEEE Trans. Computers, 1987).
//   - strong component: a maximal set of VCs that all reach each other.
//   - witness: a packet that uses a given dependency.
//
// A first call:
//
//	g, err := cdg.Build(ctx, relation)
//	cycle, err := g.ShortestCycle(ctx)
//	packets, err := cdg.Witnesses(relation, cdg.Dependencies(cycle))
//
// The vertices are the VCs between switches. Nothing depends on an injection channel, and an
// ejection channel depends on nothing. The package finds evidence; verify decides what follows
// from it, with the checker in verify/cert.
//
// Read first: explore.go, groups.go (destinations that share their states, on all processors), build.go;
// symmetric.go (one destination of each orbit); table.go is fast for tables, extended.go numbers an escape,
// order.go keeps a numbering while dependencies come; explored.go: distances by the states.
package cdg
