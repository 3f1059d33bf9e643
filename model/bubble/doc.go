// Package bubble describes flow control that keeps rings of buffers from filling up. A packet enters a
// ring only if a free packet slot is left in the ring afterwards. So a ring without datelines is free of
// deadlock.
//
// Sources: C. Carrión, R. Beivide, J. A. Gregorio and F. Vallejo, HiPC 1997; V. Puente et al., ICPP 1999
// (bubble, a condition on the next buffer); L. Chen, R. Wang and T. M. Pinkston, IPDPS 2011 (critical
// bubble, a condition on the ring); L. Chen and T. M. Pinkston, HPCA 2013 (worm-bubble, wormhole switching).
//
// Five terms:
//
//   - ring: VCs that depend on each other in one cycle and on no other VCs that depend on them.
//   - entry: a hop from a VC outside a ring, such as that of a host, onto a VC of the ring.
//   - move: a hop from a VC of a ring onto another VC of the same ring.
//   - slot: room for a whole packet in a buffer.
//   - off: the rule does not apply to an entry. A packet enters there as it moves.
//
// A first call:
//
//	rule, err := bubble.Parse("bubble,off=3")
//	rings, err := rule.On(relation)
//	fmt.Println(rings.IsGuarded(from, to))
//
// The simulator and the prover both use this package to find the rings and their entries. Package
// verify/cert does not; it judges the entries of given rings.
//
// Read first: doc.go, rule.go; rings.go finds the rings, limits.go says when a packet may enter.
package bubble
