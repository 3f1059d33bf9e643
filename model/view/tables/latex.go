package tables

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// This file writes rows as a LaTeX table with the rules of booktabs: a tabular if it fits on a
// page, else a longtable that repeats its head.

// Limits of a table in LaTeX.
const (
	pageRows     = 40     // maximum of a tabular; a longer table is a longtable
	maxLaTeXRows = 20_000 // about 400 pages
	wideColumns  = 7      // a table of 7 or more columns is set in smaller type
)

// NewLaTeX returns a writer of a table for \input, with a caption. The first line of the output
// names the packages that the preamble needs: booktabs, longtable, and T1 for all of ASCII.
// Writing fails with *TooLarge beyond 20,000 rows. Memory: the first 40 rows.
func NewLaTeX(w io.Writer, s Schema) RowWriter { return &latexRows{w: w, schema: s} }

type latexRows struct {
	w      io.Writer
	schema Schema
	held   []string // rows, until it is known that the table is long
	n      int
}

func (t *latexRows) Begin() error { return nil }

func (t *latexRows) Row(values ...any) error {
	if t.n++; t.n > maxLaTeXRows {
		return &TooLarge{"rows or more for a document", t.n, maxLaTeXRows, "--to and --from choose some; csv has no limit"}
	}
	cells := t.schema.rounded(values, "")
	for i, c := range cells {
		kind := t.schema.Columns[i].Type
		switch cells[i] = escapeLaTeX(c); {
		case isMissing(values[i]):
			cells[i] = "--"
		case kind == Integer || kind == Decimal:
			cells[i] = strings.Replace(c, "-", "$-$", 1)
		}
	}
	line := "  " + strings.Join(cells, " & ") + ` \\` + "\n"
	if t.n <= pageRows {
		t.held = append(t.held, line)
		return nil
	}
	if t.n == pageRows+1 {
		if err := t.long(); err != nil {
			return err
		}
	}
	return t.put(line)
}

func (t *latexRows) put(text ...string) error {
	_, err := io.WriteString(t.w, strings.Join(text, ""))
	return err
}

// long starts a longtable and writes the held rows.
func (t *latexRows) long() error {
	head := t.columns()
	span := len(t.schema.Columns)
	return t.put(preamble, "{", t.size(), "\n",
		`\begin{longtable}{`, t.shape(), "}\n",
		"  ", t.caption(), ` \\`, "\n",
		"  \\toprule\n", head, "  \\midrule\n  \\endfirsthead\n",
		"  \\toprule\n", head, "  \\midrule\n  \\endhead\n",
		fmt.Sprintf("  \\midrule\n  \\multicolumn{%d}{r}{to be continued} \\\\\n  \\endfoot\n", span),
		"  \\bottomrule\n  \\endlastfoot\n",
		strings.Join(t.held, ""))
}

const preamble = "% preamble: \\usepackage[T1]{fontenc} \\usepackage{booktabs,longtable}\n"

func (t *latexRows) End() error {
	if t.n > pageRows {
		return t.put("\\end{longtable}}\n")
	}
	return errors.Join(t.put(preamble,
		"\\begin{table}[htbp]\n  \\centering", t.size(), "\n  ", t.caption(),
		"\n  \\begin{tabular}{", t.shape(), "}\n  \\toprule\n", t.columns(), "  \\midrule\n"),
		t.put(t.held...),
		t.put("  \\bottomrule\n  \\end{tabular}\n\\end{table}\n"))
}

// size returns the commands for the size of a table.
func (t *latexRows) size() string {
	if len(t.schema.Columns) < wideColumns {
		return ""
	}
	return `\small\setlength{\tabcolsep}{3pt}`
}

func (t *latexRows) caption() string {
	if t.schema.Caption != "" {
		return `\caption{` + escapeLaTeX(t.schema.Caption) + "}"
	}
	return fmt.Sprintf(`\caption{%s of %s, %s}`,
		strings.ToUpper(t.schema.Kind[:1])+escapeLaTeX(t.schema.Kind[1:]), escapeLaTeX(t.schema.Network), escapeLaTeX(t.schema.Routing))
}

// shape returns the alignment of the columns; numbers are aligned to the right.
func (t *latexRows) shape() string {
	var b strings.Builder
	for _, c := range t.schema.Columns {
		b.WriteByte(map[Type]byte{Text: 'l', Integer: 'r', Bool: 'l', Decimal: 'r'}[c.Type])
	}
	return b.String()
}

func (t *latexRows) columns() string {
	names := t.schema.names()
	for i, name := range names {
		names[i] = escapeLaTeX(strings.ReplaceAll(name, "_", " "))
	}
	return "  " + strings.Join(names, " & ") + ` \\` + "\n"
}

// special escapes the characters with a meaning in LaTeX, and writes symbols as commands. A bracket after \\ would be a length,
// and two hyphens would be a dash.
var special = strings.NewReplacer(
	`\`, `\textbackslash{}`, `{`, `\{`, `}`, `\}`, `$`, `\$`, `&`, `\&`, `#`, `\#`, `%`, `\%`, `_`, `\_`,
	`~`, `\textasciitilde{}`, `^`, `\textasciicircum{}`, `<`, `\textless{}`, `>`, `\textgreater{}`, `|`, `\textbar{}`,
	`"`, `\textquotedbl{}`, `'`, `\textquotesingle{}`, "`", `\textasciigrave{}`, `[`, `{[}`, `]`, `{]}`, `--`, `{-}{-}`,
	"\n", " ", "\t", " ", "\r", " ", "*", `{*}`,
	"→", `$\to$`, "±", `$\pm$`, "×", `$\times$`, "−", `$-$`, "≤", `$\le$`, "≥", `$\ge$`, "²", `$^2$`, "α", `$\alpha$`, "β", `$\beta$`,
	"△", `$\triangle$`, "○", `$\circ$`)

func escapeLaTeX(s string) string {
	s = special.Replace(s)
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return '?'
		}
		return r
	}, s)
}
