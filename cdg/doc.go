// Package cdg builds the channel dependency graph of a routing relation and
// searches it: strong components, a shortest cycle, a numbering.
//
// Five words:
//
//   - dependency: VC b depends on VC a, written a -> b, when some packet that
//     can really be on a (a reachable state) may ask for b next;
//   - reachable state: one that a packet sent by an existing host to an
//     existing destination can get into;
//   - numbering: a rank per VC that every dependency raises; there is one iff
//     the graph has no cycle (Dally and Seitz, IEEE Trans. Computers, 1987);
//   - strong component: VCs that reach each other;
//   - witness: a packet that uses a given dependency.
//
// A first call:
//
//	g, err := cdg.Build(ctx, relation)
//	cycle, err := g.ShortestCycle(ctx)
//	packets, err := cdg.Witnesses(relation, cdg.Dependencies(cycle))
//
// Only VCs between switches are vertices: nothing depends on an injection
// channel, and an ejection channel depends on nothing. The package finds
// evidence and does not judge it: verify does, with the checker in verify/cert.
package cdg
