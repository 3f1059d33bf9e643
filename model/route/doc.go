// Package route holds the published routing relations: which virtual channels
// a packet may take next, by the rule of a paper.
//
// Five words:
//
//   - relation: the rule on one network, a model.Relation; nothing is proved
//     here, verify.Check does that;
//   - productive: a direction in which the packet gets nearer; at distance k/2
//     of a torus dimension both are;
//   - dateline: the wraparound channel of a ring, on which a packet changes its
//     half of the VCs;
//   - escape: the VCs on which a proof of an adaptive relation rests (Escaper);
//   - reading: one of several senses that a paper's text allows, an option here.
//
// A first call:
//
//	r, err := route.New("west-first", network, route.Options{})
//
// Names lists what there is, with needs, options and sources. Relations that
// are not named but built: Paths (explicit paths), Escape (adaptive VCs beside
// escape VCs), PerLayer (layers of VCs, chosen when a packet enters).
//
// All relations here send from every host to every host, management endpoints
// left out; destination d is host d. A packet at its destination's switch has
// one hop, to the ejection channel, VC 0. Hops come by dimension, plus before
// minus (by port on a network that is no grid), and then by VC; those of an
// escape come last. Next does not allocate if buf has room, and may be called
// from many goroutines.
//
// On a grid with missing channels a rule offers those of its channels that
// exist. It does not look for others: where it runs into a hole the packet is
// stuck, and connected is refuted.
package route
