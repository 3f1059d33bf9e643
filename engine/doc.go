// Package engine simulates a network flit by flit. It tests what the provers claim, and measures
// the performance of a routing. It shares no code with the provers except package model, since it
// is their judge.
//
// Terms:
//
//   - flit: the smallest part of a packet; a channel carries one flit a clock;
//   - credit: one free flit slot downstream;
//   - router model: the clocks that routing, VC allocation, switch allocation and traversal take,
//     and the arbitration (Options.Timing);
//   - source: the queue of a host; it holds packets that are created but not in the network;
//   - frozen: some packets can never move again, see Sim.Frozen; Watch finds the first clock of a
//     deadlock.
//
// A first call:
//
//	sim, err := engine.New(relation, source, engine.Options{BufferFlits: 8}, nil)
//	err = sim.Run(ctx, 1000)
//	stuck := sim.Frozen()
//
// where source says what each host sends (package traffic has sources).
//
// The same input gives the same packets at the same clocks. Results do not depend on the order of
// work or on the number of processors.
//
// Read first: hooks.go (where mechanisms take part), step.go (the clock), new.go (the list of mechanisms); then
// "Inside engine" in docs/packages.md.
package engine
