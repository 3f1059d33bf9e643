package main

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// rowWriter writes a table row by row.
type rowWriter interface {
	begin() error
	row(values ...any) error
	end() error
}

func rowFormats() []string { return []string{"csv", "json", "markdown"} }

func newRowWriter(w io.Writer, format string, k tableKind) rowWriter {
	switch format {
	case "json":
		return &jsonRows{w: w, kind: k}
	case "markdown":
		return &markdownRows{w, k}
	}
	return &csvRows{csv.NewWriter(w), k}
}

func texts(values []any) []string {
	list := make([]string, len(values))
	for i, v := range values {
		list[i] = fmt.Sprint(v)
	}
	return list
}

type csvRows struct {
	w    *csv.Writer
	kind tableKind
}

func (c *csvRows) begin() error { return c.w.Write(c.kind.columns) }

func (c *csvRows) row(values ...any) error { return c.w.Write(texts(values)) }

func (c *csvRows) end() error { c.w.Flush(); return c.w.Error() }

type markdownRows struct {
	w    io.Writer
	kind tableKind
}

func (m *markdownRows) begin() error {
	rule := make([]string, len(m.kind.columns))
	for i := range rule {
		rule[i] = "---"
	}
	return errors.Join(m.line(slices.Clone(m.kind.columns)), m.line(rule))
}

func (m *markdownRows) row(values ...any) error { return m.line(texts(values)) }

func (m *markdownRows) line(cells []string) error {
	for i, c := range cells {
		cells[i] = strings.NewReplacer("|", `\|`, "\n", " ", "<", "&lt;").Replace(c)
	}
	_, err := fmt.Fprintf(m.w, "| %s |\n", strings.Join(cells, " | "))
	return err
}

func (m *markdownRows) end() error { return nil }

// jsonRows writes one object with the rows as objects (docs/schema/table.json).
type jsonRows struct {
	w    io.Writer
	kind tableKind
	n    int
}

func (j *jsonRows) begin() error {
	_, err := fmt.Fprintf(j.w, "{\"schema\": \"turnproof.table/1\", \"kind\": %q, \"rows\": [", j.kind.name)
	return err
}

func (j *jsonRows) row(values ...any) error {
	sep := ",\n  {"
	if j.n++; j.n == 1 {
		sep = "\n  {"
	}
	var b strings.Builder
	b.WriteString(sep)
	for i, v := range values {
		text, err := json.Marshal(v)
		if err != nil {
			return err
		}
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%q: %s", j.kind.columns[i], text)
	}
	b.WriteString("}")
	_, err := io.WriteString(j.w, b.String())
	return err
}

func (j *jsonRows) end() error {
	_, err := io.WriteString(j.w, "\n]}\n")
	return err
}
