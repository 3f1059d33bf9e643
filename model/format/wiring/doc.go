// Package wiring makes networks of nodes and cables, for formats in which nodes are words: edge lists, DOT, GraphML. It numbers switches,
// assigns ports that a file does not state, and decides which nodes are hosts.
//
// A first call:
//
//	src, err := textfile.Open("links.txt", nil)
//	w := wiring.New(src)
//	a, b := w.Node("s0", 1), w.Node("s1", 1)
//	err = w.Join(wiring.Cable{A: a, B: b, APort: wiring.NoPort, BPort: wiring.NoPort, Line: 1}, nil)
//	n, err := w.Network()
//
// Read first: wiring.go, hosts.go, portnames.go.
package wiring
