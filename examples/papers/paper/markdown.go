package paper

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/model/view/tables"
)

// WriteMarkdown writes a section with a table of the rows and a list of the notes.
func (p *Reproduction) WriteMarkdown(w io.Writer, r *Result) error {
	fmt.Fprintf(w, "## %s\n\n%s. Source: %s.\n\n", p.Name, p.About, p.Source)
	if err := writeTable(w, r.Rows); err != nil {
		return err
	}
	fmt.Fprintln(w)
	for _, note := range r.Notes {
		fmt.Fprintln(w, "-", note)
	}
	return nil
}

func writeTable(w io.Writer, rows []Row) error {
	var s tables.Schema
	for _, name := range Head() {
		s.Columns = append(s.Columns, tables.Column{Name: name})
	}
	m := tables.NewMarkdown(w, s)
	if err := m.Begin(); err != nil {
		return err
	}
	for i := range rows {
		var cells []any
		for _, c := range rows[i].Cells() {
			cells = append(cells, c)
		}
		if err := m.Row(cells...); err != nil {
			return err
		}
	}
	return m.End()
}

// ReadMarkdown returns the rows of the reproduction with the given name from a text that
// WriteMarkdown wrote. The rows have no published values. Errors begin with the name of the file.
func ReadMarkdown(file, text, name string) (rows []Row, err error) {
	within := false
	for k, line := range strings.Split(text, "\n") {
		if head, ok := strings.CutPrefix(line, "## "); ok {
			within = head == name
		}
		cells := strings.Split(strings.TrimSuffix(strings.TrimPrefix(line, "| "), " |"), " | ")
		if !within || len(cells) != len(Head()) || cells[0] == Head()[0] || strings.HasPrefix(cells[0], "---") {
			continue
		}
		x, err := readRow(cells)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, k+1, err)
		}
		rows = append(rows, x)
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("%s has no rows of %s, as reproduce --format markdown writes them", file, name)
	}
	return rows, nil
}

// readRow parses cells in the order of Head.
func readRow(cells []string) (x Row, err error) {
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	x = Row{Item: cells[0], Quantity: cells[1], Reading: cells[6]}
	if x.Ours, err = strconv.ParseFloat(cells[3], 64); err != nil || math.IsNaN(x.Ours) {
		return x, fmt.Errorf("%q is no number", cells[3])
	}
	if spread, ok := strings.CutPrefix(cells[4], "± "); ok {
		if x.Spread, err = strconv.ParseFloat(spread, 64); err != nil {
			return x, fmt.Errorf("%q is no number", spread)
		}
	}
	return x, nil
}
