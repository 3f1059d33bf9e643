package enumerate

import (
	"io"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/rows"
	"github.com/turnproof/turnproof/model/view/tables"
	"github.com/turnproof/turnproof/synth/enumerate"
)

// This file writes the listed and the published sets as a table for papers and programs.

// setColumns are the columns of the table.
var setColumns = []tables.Column{{Name: "number", Type: tables.Integer}, {Name: "kind"}, {Name: "class", Type: tables.Integer}, {Name: "name"},
	{Name: "allowed"}, {Name: "prohibited"}, {Name: "deadlock_free"}, {Name: "connected"}}

// table writes a row for each set in a format, with the columns of these names, or all. A row of kind conflict is a smallest set of turns
// that closes a cycle.
func (x *enumeration) table(w io.Writer, format string, columns []string) error {
	var list [][]any
	for i, d := range slices.Concat(x.list, x.published) {
		kind := "set"
		switch {
		case d.Conflict:
			kind = "conflict"
		case i >= len(x.list):
			kind = "published"
		}
		var class, name any
		if d.Class > 0 {
			class = d.Class
		}
		if d.Name != "" {
			name = d.Name
		}
		names := x.e.Space.Names
		list = append(list, []any{i + 1, kind, class, name, strings.Join(names(d.Set), " "), strings.Join(names(x.e.Space.All().Minus(d.Set)), " "),
			freeText(d), x.connectedText(d)})
	}
	if format == "latex" && len(columns) == 0 { // a set and its complement are too wide for a page
		columns = []string{"number", "kind", "class", "name", "prohibited", "deadlock_free", "connected"}
	}
	return rows.Print(w, format, tables.Schema{Caption: "Sets of class turns of " + x.e.Space.Name, Columns: setColumns}, list, columns)
}

// freeText returns the verdict about deadlocks.
func freeText(d *enumerate.SetReport) string {
	switch {
	case d.Undecided != "":
		return "undecided"
	case d.Free:
		return "proved"
	}
	return "refuted"
}

// connectedText returns the verdict about paths, or nil if it was not decided.
func (x *enumeration) connectedText(d *enumerate.SetReport) any {
	switch {
	case d.Conflict || !x.e.Connector().Decides():
		return nil
	case d.Connected:
		return "proved"
	case d.Apart != nil:
		return "refuted"
	}
	return nil
}
