package table

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/internal/registry"
	"github.com/turnproof/turnproof/model/view/tables"
	"github.com/turnproof/turnproof/synth/resolve"
)

// Format is a format of tables. Exactly one of Rows and Write is set.
type Format struct {
	Name, About string
	Rows        func(io.Writer, tables.Schema) tables.RowWriter
	Kinds       []string // the kinds of tables that Write supports
	Write       func(c *cli.Context, in *resolve.Subject, kind string, w io.Writer) error
}

// Formats returns the formats in the order in which users see them.
func Formats() []Format {
	return []Format{
		{Name: "csv", About: "comma-separated values", Rows: tables.NewCSV},
		{Name: "json", About: "one JSON object (docs/schema/table.json)", Rows: tables.NewJSON},
		{Name: "markdown", About: "a table in GitHub's Markdown", Rows: tables.NewMarkdown},
		{Name: "latex", About: "a booktabs table, longtable beyond 40 rows; 20,000 rows at most", Rows: tables.NewLaTeX},
		{Name: "verilog", About: "SystemVerilog for synthesis: a package with a function input -> bit mask of outputs, or a module of comparators",
			Kinds: append(lookupKinds(), "comparators"), Write: writeVerilog},
		{Name: "c", About: "a C and C++ header with the same function", Kinds: lookupKinds(), Write: lookupWriter(tables.WriteC)},
		{Name: "opensm", About: "forwarding tables for opensm -R file -U FILE; one VL, one path per destination", Kinds: []string{"next-hops"},
			Write: writeOpenSM},
		{Name: "booksim", About: "BookSim's anynet file. BookSim 2 loads no routing table and routes anynet by its own\n            min; " +
			"other next hops are refused (convert --to anynet writes the network)", Kinds: []string{"next-hops"}, Write: writeBookSim},
		{Name: "permutation", About: "a file for --traffic permutation:FILE of sim, sweep and turns", Kinds: []string{"worst-permutation"},
			Write: writePermutation},
	}
}

func lookupKinds() []string { return []string{"turns", "next-hops", "input-hops", "ranges"} }

// formatNames returns the names of Formats.
func formatNames() []string { return registry.Names(Formats(), nameOf) }

func nameOf(f Format) string { return f.Name }

// formatOf returns the format with this name. It returns an error if the format does not support
// the kind of table.
func formatOf(name, kind string) (*Format, error) {
	f, err := registry.Find("format", name, Formats(), nameOf)
	if err != nil {
		return nil, fmt.Errorf("--format: %w", err)
	}
	if f.Rows == nil && !slices.Contains(f.Kinds, kind) {
		return nil, fmt.Errorf("--format %s needs --kind %s; got %s", name, strings.Join(f.Kinds, ", "), kind)
	}
	return &f, nil
}
