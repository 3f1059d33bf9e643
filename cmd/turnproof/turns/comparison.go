package turns

import (
	"io"
	"math"
	"slices"

	"github.com/turnproof/turnproof/cmd/turnproof/rows"
	"github.com/turnproof/turnproof/cmd/turnproof/turnset"
	"github.com/turnproof/turnproof/model/view/tables"
	"github.com/turnproof/turnproof/synth/resolve"
)

// This file writes the comparison of methods as a table for papers and programs.

// compareTable writes the columns of compareText in a format. The column at_least is absent if no method gives a bound.
func compareTable(w io.Writer, format string, run *turnset.Run, made []*turnset.Made) error {
	decimal := func(name string, digits int) tables.Column {
		return tables.Column{Name: name, Type: tables.Decimal, Digits: digits}
	}
	integer := func(name string) tables.Column { return tables.Column{Name: name, Type: tables.Integer} }
	s := tables.Schema{Caption: "Turn methods on " + resolve.Title(run.In.Name) + ", traffic " + run.Word, Columns: []tables.Column{
		{Name: "method"}, {Name: "root"}, {Name: "acyclic"}, {Name: "connected"}, integer("prohibited"), integer("at_least"), decimal("pt", 3),
		decimal("sdpt", 3), integer("ppt"), decimal("mean_path", 3), integer("max_path"), decimal("paths", 2), decimal("max_load", 3),
		decimal("throughput", 4), decimal("one_path", 4), decimal("worst", 4), decimal("seconds", 2)}}
	var list [][]any
	for _, m := range made {
		var root, least any
		if u := m.Root(); u != nil {
			root = run.In.Net.SwitchLabel(*u)
		}
		if m.Bound != nil {
			least = m.Bound.Least
		}
		worst := math.NaN()
		if m.Worst != nil {
			worst = m.Worst.Throughput()
		}
		load, _ := m.BusiestLink()
		list = append(list, []any{m.Method, root, string(m.Proof.Acyclic.Verdict), string(m.Proof.Connected.Verdict), m.Count.Prohibited, least,
			m.Count.PT, m.Count.SDPT, m.Count.PPT, m.Paths.MeanPath, m.Paths.MaxPath, m.Paths.Paths, load, orNaN(m.Throughput()), orNaN(m.OnePath),
			worst, m.Seconds})
	}
	if !slices.ContainsFunc(made, func(m *turnset.Made) bool { return m.Bound != nil }) {
		const at = 5
		s.Columns = slices.Delete(s.Columns, at, at+1)
		for i := range list {
			list[i] = slices.Delete(list[i], at, at+1)
		}
	}
	return rows.Print(w, format, s, list)
}

// orNaN returns *x, or NaN if x is nil.
func orNaN(x *float64) float64 {
	if x == nil {
		return math.NaN()
	}
	return *x
}
