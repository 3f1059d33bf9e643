package format

import (
	"cmp"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/textfile"
	"github.com/turnproof/turnproof/model/vlan"
)

// This file reads a routing from any supported kind of file.

// Routing is the result of ReadRouting. One of the kinds is set.
type Routing struct {
	Table *model.Table
	// Adaptive are forwarding tables with entries for groups of ports.
	Adaptive *model.AdaptiveTable
	Turns    *model.TurnSet
	VLANs    *vlan.Set
	Paths    model.Relation // explicit paths
	Listed   model.Relation // a table of next hops, or paths by nodes (package routes)
	// Warnings are notes that could change a verdict.
	Warnings []string
}

// ReadRouting reads a routing of network n from a file, whose kind it recognises by its
// content: forwarding tables (package lft), the allowed turns of a turn set, VLANs, paths, or tables of
// next hops by other tools. It fails for a file of another network. The notes say which assumptions it made,
// and what it ignored.
func ReadRouting(path string, n *model.Network, o Options) (r Routing, notes []string, err error) {
	src, err := textfile.Open(path, o.Sums)
	if err != nil {
		return r, nil, err
	}
	defer src.Close()
	head, _ := src.Reader.Peek(4096)
	if table := OtherTable(textfile.CSVColumns(head)); table != "" {
		return r, nil, src.FileError("no routing but a table of %s; want --kind next-hops, input-hops or paths", table)
	}
	for _, f := range routingFormats {
		if f.Is(head) {
			return f.Read(src, n, o)
		}
	}
	return r, nil, src.FileError("not recognised as a routing")
}

// RoutingFormat is a format of files of routings. A package that reads one registers it.
type RoutingFormat struct {
	// Rank orders the formats: of those that recognise a file, the one of the lowest rank reads it.
	Rank int

	Is   func(head []byte) bool // recognises a file by its first kilobytes
	Read func(*textfile.File, *model.Network, Options) (Routing, []string, error)
}

// routingFormats are the registered formats by rank.
var routingFormats []RoutingFormat

// RegisterRouting adds a format of routings.
func RegisterRouting(f RoutingFormat) {
	routingFormats = append(routingFormats, f)
	slices.SortFunc(routingFormats, func(a, b RoutingFormat) int { return cmp.Compare(a.Rank, b.Rank) })
}
