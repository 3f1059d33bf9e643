// Package energy computes the energy and the area of a simulated network from counts of events and
// from a file with the cost of each event.
//
// Terms:
//
//   - event: a flit is written into a buffer or read from it, passes a crossbar, or enters a link or
//     the channel from or to a host;
//   - static energy: what switches need even if nothing moves.
//
// A first call, after a simulation with engine.Options.Loads:
//
//	costs, err := energy.Read("costs.txt")
//	report := energy.Of(sim, network, costs, sim.Now(), 1.0)
//	fmt.Println(report.Total, "pJ")
//
// The simulator counts flits by channel already, so the kernel does no further work.
//
// Read first: costs.go (the table of costs), energy.go.
package energy
