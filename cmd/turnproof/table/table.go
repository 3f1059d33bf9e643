package table

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/cmd/turnproof/rows"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/infiniband"
	"github.com/turnproof/turnproof/model/view/tables"
	"github.com/turnproof/turnproof/synth/area"
	"github.com/turnproof/turnproof/synth/methods"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/synth/tabulate"
)

// Kinds returns the tables in the order in which users see them.
func Kinds() []tabulate.Kind {
	list := tabulate.Kinds()
	after := slices.IndexFunc(list, func(k tabulate.Kind) bool { return k.Name == "ranges" }) + 1
	return slices.Insert(list, after, area.Kinds()...)
}

func Command() *cli.Command {
	var names, lines []string
	for _, k := range Kinds() {
		names = append(names, k.Name)
		lines = append(lines, fmt.Sprintf("  %-17s %s", k.Name, k.About))
	}
	lines = append(lines, "", "Formats, and the kinds that they hold:")
	for _, f := range Formats() {
		kinds := "all"
		if f.Rows == nil {
			kinds = strings.Join(f.Kinds, ", ")
		}
		lines = append(lines, fmt.Sprintf("  %-9s %s: %s", f.Name, kinds, f.About))
	}
	return &cli.Command{
		Name:         "table",
		Usage:        "print allowed turns, next hops or paths for analyses, hardware, switches and papers",
		ArgsUsage:    "NETWORK --routing FILE|NAME --kind KIND [flags]",
		BashComplete: cli.Complete(input.NetworkArgument()),
		Description: "Kinds:\n" + strings.Join(lines, "\n") + "\n\n" +
			"A turn leads from a channel into a switch to a channel out of it; allowed means\n" +
			"that the turn is in the routing's turn set or, if the routing has none, that a packet of\n" +
			"some pair of hosts uses the turn.\n" +
			"With --format opensm, a network without LIDs gets LIDs, and a turn set without --paths\n" +
			"becomes a table as by --paths table. docs/tables.md shows each format in use.\n\n" +
			"Examples:\n" +
			"  turnproof table topology.ibnetdiscover -r opensm-lfts.dump --kind turns --format csv\n" +
			"  turnproof table topology.ibnetdiscover -r opensm-lfts.dump --kind paths --from H1\n" +
			"  turnproof table mesh:8x8 -r west-first --kind input-hops --format verilog -o mesh_pkg.sv\n" +
			"  turnproof table mesh:8x8 -r west-first --kind comparators --format verilog -o west_first.sv\n" +
			"  turnproof table mesh:8x8 -r west-first --kind area --format markdown\n" +
			"  turnproof table topology.ibnetdiscover -r turn-addition --kind next-hops --format opensm -o lfts",
		Flags: append(input.RoutingFlags(), cli.OutputFlag(),
			&cli.Words{StringFlag: cli.StringFlag{Name: "kind", Value: names[0], Usage: "write a table of this `KIND`: " + strings.Join(names, ", "),
				Category: cli.CategoryOutput}, List: names},
			&cli.Words{StringFlag: cli.StringFlag{Name: "format", Value: "csv", Usage: "`FORMAT`: " + strings.Join(formatNames(), ", "),
				Category: cli.CategoryOutput}, List: formatNames()},
			&cli.Text{StringFlag: cli.StringFlag{Name: "from", Usage: "print only paths or distances from this `HOST`"}},
			&cli.Text{StringFlag: cli.StringFlag{Name: "to", Usage: "print only paths, distances or hops to this `HOST`", Category: cli.CategoryOutput}},
			rows.ColumnsFlag(),
		),
		Action: runTable,
	}
}

func runTable(c *cli.Context) error {
	kind, err := tabulate.Find(Kinds(), c.String("kind"))
	if err != nil {
		return fmt.Errorf("--kind: %w", err)
	}
	form, err := formatOf(c.String("format"), kind.Name)
	if err != nil {
		return err
	}
	pairs := kind.Name == "paths" || kind.Name == "distances"
	if !pairs && c.String("from") != "" || !pairs && kind.Name != "next-hops" && kind.Name != "input-hops" && c.String("to") != "" {
		return errors.New("--from needs --kind paths or distances; --to needs one of these, next-hops or input-hops")
	}
	if form.Rows == nil && c.String("to") != "" {
		return fmt.Errorf("--format %s writes whole tables; remove --to", form.Name)
	}
	if form.Rows == nil && c.IsSet("columns") {
		return fmt.Errorf("--format %s writes whole tables; remove --columns", form.Name)
	}
	path, err := cli.OneArgument(c, "NETWORK")
	if err != nil {
		return err
	}
	in, err := readTableInput(c, path, form)
	if err != nil {
		return err
	}
	input.PrintNotes(c, in)
	if form.Write != nil {
		return cli.WriteFile(c, c.String("output"), func(w io.Writer) error { return form.Write(c, in, kind.Name, w) })
	}
	return writeRows(c, in, form, kind)
}

// readTableInput reads the network and its routing. For format opensm it assigns LIDs if the
// network has none. In this case the routing cannot be a file of tables, because tables refer to
// LIDs.
func readTableInput(c *cli.Context, path string, form *Format) (*resolve.Subject, error) {
	if form.Name != "opensm" {
		return input.Read(c, path, true, false)
	}
	given := false
	in, err := input.ReadPrepared(c, path, true, false, func(n *model.Network) (*model.Network, error) {
		made, err := infiniband.Addressed(n)
		given = made != n
		return made, err
	})
	switch {
	case err != nil:
		return nil, err
	case given && in.Table != nil:
		return nil, fmt.Errorf("%s: no port of the network has a LID, but the tables in %s use LIDs", in.Name, in.Routing)
	case in.Net.NumHosts() > 0 && in.Net.Host(0).LID == 0:
		return nil, fmt.Errorf("%s: the hosts have no LIDs, but forwarding tables use LIDs", in.Name)
	}
	return in, nil
}

// writeRows writes a table row by row, restricted to --from and --to.
func writeRows(c *cli.Context, in *resolve.Subject, form *Format, kind tabulate.Kind) (err error) {
	from, to := model.NoHost, model.NoHost
	if f := c.String("from"); f != "" {
		if from, err = in.Host(f); err != nil {
			return fmt.Errorf("--from: %w", err)
		}
	}
	if f := c.String("to"); f != "" {
		if to, err = in.Host(f); err != nil {
			return fmt.Errorf("--to: %w", err)
		}
	}
	source := &tabulate.Source{Relation: in.Rel, Made: methods.Of(in), From: from, To: to}
	if kind.ReadsProgram {
		if source.Program, err = programOf(c.Context, in); err != nil {
			return err
		}
	}
	names, err := rows.Columns(c, kind.ColumnsOf(in.Rel))
	if err != nil {
		return err
	}
	write := tables.Selected(form.Rows, names)
	return cli.WriteFile(c, c.String("output"), func(w io.Writer) error {
		return tabulate.Write(c.Context, w, write, kind, source, tables.Schema{Network: resolve.Title(in.Name), Routing: routingTitle(c, in)})
	})
}
