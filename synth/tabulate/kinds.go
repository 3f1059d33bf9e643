// Package tabulate makes the tables of a routing: its turns, next hops, distances and paths, row by row or as a
// lookup for hardware and programs.
//
// A first call:
//
//	err := tabulate.Write(ctx, tables.NewCSV(w, schema), kind, relation, model.NoHost, model.NoHost)
package tabulate

import (
	"context"
	"io"
	"strings"

	"github.com/turnproof/turnproof/internal/registry"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/view/tables"
)

// Kind is a table of a routing: its columns, and a function that makes its rows one after the other, so that
// large tables need no memory.
type Kind struct {
	Name, About string
	Columns     []tables.Column
	rows        func(ctx context.Context, r model.Relation, from, to model.HostID, row func(...any) error) error
}

// columns reads a list of columns: "name" has texts, "name#" whole numbers, "name?" booleans.
func columns(list string) (made []tables.Column) {
	for _, word := range strings.Fields(list) {
		c := tables.Column{Name: strings.TrimRight(word, "#?")}
		switch word[len(word)-1] {
		case '#':
			c.Type = tables.Integer
		case '?':
			c.Type = tables.Bool
		}
		made = append(made, c)
	}
	return made
}

// Kinds returns the tables in the order in which users see them.
func Kinds() []Kind {
	return []Kind{
		{"turns", "each turn of each switch: is it allowed?",
			columns("switch in_port# in_vc# out_port# out_vc# allowed? from to"), turnRows},
		{"next-hops", "where each switch forwards each address",
			columns("switch lid# destination out_port# next"), nextHopRows},
		{"input-hops", "where a packet may go next, by input port and input VC",
			columns("switch in_port# in_vc# class# destination out_port# out_vc# next_class# next"), inputHopRows},
		{"distances", "links on a shortest permitted path of each pair (-1: no path), and without prohibited turns",
			columns("source destination lid# links# unrestricted#"), distanceRows},
		{"paths", "the path of each pair of hosts, for each service level that may be used",
			columns("source destination lid# class# end switches# path"), pathRows},
	}
}

// Find returns the table of a name.
func Find(name string) (Kind, error) { return registry.Find("table", name, Kinds(), nameOf) }

// Names returns the names of Kinds.
func Names() []string { return registry.Names(Kinds(), nameOf) }

func nameOf(k Kind) string { return k.Name }

// Write writes the rows of a table. If from or to is a host, it writes the rows of that host only, where the table
// has sources or destinations. newWriter is a function such as tables.NewCSV; about names network and routing.
func Write(ctx context.Context, w io.Writer, newWriter func(io.Writer, tables.Schema) tables.RowWriter, kind Kind,
	r model.Relation, about tables.Schema, from, to model.HostID) error {
	about.Kind, about.Columns = kind.Name, kind.Columns
	out := newWriter(w, about)
	if err := out.Begin(); err != nil {
		return err
	}
	if err := kind.rows(ctx, r, from, to, out.Row); err != nil {
		return err
	}
	return out.End()
}
