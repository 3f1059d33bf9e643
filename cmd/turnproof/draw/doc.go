// Package draw is the command draw: figures of networks, dependency graphs, cycles, paths, turn sets
// and VLANs.
package draw
