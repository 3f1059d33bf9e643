package info

import (
	"fmt"
	"io"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/internal/option"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/synth"
	"github.com/turnproof/turnproof/synth/methods"
	"github.com/turnproof/turnproof/synth/resolve"
)

// This file prints the lists of network specs, file formats and named routings.

func Networks() *cli.Command {
	return &cli.Command{
		Name:  "networks",
		Usage: "list the network specs and the file formats",
		Description: "Every command accepts a spec in place of a network file.\n\n" +
			"Examples:\n" +
			"  turnproof networks\n" +
			"  turnproof check dragonfly:a=4,p=2,h=2 --routing updown",
		Action: func(c *cli.Context) error {
			w := c.App.Writer
			fmt.Fprintln(w, "Specs, in place of a network file:")
			for _, f := range topo.Families() {
				fmt.Fprintf(w, "\n  %s\n      %s; for example %s\n", f.Syntax, f.About, f.Example)
				for _, k := range f.Keys {
					fmt.Fprintf(w, "      %-12s %s\n", k.Name, k.Help)
				}
			}
			fmt.Fprintln(w, "\nFile formats, recognised by content:")
			for _, f := range format.NetworkFormats() {
				fmt.Fprintf(w, "  %-14s %s\n", f.Name, f.About)
			}
			return nil
		},
	}
}

func Routings() *cli.Command {
	return &cli.Command{
		Name:  "routings",
		Usage: "list the routings that have a name, with their options",
		Description: "--routing accepts a name in place of a file; keys follow after commas.\n\n" +
			"Examples:\n" +
			"  turnproof routings\n" +
			"  turnproof check mesh:4x4 --routing dor,order=yx",
		Action: func(c *cli.Context) error {
			w := c.App.Writer
			fmt.Fprintln(w, "Routings by name: --routing NAME[,KEY=VALUE...]")
			for _, r := range resolve.NamedRoutings() {
				keys := option.Words(r.Options)
				fmt.Fprintf(w, "\n  %-16s %s\n  %-16s needs: %s\n  %-16s source: %s\n", r.Name, r.Text, "", r.Needs, "", r.Source)
				if len(keys) > 0 {
					fmt.Fprintf(w, "  %-16s keys: %s\n", "", strings.Join(keys, ", "))
				}
			}
			fmt.Fprintln(w, "\nBy a set of allowed turns, for any connected network; \"turnproof turns\" measures the sets:")
			for _, m := range synth.Methods() {
				keys := methods.Keys(m)
				fmt.Fprintf(w, "\n  %-16s %s\n  %-16s source: %s\n  %-16s keys: %s\n", m.Name, m.Text, "", m.Source, "", strings.Join(keys, ", "))
			}
			fmt.Fprintln(w, "\nKeys of turn sets:")
			fmt.Fprintf(w, "  %-16s which of the paths that the set allows:\n", "paths")
			for _, p := range resolve.PathChoices() {
				fmt.Fprintf(w, "  %-16s   %-14s %s\n", "", p.Name, p.About)
			}
			printOptions(w, synth.AllOptions())
			fmt.Fprintln(w, "\nKeys of the others:")
			var lists [][]route.Option
			for _, r := range resolve.NamedRoutings() {
				lists = append(lists, r.Options)
			}
			printOptions(w, option.Join(lists...))
			return nil
		},
	}
}

// printOptions prints one option per line. It leaves out options that the command line cannot set.
func printOptions[T any](w io.Writer, list []option.Option[T]) {
	for _, x := range list {
		if x.Kind != option.Value {
			fmt.Fprintf(w, "  %-16s %s\n", x.Name, x.Help())
		}
	}
}
