package textfile

import (
	"bytes"
	"encoding/csv"
	"slices"
	"strings"
)

// This file has what formats recognise their files by, in the first kilobytes.

// HasSchema reports whether the first bytes of a file contain the name of a schema, in any version.
func HasSchema(head []byte, schema string) bool {
	return bytes.Contains(head, []byte(`"`+schema[:len(schema)-1]))
}

// Begins reports whether the first character of a text is c.
func Begins(head []byte, c byte) bool {
	head = bytes.TrimLeft(head, " \t\r\n")
	return len(head) > 0 && head[0] == c
}

// HasLine reports whether some line of text begins with prefix.
func HasLine(text []byte, prefix string) bool {
	return bytes.HasPrefix(text, []byte(prefix)) || bytes.Contains(text, []byte("\n"+prefix))
}

// HasColumns reports whether all names are columns.
func HasColumns(columns []string, names ...string) bool {
	return !slices.ContainsFunc(names, func(name string) bool { return !slices.Contains(columns, name) })
}

// ColumnName brings the name of a column into one form.
func ColumnName(text string) string {
	return strings.ReplaceAll(strings.ToLower(strings.TrimSpace(text)), "-", "_")
}

// CSVColumns returns the columns of a CSV header, or nil if the first line is none.
func CSVColumns(head []byte) []string {
	line, _, _ := bytes.Cut(head, []byte("\n"))
	if bytes.IndexByte(line, ',') < 0 {
		return nil
	}
	fields, err := csv.NewReader(bytes.NewReader(line)).Read()
	if err != nil {
		return nil
	}
	for i := range fields {
		fields[i] = ColumnName(fields[i])
	}
	return fields
}

// NamesLinkFile reports whether a line of YAML has the key links with the name of a file. Experiments have that; the links of a
// network are a list.
func NamesLinkFile(line []byte) bool {
	value, ok := bytes.CutPrefix(line, []byte("links:"))
	value = bytes.TrimSpace(value)
	return ok && len(value) > 0 && !bytes.ContainsAny(value[:1], "[{#&!")
}
