package tables

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// This file writes some of the columns of a table, in a chosen order.

// FindColumns returns the names of the columns that words name: by Name, or by Head as NewText prints it, in any case. It returns an error
// that lists the columns if a word names none, or the column of another word.
func FindColumns(columns []Column, words []string) (names []string, err error) {
	for _, word := range words {
		at := slices.IndexFunc(columns, func(c Column) bool {
			return strings.EqualFold(c.Name, strings.ReplaceAll(word, " ", "_")) || c.Head != "" && strings.EqualFold(c.Head, word)
		})
		switch {
		case at < 0:
			return nil, fmt.Errorf("no column %q; want some of %s", word, strings.Join((&Schema{Columns: columns}).names(), ","))
		case slices.Contains(names, columns[at].Name):
			return nil, fmt.Errorf("column %q is given twice", columns[at].Name)
		}
		names = append(names, columns[at].Name)
	}
	return names, nil
}

// Selected returns a function such as NewCSV that writes only the columns of these names, in their order. Without names, it
// returns newWriter. Begin of its writers fails if FindColumns does.
func Selected(newWriter func(io.Writer, Schema) RowWriter, names []string) func(io.Writer, Schema) RowWriter {
	if len(names) == 0 {
		return newWriter
	}
	return func(w io.Writer, s Schema) RowWriter {
		r, all := &selectedRows{}, s.Columns
		s.Columns, s.Selected = nil, true
		found, err := FindColumns(all, names)
		r.err = err
		for _, name := range found {
			at := slices.IndexFunc(all, func(c Column) bool { return c.Name == name })
			r.at, s.Columns = append(r.at, at), append(s.Columns, all[at])
		}
		r.RowWriter = newWriter(w, s)
		return r
	}
}

type selectedRows struct {
	RowWriter
	at  []int // by column: its index among all columns
	err error // of the names
}

func (r *selectedRows) Begin() error {
	if r.err != nil {
		return r.err
	}
	return r.RowWriter.Begin()
}

func (r *selectedRows) Row(values ...any) error {
	list := make([]any, len(r.at))
	for i, at := range r.at {
		list[i] = values[at]
	}
	return r.RowWriter.Row(list...)
}
