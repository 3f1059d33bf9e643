package tables_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model/view/tables"
)

var schema = tables.Schema{Kind: "turns", Network: "a_b&c", Routing: "50%", Columns: []tables.Column{{Name: "from_switch"}, {Name: "port", Type: tables.Integer}, {Name: "allowed", Type: tables.Bool}}}

// hostile are texts that mean something to one format or another.
var hostile = []string{`\end{tabular}`, `$x_1^2$`, `50% & more #1`, `~{}<>|"'`, "`tick`", `[2cm]`, `*`, `--`, `a,b`, "two\nlines", `---x`, `{`, `plain`}

func write(t testing.TB, w tables.RowWriter, rows [][]any) {
	t.Helper()
	if err := w.Begin(); err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		if err := w.Row(row...); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.End(); err != nil {
		t.Fatal(err)
	}
}

func hostileRows(times int) (rows [][]any) {
	for i := range times * len(hostile) {
		rows = append(rows, []any{hostile[i%len(hostile)], i - 3, i%2 == 0})
	}
	return rows
}

// TestLaTeX checks that short and long tables compile, and that the page shows every text
// unchanged.
func TestLaTeX(t *testing.T) {
	pdflatex := modeltest.Tool(t, "pdflatex")
	if out, err := exec.Command("kpsewhich", "booktabs.sty").Output(); err != nil || len(out) == 0 {
		modeltest.Missing(t, "this LaTeX lacks booktabs (Debian: texlive-latex-recommended)")
	}
	for times, want := range map[int]string{1: `\begin{tabular}`, 8: `\begin{longtable}`} {
		var b bytes.Buffer
		rows := hostileRows(times)
		write(t, tables.NewLaTeX(&b, schema), rows)
		if !strings.Contains(b.String(), want) {
			t.Errorf("%d rows without %s", len(rows), want)
		}
		dir := t.TempDir()
		save(t, dir, "table.tex", b.String())
		save(t, dir, "main.tex", `\documentclass{article}\usepackage[T1]{fontenc}\usepackage{textcomp}\usepackage{booktabs,longtable}\begin{document}\input{table}\end{document}`)
		for range 2 { // longtable takes two
			if out, err := run(t, dir, pdflatex, "-halt-on-error", "-interaction=nonstopmode", "main.tex"); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
		}
		if _, err := exec.LookPath("pdftotext"); err != nil {
			t.Skip("no pdftotext here to read the page")
		}
		mustRun(t, dir, "pdftotext", "-layout", "main.pdf", "page.txt")
		page, err := os.ReadFile(dir + "/page.txt")
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range append(hostile, "a_b&c, 50%") {
			if s = strings.ReplaceAll(s, "\n", " "); !strings.Contains(string(page), s) {
				t.Errorf("%q is not on the page", s)
			}
		}
		for _, row := range rows {
			if s := fmt.Sprint(row[1]); !strings.Contains(strings.ReplaceAll(string(page), "−", "-"), s) {
				t.Errorf("%s is not on the page", s)
			}
		}
	}
}

func TestLaTeXTooLong(t *testing.T) {
	w := tables.NewLaTeX(&bytes.Buffer{}, schema)
	var large *tables.TooLarge
	for i := range 20_001 {
		if err := w.Row("x", i, true); errors.As(err, &large) != (i == 20_000) {
			t.Fatal(i, err)
		}
	}
}

// TestSelected: a writer gets the chosen columns in their order, and words that name no column list all.
func TestSelected(t *testing.T) {
	s := tables.Schema{Kind: "turns", Columns: []tables.Column{{Name: "switch"}, {Name: "mean_path", Head: "mean path", Type: tables.Decimal, Digits: 1},
		{Name: "throughput", Head: "1/M", Type: tables.Integer}}}
	for _, c := range []struct{ columns, csv, fails string }{
		{"throughput,switch", "throughput,switch\n1,a\n", ""},
		{"1/m,mean path", "throughput,mean_path\n1,2.25\n", ""},
		{"Mean_Path", "mean_path\n2.25\n", ""},
		{"switch,turn", "", `no column "turn"; want some of switch,mean_path,throughput`},
		{"switch,Switch", "", `column "switch" is given twice`},
		{"", "switch,mean_path,throughput\na,2.25,1\n", ""},
	} {
		var words []string
		if c.columns != "" {
			words = strings.Split(c.columns, ",")
		}
		var b strings.Builder
		err := tables.WriteAll(tables.Selected(tables.NewCSV, words)(&b, s), [][]any{{"a", 2.25, 1}})
		if c.fails == "" && (err != nil || b.String() != c.csv) || c.fails != "" && (err == nil || err.Error() != c.fails) {
			t.Errorf("%s: %q, %v", c.columns, b.String(), err)
		}
	}
	var b strings.Builder
	if err := tables.WriteAll(tables.Selected(tables.NewJSON, []string{"mean_path"})(&b, s), [][]any{{"a", 2.25, 1}}); err != nil {
		t.Fatal(err)
	}
	if want := "{\"schema\": \"turnproof.table/1\", \"kind\": \"turns\", \"columns\": [\"mean_path\"], \"rows\": [\n  {\"mean_path\": 2.25}\n]}\n"; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}
