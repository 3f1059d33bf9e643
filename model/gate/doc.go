// Package gate decides which hops have a gate. A packet at a gate waits not only for a free
// buffer but also until the buffers ahead are less full. This is flow limiting: ramp metering
// for networks.
//
// Source: T. Yokota, K. Ohkawa, K. Ootsu and T. Baba, flow limiting against congestion, section
// 3.3; the evaluation functions are those of section 4.1.8.
//
// Four terms:
//
//   - VCinfo: the bits that a switch has for each direction and VC, one for each buffer straight
//     ahead, the nearest first. A bit is set if its buffer is nearly full.
//   - occupancy level: a buffer is nearly full if it has at most this number of free slots.
//   - gate: a hop at which a packet joins a straight path: where it turns, where it is injected,
//     or both.
//   - closed: the evaluation function of the VCinfo ahead exceeds its threshold.
//
// A first call:
//
//	rule, err := gate.Parse("turn,f=f4,level=8")
//	gates, err := rule.On(relation)
//	fmt.Println(gates.Has(in, vc))
//
// A Rule holds all parameters; Rule.On applies the rule to a network. The simulator and the
// prover both use this package to find the hops with a gate and the VCinfo that closes it.
//
// Read first: doc.go, rule.go; gates.go binds a rule to a network.
package gate
