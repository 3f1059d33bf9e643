// Package gate says which hops wait not only for room but for the buffers ahead to
// be less full, too: gating, ramp metering for networks.
//
// Source: T. Yokota, K. Ohkawa, K. Ootsu and T. Baba, flow limiting against congestion,
// section 3.3; the evaluation functions are those of section 4.1.8.
//
// Four words:
//
//   - VCinfo: the bits that a switch has of each direction and VC, one for each buffer
//     straight ahead, the next one first: is it nearly full?
//   - occupancy level: a buffer is nearly full when it has at most so many free slots;
//   - gate: a place at which a packet joins a straight way: where it turns, where it
//     sets out, or both;
//   - closed: the evaluation function of the VCinfo ahead is above its threshold.
//
// A first call:
//
//	rule, err := gate.Parse("turn,f=f4,level=8")
//	gates, err := rule.On(relation)
//	fmt.Println(gates.Has(in, vc))
//
// A Rule is what is open in all this; Rule.On binds it to a network. The simulator
// and the prover both take from here which hops have a gate and what closes it, and
// nothing else.
package gate
