package tables

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// This file writes tables row by row without keeping them in memory.

// Type is the type of a column.
type Type int

// The four types: string, any integer type of Go, bool, float64.
const (
	Text Type = iota
	Integer
	Bool
	Decimal
)

// Column is a column of a table.
type Column struct {
	Name   string
	Head   string // above the column in NewText; defaults to Name
	Type   Type
	Digits int // after the point, of a Decimal in formats for readers; formats for programs have all digits
}

// Schema describes the rows of a table.
type Schema struct {
	Kind             string // kind of table: turns, paths, ...
	Network, Routing string // names, for formats with a heading
	Caption          string // defaults to Kind, Network and Routing
	Columns          []Column
	Selected         bool // Columns are some of the columns of the table
	AlignRight       bool // NewText aligns all columns to the right
}

// RowWriter writes a table: Begin, then Row for each row, then End. The values of a row are in
// the order of the columns and have their types. A Decimal that is not a finite number, and nil, are missing.
type RowWriter interface {
	Begin() error
	Row(values ...any) error
	End() error
}

// WriteAll writes a table of the given rows.
func WriteAll(w RowWriter, rows [][]any) error {
	if err := w.Begin(); err != nil {
		return err
	}
	for _, row := range rows {
		if err := w.Row(row...); err != nil {
			return err
		}
	}
	return w.End()
}

func (s *Schema) names() (list []string) {
	for _, c := range s.Columns {
		list = append(list, c.Name)
	}
	return list
}

// NewCSV returns a writer of comma-separated values (RFC 4180) with the names of the columns as
// first line.
func NewCSV(w io.Writer, s Schema) RowWriter { return &csvRows{csv.NewWriter(w), s} }

type csvRows struct {
	w      *csv.Writer
	schema Schema
}

func (c *csvRows) Begin() error { return c.w.Write(c.schema.names()) }

func (c *csvRows) Row(values ...any) error { return c.w.Write(exact(values)) }

func (c *csvRows) End() error { c.w.Flush(); return c.w.Error() }

// NewMarkdown returns a writer of a table in GitHub's Markdown.
func NewMarkdown(w io.Writer, s Schema) RowWriter { return &markdownRows{w, s} }

type markdownRows struct {
	w      io.Writer
	schema Schema
}

func (m *markdownRows) Begin() error {
	rule := slices.Repeat([]string{"---"}, len(m.schema.Columns))
	return errors.Join(m.line(m.schema.names()), m.line(rule))
}

func (m *markdownRows) Row(values ...any) error { return m.line(m.schema.rounded(values, "-")) }

func (m *markdownRows) line(cells []string) error {
	for i, c := range cells {
		cells[i] = strings.NewReplacer("|", `\|`, "\n", " ", "<", "&lt;").Replace(c)
	}
	_, err := fmt.Fprintf(m.w, "| %s |\n", strings.Join(cells, " | "))
	return err
}

func (m *markdownRows) End() error { return nil }

// NewJSON returns a writer of one object with the rows as objects (docs/schema/table.json).
func NewJSON(w io.Writer, s Schema) RowWriter { return &jsonRows{w: w, schema: s} }

type jsonRows struct {
	w      io.Writer
	schema Schema
	n      int
}

func (j *jsonRows) Begin() error {
	selected := ""
	if j.schema.Selected {
		selected = ", \"columns\": " + strings.ReplaceAll(fmt.Sprintf("%q", j.schema.names()), "\" \"", "\", \"")
	}
	_, err := fmt.Fprintf(j.w, "{\"schema\": \"turnproof.table/1\", \"kind\": %q%s, \"rows\": [", j.schema.Kind, selected)
	return err
}

func (j *jsonRows) Row(values ...any) error {
	sep := ",\n  {"
	if j.n++; j.n == 1 {
		sep = "\n  {"
	}
	var b strings.Builder
	b.WriteString(sep)
	for i, v := range values {
		if isMissing(v) {
			v = nil
		}
		text, err := json.Marshal(v)
		if err != nil {
			return err
		}
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%q: %s", j.schema.Columns[i].Name, text)
	}
	b.WriteString("}")
	_, err := io.WriteString(j.w, b.String())
	return err
}

func (j *jsonRows) End() error {
	_, err := io.WriteString(j.w, "\n]}\n")
	return err
}
