// Package packets simulates virtual cut-through and store-and-forward packet by
// packet: same answers as package engine gives flit by flit, packet for packet and
// clock for clock, in a time that does not depend on how many flits packets have.
//
// Five words:
//
//   - to set out: a head leaves its buffer, its flits follow one behind the other;
//   - event: something that happens to a packet at a clock known beforehand;
//   - calendar: the events to come;
//   - front: the packet of a buffer whose head comes next, or is asking;
//   - room: free flits of a buffer, of which a packet takes all that it needs
//     when it sets out, and gives all back when its tail has gone.
//
// A first call:
//
//	o := engine.Options{Timing: engine.Paper, Switching: model.CutThrough, MaxFlits: 128}
//	sim, err := packets.New(relation, source, o, func(d engine.Delivery) { ... })
//	err = sim.Run(ctx, 1_000_000)
//
// Why packets are enough: a head sets out only where the next buffer has room for
// the whole packet, so what follows it is never held up, and one clock, that of the
// head, tells where every flit is at any time (P. Kermani and L. Kleinrock, Virtual
// cut-through: a new computer communication switching technique, Computer Networks
// 3, 1979). Premises, which New checks: room for whole packets is asked for
// (Options.Switching), a VC is given away while packets are in its buffer (not
// Options.Atomic), a channel has one VC, so that nobody shares it flit by flit,
// and all channels are equally fast, so that flits come as fast as they go.
//
// It does not do wormhole switching, several VCs or BookSim's router: those are
// for package engine.
package packets
