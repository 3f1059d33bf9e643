// Package quality measures how evenly a routing uses the links of its network.
//
// Terms:
//
//   - A path is the list of links between switches that packets from a host to an address pass. A pair of hosts on
//     one switch has a path without links.
//   - A hop is a link of a path. The cables of hosts are not counted.
//   - The load of a channel under a traffic is the number of hosts that send over it, if each host sends to one host.
//   - An address is a destination of the routing. A host of InfiniBand has 2^LMC of them.
//   - A permutation is traffic in which no host sends or receives more than once.
//
// A first call:
//
//	m, err := quality.Measure(ctx, table, quality.Options{})
//	worst := m.Permutation // the permutation that loads a channel most
//
// The package proves nothing about deadlocks (see verify). It measures routings with one path for each pair and address.
//
// Read first: measure.go, then paths.go, permutation.go, shift.go; words.go.
package quality
