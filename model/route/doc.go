// Package route implements published routing relations. A relation gives the virtual channels
// that a packet may take next.
//
// Five terms:
//
//   - relation: a routing rule on one network, a model.Relation. This package proves nothing about
//     a relation; verify.Check does.
//   - productive: a direction in which the packet gets nearer to its destination. At distance k/2
//     in a torus dimension both directions are productive.
//   - dateline: the wraparound channel of a ring. A packet that crosses the dateline changes to
//     the other half of the VCs.
//   - escape: the VCs that prove an adaptive relation free of deadlock (Escaper).
//   - reading: one of several meanings that the text of a paper allows. Readings are options.
//
// A first call:
//
//	r, err := route.New("west-first", network, route.Options{})
//
// Names lists the named relations with their requirements, options and sources. Three relations
// have a constructor instead of a name: Paths (explicit paths), Escape (adaptive VCs with
// escape VCs) and PerLayer (layers of VCs, chosen when a packet enters).
//
// In all relations of this package every host sends to every other host; management endpoints
// take no part. Destination d is host d. At the switch of its destination a packet has one hop,
// to VC 0 of the ejection channel. Hops are sorted by dimension, plus before minus, and then by
// VC. On a network without a grid they are sorted by port. Hops on escape VCs come last. Next
// does not allocate memory if buf has capacity, and is safe for concurrent use.
//
// If a grid lacks channels, a rule offers only those of its channels that exist. It does not
// look for a detour. A packet without a next channel cannot reach its destination, and verify
// refutes connected.
//
// Read first: route.go is the table, then one file per algorithm; dragonflypaths.go (paths as words, rules for
// VCs), hopvcs.go (VCs by hops); turns.go and legal.go for turn sets.
package route
