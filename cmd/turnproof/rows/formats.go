package rows

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/view/tables"
)

// Kind is a table that can be printed: its columns, and its rows one
// after the other, so that large ones need no memory.
type Kind struct {
	Name, About string
	Columns     []tables.Column
	rows        func(ctx context.Context, in *input.Input, from, to model.HostID, row func(...any) error) error
}

// columns reads a list of columns: "name" is text, "name#" a whole number, "name?" a
// bool.
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

var Kinds = []Kind{
	{"turns", "each turn of each switch: is it allowed?", columns("switch in_port# in_vc# out_port# out_vc# allowed? from to"), turnRows},
	{"next-hops", "where each switch forwards each address", columns("switch lid# destination out_port# next"), nextHopRows},
	{"input-hops", "where a packet may go next, by the port and VC that it came by", columns("switch in_port# in_vc# class# destination out_port# out_vc# next_class# next"), inputHopRows},
	{"distances", "links on a shortest permitted way of each pair (-1: there is none), and with nothing prohibited", columns("source destination lid# links# unrestricted#"), distanceRows},
	{"paths", "the way of each pair of hosts, for each service level that may be used", columns("source destination lid# class# end switches# path"), pathRows},
}

func KindNames() (names []string) {
	for _, k := range Kinds {
		names = append(names, k.Name)
	}
	return names
}

// Format is a form of tables: row by row for every kind, or written as a whole
// for some.
type Format struct {
	Name, About string
	Rows        func(io.Writer, tables.Schema) tables.RowWriter
	Kinds       []string // of write
	Write       func(c *cli.Context, in *input.Input, kind string, w io.Writer) error
}

var Formats = []Format{
	{Name: "csv", About: "comma-separated values", Rows: tables.NewCSV},
	{Name: "json", About: "one JSON object (docs/schema/table.json)", Rows: tables.NewJSON},
	{Name: "markdown", About: "a table as GitHub has it", Rows: tables.NewMarkdown},
	{Name: "latex", About: "a booktabs table, longtable beyond 40 rows; 20,000 rows at most", Rows: tables.NewLaTeX},
	{Name: "parquet", About: "Apache Parquet, typed columns, for pandas and DuckDB", Rows: tables.NewParquet},
	{Name: "verilog", About: "a SystemVerilog package to synthesise: input -> bit mask of outputs", Kinds: lookupKinds, Write: lookupWriter(tables.WriteVerilog)},
	{Name: "c", About: "a C and C++ header with the same", Kinds: lookupKinds, Write: lookupWriter(tables.WriteC)},
	{Name: "opensm", About: "forwarding tables for opensm -R file -U FILE; one VL, one way per destination", Kinds: []string{"next-hops"}, Write: writeOpenSM},
	{Name: "booksim", About: "BookSim's anynet file. BookSim 2 loads no routing table: it routes anynet by its own\n            min, so this is refused where the next hops are others (convert --to anynet writes the network)", Kinds: []string{"next-hops"}, Write: writeBookSim},
}

var lookupKinds = []string{"turns", "next-hops", "input-hops"}

func FormatNames() (names []string) {
	for _, f := range Formats {
		names = append(names, f.Name)
	}
	return names
}

// FormatOf is the format that a flag names.
func FormatOf(name, kind string) (*Format, error) {
	i := slices.IndexFunc(Formats, func(f Format) bool { return f.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("--format %q, known are %s", name, strings.Join(FormatNames(), ", "))
	}
	f := &Formats[i]
	if f.Rows == nil && !slices.Contains(f.Kinds, kind) {
		return nil, fmt.Errorf("--format %s goes with --kind %s, not with %s", name, strings.Join(f.Kinds, ", "), kind)
	}
	return f, nil
}

// Rows writes a table; about names network and routing.
func Rows(ctx context.Context, w io.Writer, form *Format, kind Kind, in *input.Input, about tables.Schema, from, to model.HostID) error {
	about.Kind, about.Columns = kind.Name, kind.Columns
	out := form.Rows(w, about)
	if err := out.Begin(); err != nil {
		return err
	}
	if err := kind.rows(ctx, in, from, to, out.Row); err != nil {
		return err
	}
	return out.End()
}
