// Package aie imports routed designs of Xilinx mlir-aie, in MLIR text, as problems of package streams.
//
//	p, err := aie.Read(string(text), "design.mlir", aie.Options{})
//
// A design has tiles with DMA channels and cores, locks, and a runtime sequence of the host. The routing
// has switchboxes with circuits (connect) and packet rules. Both may stand in one module, or in two
// modules with a line "// -----" between them, the design first.
//
// Words: an arbiter of a switchbox passes one packet at a time, from its header to its last word. A buffer
// descriptor (BD) is one transfer of a channel. A port with a direction is a link to the next switchbox.
//
// What becomes of it: each DMA channel, each core and the host is an agent; locks, queues of tasks and tokens
// are counters; the routes follow the switchboxes; words lie at the ends of a route only (model.go).
//
// The package does not read: object FIFOs, streams of cores, cascades, control packets, trace, branches of programs that
// use locks. It names what it does not read, with file and line.
//
// Read first: model.go (premises), scan.go, design.go, dma.go, then trace.go, programs.go, host.go, tokens.go.
package aie
