package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/view/tables"
)

// tableKind is a table that can be printed: its columns, and its rows one
// after the other, so that large ones need no memory.
type tableKind struct {
	name, about string
	columns     []tables.Column
	rows        func(ctx context.Context, in *input, from, to model.HostID, row func(...any) error) error
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

var tableKinds = []tableKind{
	{"turns", "each turn of each switch: is it allowed?", columns("switch in_port# in_vc# out_port# out_vc# allowed? from to"), turnRows},
	{"next-hops", "where each switch forwards each address", columns("switch lid# destination out_port# next"), nextHopRows},
	{"input-hops", "where a packet may go next, by the port and VC that it came by", columns("switch in_port# in_vc# class# destination out_port# out_vc# next_class# next"), inputHopRows},
	{"distances", "links on a shortest permitted way of each pair (-1: there is none), and with nothing prohibited", columns("source destination lid# links# unrestricted#"), distanceRows},
	{"paths", "the way of each pair of hosts, for each service level that may be used", columns("source destination lid# class# end switches# path"), pathRows},
}

func kindNames() (names []string) {
	for _, k := range tableKinds {
		names = append(names, k.name)
	}
	return names
}

// tableFormat is a form of tables: row by row for every kind, or written as a whole
// for some.
type tableFormat struct {
	name, about string
	rows        func(io.Writer, tables.Schema) tables.RowWriter
	kinds       []string // of write
	write       func(c *cli.Context, in *input, kind string, w io.Writer) error
}

var tableFormats = []tableFormat{
	{name: "csv", about: "comma-separated values", rows: tables.NewCSV},
	{name: "json", about: "one JSON object (docs/schema/table.json)", rows: tables.NewJSON},
	{name: "markdown", about: "a table as GitHub has it", rows: tables.NewMarkdown},
	{name: "latex", about: "a booktabs table, longtable beyond 40 rows; 20,000 rows at most", rows: tables.NewLaTeX},
	{name: "parquet", about: "Apache Parquet, typed columns, for pandas and DuckDB", rows: tables.NewParquet},
	{name: "verilog", about: "a SystemVerilog package to synthesise: input -> bit mask of outputs", kinds: lookupKinds, write: lookupWriter(tables.WriteVerilog)},
	{name: "c", about: "a C and C++ header with the same", kinds: lookupKinds, write: lookupWriter(tables.WriteC)},
	{name: "opensm", about: "forwarding tables for opensm -R file -U FILE; one VL, one way per destination", kinds: []string{"next-hops"}, write: writeOpenSM},
	{name: "booksim", about: "BookSim's anynet file. BookSim 2 loads no routing table: it routes anynet by its own\n            min, so this is refused where the next hops are others (convert --to anynet writes the network)", kinds: []string{"next-hops"}, write: writeBookSim},
}

var lookupKinds = []string{"turns", "next-hops", "input-hops"}

func tableFormatNames() (names []string) {
	for _, f := range tableFormats {
		names = append(names, f.name)
	}
	return names
}

// formatOf is the format that a flag names.
func formatOf(name, kind string) (*tableFormat, error) {
	i := slices.IndexFunc(tableFormats, func(f tableFormat) bool { return f.name == name })
	if i < 0 {
		return nil, fmt.Errorf("--format %q, known are %s", name, strings.Join(tableFormatNames(), ", "))
	}
	f := &tableFormats[i]
	if f.rows == nil && !slices.Contains(f.kinds, kind) {
		return nil, fmt.Errorf("--format %s goes with --kind %s, not with %s", name, strings.Join(f.kinds, ", "), kind)
	}
	return f, nil
}

func tableCommand() *cli.Command {
	names := kindNames()
	var lines []string
	for _, k := range tableKinds {
		lines = append(lines, fmt.Sprintf("  %-10s %s", k.name, k.about))
	}
	lines = append(lines, "", "Formats, and the kinds that they hold:")
	for _, f := range tableFormats {
		kinds := "all"
		if f.rows == nil {
			kinds = strings.Join(f.kinds, ", ")
		}
		lines = append(lines, fmt.Sprintf("  %-9s %s: %s", f.name, kinds, f.about))
	}
	return &cli.Command{
		Name:         "table",
		Usage:        "print allowed turns, next hops or paths for analyses, hardware, switches and papers",
		ArgsUsage:    "NETWORK --routing FILE|NAME --kind " + strings.Join(names, "|"),
		BashComplete: cli.Complete(networkArgument()),
		Description: "Kinds:\n" + strings.Join(lines, "\n") + "\n\n" +
			"A turn leads from a channel into a switch to a channel out of it; allowed means\n" +
			"that it is in the routing's turn set or, where it has none, that it is used for\n" +
			"some pair of hosts.\n" +
			"With --format opensm a network without LIDs gets some, and a turn set without --paths\n" +
			"is made a table as by --paths table. docs/tables.md shows each format in use.\n\n" +
			"Examples:\n" +
			"  turnproof table topology.ibnetdiscover -r opensm-lfts.dump --kind turns --format csv\n" +
			"  turnproof table topology.ibnetdiscover -r opensm-lfts.dump --kind paths --from H1\n" +
			"  turnproof table mesh:8x8 -r west-first --kind input-hops --format verilog -o mesh_pkg.sv\n" +
			"  turnproof table topology.ibnetdiscover -r turn-addition --kind next-hops --format opensm -o lfts",
		Flags: append(routingFlags(), cli.OutputFlag(),
			&cli.Words{StringFlag: cli.StringFlag{Name: "kind", Value: names[0], Usage: "`KIND` of table: " + strings.Join(names, ", "), Category: cli.CategoryOutput}, List: kindNames()},
			&cli.Words{StringFlag: cli.StringFlag{Name: "format", Value: "csv", Usage: "`FORMAT`: " + strings.Join(tableFormatNames(), ", "), Category: cli.CategoryOutput}, List: tableFormatNames()},
			&cli.Text{StringFlag: cli.StringFlag{Name: "from", Usage: "only paths or distances from this `HOST`"}},
			&cli.Text{StringFlag: cli.StringFlag{Name: "to", Usage: "only paths, distances or hops to this `HOST`", Category: cli.CategoryOutput}},
		),
		Action: runTable,
	}
}

func runTable(c *cli.Context) error {
	i := slices.IndexFunc(tableKinds, func(k tableKind) bool { return k.name == c.String("kind") })
	if i < 0 {
		return fmt.Errorf("--kind %q, known are %s", c.String("kind"), strings.Join(kindNames(), ", "))
	}
	kind := tableKinds[i]
	form, err := formatOf(c.String("format"), kind.name)
	if err != nil {
		return err
	}
	if kind.name != "paths" && kind.name != "distances" && c.String("from") != "" || kind.name == "turns" && c.String("to") != "" {
		return errors.New("--from goes with --kind paths and distances, --to with these, next-hops and input-hops")
	}
	if form.rows == nil && c.String("to") != "" {
		return fmt.Errorf("--format %s writes whole tables: --to is of no use to it", form.name)
	}
	path, err := cli.OneArgument(c, "NETWORK")
	if err != nil {
		return err
	}
	in, err := readTableInput(c, path, form)
	if err != nil {
		return err
	}
	in.printNotes(c)
	if form.write != nil {
		return cli.WriteFile(c, c.String("output"), func(w io.Writer) error { return form.write(c, in, kind.name, w) })
	}
	return writeRows(c, in, form, kind)
}

// readTableInput reads network and routing. For OpenSM a network without LIDs gets some,
// which tables in a file cannot mean.
func readTableInput(c *cli.Context, path string, form *tableFormat) (*input, error) {
	if form.name != "opensm" {
		return readInput(c, path, true, false)
	}
	given := false
	in, err := readPrepared(c, path, true, false, func(n *model.Network) (*model.Network, error) {
		made, err := format.Addressed(n)
		given = made != n
		return made, err
	})
	switch {
	case err != nil:
		return nil, err
	case given && in.table != nil:
		return nil, fmt.Errorf("%s: no port of the network has a LID, which the tables in %s go by", in.name, in.routing)
	case in.net.NumHosts() > 0 && in.net.Host(0).LID == 0:
		return nil, fmt.Errorf("%s: the hosts have no LIDs, which forwarding tables go by", in.name)
	}
	return in, nil
}

// writeRows writes a table row by row.
func writeRows(c *cli.Context, in *input, form *tableFormat, kind tableKind) (err error) {
	from, to := model.NoHost, model.NoHost
	if f := c.String("from"); f != "" {
		if from, err = in.host(f); err != nil {
			return fmt.Errorf("--from: %w", err)
		}
	}
	if f := c.String("to"); f != "" {
		if to, err = in.host(f); err != nil {
			return fmt.Errorf("--to: %w", err)
		}
	}
	return cli.WriteFile(c, c.String("output"), func(w io.Writer) error {
		return tableRows(c.Context, w, form, kind, in, tables.Schema{Network: subject(in.name), Routing: routingTitle(c, in)}, from, to)
	})
}

// tableRows writes a table; about names network and routing.
func tableRows(ctx context.Context, w io.Writer, form *tableFormat, kind tableKind, in *input, about tables.Schema, from, to model.HostID) error {
	about.Kind, about.Columns = kind.name, kind.columns
	out := form.rows(w, about)
	if err := out.Begin(); err != nil {
		return err
	}
	if err := kind.rows(ctx, in, from, to, out.Row); err != nil {
		return err
	}
	return out.End()
}
