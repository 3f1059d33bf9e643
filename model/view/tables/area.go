package tables

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// This file counts what a router stores and compares for a table, in several designs.

// Area is what one router needs to choose the outputs of a packet.
type Area struct {
	Design       string
	Entries      int // stored sets of outputs
	Bits         int // stored bits: entries, and what selects one
	Comparators  int // comparisons with a stored or constant value
	ComparedBits int // operand bits of all comparators
}

// Areas returns the areas of the designs for a table at a switch. A set takes one bit for each output that the switch
// has: each VC of its links, and each of its hosts, times the classes. An address of D destinations takes b = log2(D)
// bits, rounded up. The designs are:
//
//	table             Next: a memory with a set by destination
//	ranges            Next: a set and the last destination (except of the last) for each of Ranges
//	default           Next: the most frequent set, and a destination and a set for each exception
//	table-by-input    InputNext: a memory with a set by input and destination
//	rows-by-input     InputNext: each distinct row once, and by input the number of its row
//	turns             Turns: a bit for each turn, without U-turns
//
// Inputs are the VCs of links and the hosts, times the classes.
func (l *Lookup) Areas(u model.SwitchID) []Area {
	links, hosts := 0, 0
	for _, c := range l.net.Out(u) {
		if l.net.HostOf(c) != model.NoHost {
			hosts++
		} else {
			links++
		}
	}
	w, b := (links*l.VCs+hosts)*l.Classes, addressBits(l.Dest)
	switch l.Form {
	case Turns:
		return []Area{{Design: "turns", Entries: links * l.VCs, Bits: links * (links - 1) * l.VCs * l.VCs}}
	case InputNext:
		inputs, rows := w, l.distinctRows(u) // as many inputs as outputs
		return []Area{
			{Design: "table-by-input", Entries: inputs * l.Dest, Bits: inputs * l.Dest * w},
			{Design: "rows-by-input", Entries: rows * l.Dest, Bits: rows*l.Dest*w + inputs*addressBits(rows)},
		}
	}
	list := []Area{{Design: "table", Entries: l.Dest, Bits: l.Dest * w}, {Design: "ranges"}, {Design: "default"}}
	if ranges := len(l.Ranges(u)); ranges > 0 {
		bounds, exceptions := ranges-1, l.exceptions(u)
		list[1] = Area{"ranges", ranges, ranges*w + bounds*b, bounds, bounds * b}
		list[2] = Area{"default", exceptions, exceptions*(b+w) + w, exceptions, exceptions * b}
	}
	return list
}

// addressBits returns the bits of a number below k; 0 if k is at most 1.
func addressBits(k int) int {
	if k <= 1 {
		return 0
	}
	return width(k)
}

// areaLines describes the areas of the table for the head of a file: by design the total and the largest router.
func (l *Lookup) areaLines() (lines []string) {
	var total, most []Area
	for u := range model.SwitchID(l.Switches) {
		for i, a := range l.Areas(u) {
			if len(total) <= i {
				total, most = append(total, Area{Design: a.Design}), append(most, Area{})
			}
			total[i].Entries += a.Entries
			total[i].Bits += a.Bits
			most[i].Entries = max(most[i].Entries, a.Entries)
			most[i].Bits = max(most[i].Bits, a.Bits)
		}
	}
	for i, t := range total {
		lines = append(lines, fmt.Sprintf("  %s: %d entries, %d bits; the largest router %d entries, %d bits", t.Design, t.Entries, t.Bits,
			most[i].Entries, most[i].Bits))
	}
	return lines
}
