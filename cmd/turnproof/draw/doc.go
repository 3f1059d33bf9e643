// Package draw implements the command draw. It draws networks, dependency graphs, cycles, paths,
// turn sets and VLANs.
package draw
