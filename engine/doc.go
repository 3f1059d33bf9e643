// Package engine simulates a network flit by flit: what the provers say is put
// to the test here, and what a routing is worth is measured. It shares no code
// with the provers but the model: it is their judge.
//
// Five words:
//
//   - flit: a packet's smallest part; a channel carries one a clock;
//   - credit: one free flit slot downstream;
//   - router model: the clocks that routing, VC allocation, switch allocation
//     and traversal take, and who wins (Options.Timing);
//   - source: a host's queue of packets that are created but not in the network;
//   - frozen: some packets can never move again, see Sim.Frozen; Watch finds the
//     clock at which that began.
//
// A first call:
//
//	sim, err := engine.New(relation, source, engine.Options{BufferFlits: 8}, nil)
//	err = sim.Run(ctx, 1000)
//	stuck := sim.Frozen()
//
// where source says what each host sends (package traffic has some).
//
// Same input, same packets at the same clocks: nothing depends on the order of
// work or on the number of processors.
package engine
