package tables

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// NewText returns a writer of columns for terminals, with - for missing values. Memory: the table.
func NewText(w io.Writer, s Schema) RowWriter {
	return &textRows{tabwriter.NewWriter(w, 0, 0, 2, ' ', 0), s}
}

type textRows struct {
	w      *tabwriter.Writer
	schema Schema
}

func (t *textRows) line(cells []string) error {
	for i, c := range cells {
		cells[i] = strings.NewReplacer("\t", " ", "\n", " ", "\f", " ", "\v", " ").Replace(c) // of a tabwriter
	}
	_, err := fmt.Fprintln(t.w, strings.TrimRight(strings.Join(cells, "\t"), "\t"))
	return err
}

func (t *textRows) Begin() error { return t.line(t.schema.names()) }

func (t *textRows) Row(values ...any) error { return t.line(t.schema.rounded(values, "-")) }

func (t *textRows) End() error { return t.w.Flush() }
