// Package tables answers: how does a routing get into hardware, into a program,
// into a paper and into an analysis?
//
// Two values carry it. A [Lookup] is a routing, or a set of turns, as a table of
// bit masks: for each switch, input port, input VC, class and destination the set of
// outputs that are permitted. [WriteVerilog] and [WriteC] write it as a package and
// as a header. A [RowWriter] writes rows as they come: CSV, JSON, Markdown, LaTeX,
// Parquet.
//
//	l, err := tables.NextHops(table)
//	l.Network, l.Routing = "ring:4", "updown"
//	err = tables.WriteVerilog(w, l)
//
// Words: an input is where a packet stands at a switch (port, VC, class) and where
// it goes; an output is the port, VC and class that it may go on by; a set is the
// outputs of one input; a row is the sets of one input by destination.
//
// Not done here: which states packets get into (package cdg), forwarding tables for
// OpenSM and networks for BookSim (package format).
package tables
