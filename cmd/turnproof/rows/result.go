package rows

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/internal/registry"
	"github.com/turnproof/turnproof/model/view/tables"
)

// This file prints the result of a command as a table. The formats are those of Formats that keep rows in order and
// need no file: csv, markdown and latex.

// resultFormats are the formats in which commands print a result, after text.
var resultFormats = []string{"csv", "markdown", "latex"}

// ResultFlag returns the flag --format of a command that prints its result as text or as a table.
func ResultFlag(usage string) cli.Flag {
	return &cli.Words{StringFlag: cli.StringFlag{Name: "format", Value: "text", Usage: usage, Category: cli.CategoryOutput},
		List: append([]string{"text"}, resultFormats...)}
}

// ResultFormat returns the value of --format. It returns an error if the format is not known, or if --json is set as well.
func ResultFormat(c *cli.Context) (string, error) {
	format := c.String("format")
	if _, err := registry.Find("format", format, append([]string{"text"}, resultFormats...), func(s string) string { return s }); err != nil {
		return "", fmt.Errorf("--format: %w", err)
	}
	if format != "text" && c.Bool("json") {
		return "", errors.New("--format and --json exclude each other")
	}
	return format, nil
}

// ColumnsFlag returns the flag --columns of a command that prints tables.
func ColumnsFlag() cli.Flag {
	return &cli.Text{StringFlag: cli.StringFlag{Name: "columns",
		Usage: "print only the columns `NAME,...` of the table, in this order; the names are those of csv", Category: cli.CategoryOutput}}
}

// Columns returns the names of the columns in --columns, nil if it is not set. It returns an error if a word is not that of a column.
func Columns(c *cli.Context, columns []tables.Column) ([]string, error) {
	if !c.IsSet("columns") {
		return nil, nil
	}
	words := strings.Split(c.String("columns"), ",")
	for i := range words {
		words[i] = strings.TrimSpace(words[i])
	}
	names, err := tables.FindColumns(columns, words)
	if err != nil {
		return nil, fmt.Errorf("--columns: %w", err)
	}
	return names, nil
}

// Print prints the columns of these names, or all if there are none, in a format of ResultFlag.
func Print(w io.Writer, format string, s tables.Schema, rows [][]any, names []string) error {
	write := map[string]func(io.Writer, tables.Schema) tables.RowWriter{"text": tables.NewText, "csv": tables.NewCSV, "markdown": tables.NewMarkdown,
		"latex": tables.NewLaTeX}[format]
	return tables.WriteAll(tables.Selected(write, names)(w, s), rows)
}
