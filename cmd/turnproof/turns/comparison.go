package turns

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/rows"
	"github.com/turnproof/turnproof/cmd/turnproof/turnset"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model/view/tables"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
)

// This file writes the comparison of methods as text, and as a table for papers and programs.

// column is a column of the comparison.
type column struct {
	tables.Column
	about string // line below the text that explains the column; may be empty
	value func(run *turnset.Run, m *turnset.Made) any
}

// comparisonColumns returns all columns, in their order.
func comparisonColumns() []column {
	text := func(name, head string, value func(*turnset.Run, *turnset.Made) any) column {
		return column{Column: tables.Column{Name: name, Head: head}, value: value}
	}
	integer := func(name, head, about string, value func(*turnset.Made) any) column {
		return column{tables.Column{Name: name, Head: head, Type: tables.Integer}, about,
			func(_ *turnset.Run, m *turnset.Made) any { return value(m) }}
	}
	decimal := func(name, head string, digits int, about string, value func(*turnset.Made) float64) column {
		return column{tables.Column{Name: name, Head: head, Type: tables.Decimal, Digits: digits}, about,
			func(_ *turnset.Run, m *turnset.Made) any { return value(m) }}
	}
	return []column{
		text("method", "", func(_ *turnset.Run, m *turnset.Made) any { return m.Method }),
		text("root", "", func(run *turnset.Run, m *turnset.Made) any {
			if u := m.Root(); u != nil {
				return run.In.Net.SwitchLabel(*u)
			}
			return nil
		}),
		text("acyclic", "", func(_ *turnset.Run, m *turnset.Made) any { return string(m.Proof.Acyclic.Verdict) }),
		text("connected", "", func(_ *turnset.Run, m *turnset.Made) any { return string(m.Proof.Connected.Verdict) }),
		integer("prohibited", "", "", func(m *turnset.Made) any { return m.Count.Prohibited }),
		integer("at_least", "at least", "no acyclic set that connects all hosts prohibits fewer turns", func(m *turnset.Made) any {
			if m.Bound == nil {
				return nil
			}
			return m.Bound.Least
		}),
		decimal("pt", "PT", 3, "prohibited turns per switch, average", func(m *turnset.Made) float64 { return m.Count.PT }),
		decimal("sdpt", "SDPT", 3, "their standard deviation over the switches", func(m *turnset.Made) float64 { return m.Count.SDPT }),
		integer("ppt", "PPT", "pairs of opposite turns that are both prohibited", func(m *turnset.Made) any { return m.Count.PPT }),
		decimal("mean_path", "mean path", 3, "", func(m *turnset.Made) float64 { return m.Paths.MeanPath }),
		integer("max_path", "max", "", func(m *turnset.Made) any { return m.Paths.MaxPath }),
		decimal("paths", "", 2, "shortest legal paths per pair", func(m *turnset.Made) float64 { return m.Paths.Paths }),
		decimal("max_load", "max load", 3, "of a link if each host sends 1 in total", func(m *turnset.Made) float64 {
			load, _ := m.BusiestLink()
			return load
		}),
		decimal("throughput", "1/M", 4, "throughput with equal use of all shortest paths",
			func(m *turnset.Made) float64 { return orNaN(m.Throughput()) }),
		decimal("one_path", "one path", 4, "throughput with one balanced path per pair", func(m *turnset.Made) float64 { return orNaN(m.OnePath) }),
		decimal("worst", "", 4, "1/M under the worst permutation of the hosts", func(m *turnset.Made) float64 {
			if m.Worst == nil {
				return math.NaN()
			}
			return m.Worst.Throughput()
		}),
		decimal("seconds", "", 2, "", func(m *turnset.Made) float64 { return m.Seconds }),
	}
}

// columnsWanted returns the value of --columns, nil if it is not set.
func columnsWanted(c *cli.Context) ([]string, error) {
	if c.IsSet("columns") && (!c.Bool("compare") || c.Bool("json")) {
		return nil, errors.New("--columns goes with --compare, without --json")
	}
	return rows.Columns(c, schemaColumns())
}

func schemaColumns() (list []tables.Column) {
	for _, x := range comparisonColumns() {
		list = append(list, x.Column)
	}
	return list
}

// compare writes the columns of these names in a format, or those of defaultColumns if there are none.
func compare(w io.Writer, format string, run *turnset.Run, made []*turnset.Made, names []string) error {
	columns := comparisonColumns()
	var list [][]any
	for _, m := range made {
		var row []any
		for _, x := range columns {
			row = append(row, x.value(run, m))
		}
		list = append(list, row)
	}
	chosen := names
	if len(chosen) == 0 {
		chosen = defaultColumns(format, columns, made)
	}
	if format == "text" {
		n := run.In.Net
		fmt.Fprintf(w, "%s: %s, %s, %s, %s; traffic %s\n\n", run.In.Name, wording.Count(n.NumSwitches(), "switch", "es"),
			wording.Count(n.NumHosts(), "host", "s"), wording.Count(n.NumLinks(), "link", "s"), wording.Count(made[0].Count.Turns, "turn", "s"), run.Word)
	}
	if format == "latex" && len(names) == 0 {
		fmt.Fprintf(w, "%% columns that fit on a page; --columns chooses some of %s\n", strings.Join(columnNames(columns), ","))
	}
	s := tables.Schema{Caption: "Turn methods on " + resolve.Title(run.In.Name) + ", traffic " + run.Word, Columns: schemaColumns(), AlignRight: true}
	if err := rows.Print(w, format, s, list, chosen); err != nil || format != "text" {
		return err
	}
	fmt.Fprintln(w)
	for _, x := range columns {
		if x.about != "" && slices.Contains(chosen, x.Name) {
			fmt.Fprintf(w, "%s: %s\n", head(x), x.about)
		}
	}
	return nil
}

// defaultColumns returns the names of the columns without --columns: all, or in LaTeX those that fit on a page. It omits at_least if no method
// gives a bound. In LaTeX, verdicts take the place of other columns if some verdict is not proved.
func defaultColumns(format string, columns []column, made []*turnset.Made) []string {
	isOpen := func(m *turnset.Made) bool {
		return m.Proof.Acyclic.Verdict != verify.Proved || m.Proof.Connected.Verdict != verify.Proved
	}
	names := columnNames(columns)
	switch {
	case format == "latex" && slices.ContainsFunc(made, isOpen):
		names = []string{"method", "acyclic", "connected", "prohibited", "at_least", "pt", "throughput", "worst"}
	case format == "latex":
		names = []string{"method", "prohibited", "at_least", "pt", "sdpt", "mean_path", "throughput", "worst"}
	}
	if !slices.ContainsFunc(made, func(m *turnset.Made) bool { return m.Bound != nil }) {
		names = slices.DeleteFunc(names, func(name string) bool { return name == "at_least" })
	}
	return names
}

func columnNames(columns []column) (names []string) {
	for _, x := range columns {
		names = append(names, x.Name)
	}
	return names
}

// head returns the heading of a column in text.
func head(x column) string {
	if x.Head != "" {
		return x.Head
	}
	return x.Name
}

// orNaN returns *x, or NaN if x is nil.
func orNaN(x *float64) float64 {
	if x == nil {
		return math.NaN()
	}
	return *x
}
