// Package follow chooses packets of a simulation, and shows hop by hop what they waited for.
//
// Terms:
//
//   - journey: the record of one packet (engine.Journey); a hop is its stay at one switch;
//   - behind: clocks behind other packets in the same VC;
//   - before: the packet that had the VC that a head waits for.
//
// A first call:
//
//	chosen, err := follow.Parse("slowest:10")
//	sim, err := engine.New(relation, source, engine.Options{Follow: chosen}, nil)
//	err = sim.Run(ctx, 10_000)
//	err = follow.WriteText(os.Stdout, relation, chosen.Journeys(sim.UnderWay()))
//
// Read first: choose.go (which packets), write.go; engine/journey.go records them.
package follow
