// Package tables writes a routing as tables for hardware, programs, papers and data analysis.
//
// A [Lookup] is a routing, or a set of turns, as a table of bit masks: for each switch, input
// port, input VC, class and destination the set of permitted outputs. [WriteVerilog] and
// [WriteC] write a Lookup as a package and as a header. A [RowWriter] writes single rows as
// CSV, JSON, Markdown or LaTeX.
//
//	l, err := tables.NextHops(table)
//	l.Network, l.Routing = "ring:4", "updown"
//	err = tables.WriteVerilog(w, l)
//
// Terms: an input is the position of a packet at a switch (port, VC, class) and its
// destination; an output is a permitted next port, VC and class; a set contains the outputs of
// one input; a row contains the sets of one input by destination.
//
// Reachable states are computed in package cdg. Forwarding tables for OpenSM and networks for
// BookSim are written by package format.
//
// Read first: lookup.go, then one file per writer; rows.go; ranges.go, area.go (what routers store and compare).
package tables
