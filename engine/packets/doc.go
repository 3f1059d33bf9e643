// Package packets simulates virtual cut-through and store-and-forward packet by packet. It gives
// the same answers as package engine, for every packet and clock. Its time does not depend on the
// number of flits in a packet.
//
// Terms:
//
//   - departure: the head leaves its buffer, and the other flits follow without a gap;
//   - event: a change at a clock that is known in advance;
//   - calendar: the future events;
//   - front: the packet of a buffer whose head requests a channel, or is the next to do so;
//   - room: free flits of a buffer. A packet reserves its whole length when it departs, and releases
//     all of it when its tail has left.
//
// A first call:
//
//	o := engine.Options{Timing: engine.Paper, Switching: model.CutThrough, MaxFlits: 128}
//	sim, err := packets.New(relation, source, o, func(d engine.Delivery) { ... })
//	err = sim.Run(ctx, 1_000_000)
//
// Why packets suffice: a head departs only if the next buffer has room for the whole packet. The
// flits behind it are therefore never stopped, and the clock of the head determines the position
// of every flit (P. Kermani and L. Kleinrock, Virtual cut-through: a new computer communication
// switching technique, Computer Networks 3, 1979). New checks the premises: Options.Switching
// reserves room for whole packets; a VC is given away while packets are in its buffer (not
// Options.Atomic); a channel has one VC, so that packets do not share it flit by flit; all
// channels are equally fast, so that flits arrive as fast as they leave.
//
// Wormhole switching, several VCs and BookSim's router are not supported: use package engine.
//
// Read first: doc.go, sim.go.
package packets
