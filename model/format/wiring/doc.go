// Package wiring makes networks of nodes and cables, for formats in which nodes are words: edge lists, DOT, GraphML. It numbers switches,
// assigns ports that a file does not state, and decides which nodes are hosts.
//
// A first call:
//
//	w := wiring.New(src)
//	a, b := w.Node("s0", line), w.Node("s1", line)
//	err := w.Join(wiring.Cable{A: a, B: b, APort: wiring.NoPort, BPort: wiring.NoPort, Line: line}, nil)
//	n, err := w.Network()
package wiring
