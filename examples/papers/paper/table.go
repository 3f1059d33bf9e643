package paper

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"

	"github.com/turnproof/turnproof/model/view/tables"
)

// Table returns rows in the shape of the paper's table: a line for each item, a column for each quantity.
// A cell has our value, its deviation over the networks, and the published value in parentheses. If most
// cells would be empty, or there are too many columns, each row becomes a line.
func Table(rows []Row) (head []string, lines [][]string) {
	var items, quantities []string
	cells := map[[2]string]string{}
	for i := range rows {
		x := &rows[i]
		if !slices.Contains(items, x.Item) {
			items = append(items, x.Item)
		}
		if !slices.Contains(quantities, x.Quantity) {
			quantities = append(quantities, x.Quantity)
		}
		cells[[2]string{x.Item, x.Quantity}] = x.cell()
	}
	if len(quantities) > mostColumns || 2*len(cells) < len(items)*len(quantities) || len(cells) < len(rows) {
		for i := range rows {
			lines = append(lines, []string{rows[i].Item, rows[i].Quantity, rows[i].cell()})
		}
		return []string{"", "", "ours (paper)"}, lines
	}
	for _, item := range items {
		line := []string{item}
		for _, q := range quantities {
			line = append(line, cells[[2]string{item, q}])
		}
		lines = append(lines, line)
	}
	return append([]string{""}, quantities...), lines
}

const mostColumns = 9

// cell returns our value, its deviation, and the published value in parentheses.
func (x *Row) cell() string {
	if x.Text != "" {
		return x.Text
	}
	text := number(x.Ours)
	if x.Networks > 1 && x.Spread > 0 {
		text += fmt.Sprintf(" ± %.2g", x.Spread)
	}
	if x.Published != nil {
		text += " (" + number(*x.Published) + ")"
	}
	return text
}

// number formats a value with four digits, without an exponent where this is short.
func number(v float64) string {
	if v >= 10_000 && v < 1e9 || v <= -10_000 && v > -1e9 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.4g", v)
}

// WriteTable writes the table with a writer such as tables.NewText.
func WriteTable(w io.Writer, rows []Row, caption string, format func(io.Writer, tables.Schema) tables.RowWriter) error {
	head, lines := Table(rows)
	s := tables.Schema{Caption: caption}
	for _, name := range head {
		s.Columns = append(s.Columns, tables.Column{Name: name})
	}
	var list [][]any
	for _, line := range lines {
		var cells []any
		for _, c := range line {
			cells = append(cells, c)
		}
		list = append(list, cells)
	}
	return tables.WriteAll(format(w, s), list)
}

// WriteCSV writes the rows of all readings, with the columns of Head.
func WriteCSV(w io.Writer, rows []Row) error {
	c := csv.NewWriter(w)
	if err := c.Write(Head()); err != nil {
		return err
	}
	for i := range rows {
		if err := c.Write(rows[i].Cells()); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}
