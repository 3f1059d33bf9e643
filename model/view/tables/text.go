package tables

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// NewText returns a writer of columns for terminals, with - for missing values. Memory: the table.
func NewText(w io.Writer, s Schema) RowWriter {
	flags := uint(0)
	if s.AlignRight {
		flags = tabwriter.AlignRight
	}
	return &textRows{tabwriter.NewWriter(w, 0, 0, 2, ' ', flags), s}
}

type textRows struct {
	w      *tabwriter.Writer
	schema Schema
}

func (t *textRows) line(cells []string) error {
	for i, c := range cells {
		cells[i] = strings.NewReplacer("\t", " ", "\n", " ", "\f", " ", "\v", " ").Replace(c) // of a tabwriter
	}
	line := strings.TrimRight(strings.Join(cells, "\t"), "\t")
	if t.schema.AlignRight {
		line += "\t"
	}
	_, err := fmt.Fprintln(t.w, line)
	return err
}

func (t *textRows) Begin() error {
	heads := t.schema.names()
	for i, c := range t.schema.Columns {
		heads[i] = cmp.Or(c.Head, c.Name)
	}
	return t.line(heads)
}

func (t *textRows) Row(values ...any) error { return t.line(t.schema.rounded(values, "-")) }

func (t *textRows) End() error { return t.w.Flush() }
