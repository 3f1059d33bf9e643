package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/turnproof/table"
	"github.com/turnproof/turnproof/internal/modeltest"
)

// This file compiles all LaTeX that turnproof writes: tables for \input, and proofs that are documents.

// overfull is the message about a line that is wider than the page.
var overfull = regexp.MustCompile(`Overfull \\hbox \([0-9.]+pt too wide\)`)

// latex compiles a document, twice as longtable needs it, and returns the output. It skips the test if LaTeX or one of its packages is
// missing.
func latex(t *testing.T, document string) string {
	t.Helper()
	pdflatex := modeltest.Tool(t, "pdflatex")
	if out, err := exec.Command("kpsewhich", "booktabs.sty").Output(); err != nil || len(out) == 0 {
		modeltest.Missing(t, "this LaTeX lacks booktabs (Debian: texlive-latex-recommended)")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "main.tex"), []byte(document), 0o644); err != nil {
		t.Fatal(err)
	}
	var last []byte
	for range 2 {
		c := exec.Command(pdflatex, "-halt-on-error", "-interaction=nonstopmode", "main.tex")
		c.Dir = dir
		out, err := c.CombinedOutput()
		if last = out; err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	return string(last)
}

// TestLaTeXTables compiles each kind of table in a document with the packages that its first lines name. Those of comparisons and results
// are no wider than a page of the class article; lists of sets and tables of a routing can be, and --columns chooses some columns.
func TestLaTeXTables(t *testing.T) {
	modeltest.Tool(t, "pdflatex")
	fits := [][]string{
		{"turns", "torus:4x4", "--compare"},
		{"turns", "torus:4x4", "--compare", "-m", "updown,turn-addition,minimum", "--seconds", "0.2"},
		{"turns", "torus:8x8", "--compare", "-m", "updown,rturn-beta", "--marks", "procedure"},
		{"sweep", "mesh:3x3", "-r", "dor", "--loads", "0.1,0.2", "--clocks", "1000"},
		{"sweep", "mesh:3x3", "-r", "dor", "--loads", "0.1,0.2", "--clocks", "1000", "--columns", "load,accepted,median_latency"},
		{"sweep", "mesh:3x3", "-r", "dor", "--saturation", "0.1", "--clocks", "1000"},
		{"sweep", "mesh:3x3", "-r", "dor", "--saturation", "0.1", "--clocks", "1000", "--seeds", "2", "--columns", "routing,saturation,mean,mean_error"},
		{"reproduce", "glass-ni-1992/figure-a"},
	}
	wide := [][]string{{"enumerate", "mesh:2"}}
	for _, k := range table.Kinds() {
		network, routing := "mesh:3x3", "lturn-alpha,paths=table"
		if k.ReadsProgram {
			routing = "west-first"
		}
		wide = append(wide, []string{"table", network, "-r", routing, "--kind", k.Name})
	}
	for i, line := range append(fits, wide...) {
		t.Run(strings.Join(line, " "), func(t *testing.T) {
			t.Parallel()
			table, stderr, code := turnproof(t, append(line, "--format", "latex")...)
			if code != 0 && code != 1 || table == "" {
				t.Fatalf("exit status %d, %s", code, stderr)
			}
			_, preamble, ok := strings.Cut(table, "% preamble: ")
			preamble, _, _ = strings.Cut(preamble, "\n")
			if !ok {
				t.Fatalf("no preamble in\n%s", table)
			}
			out := latex(t, `\documentclass{article}`+preamble+"\n\\begin{document}\n"+table+"\\end{document}\n")
			if found := overfull.FindString(out); found != "" && i < len(fits) {
				t.Errorf("%s\n%s", found, table)
			}
		})
	}
}

// TestLaTeXProofs compiles proofs of routing programs for every size, of meshes, tori and any network.
func TestLaTeXProofs(t *testing.T) {
	modeltest.Tool(t, "pdflatex")
	for _, line := range []string{"north-last", "dor --family torus --dims 2", "duato --family mesh --dims 2", "valiant --dims 1"} {
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "proof.tex")
			if _, stderr, code := turnproof(t, append([]string{"prove", "--proof", file}, strings.Fields(line)...)...); code != 0 {
				t.Fatalf("exit status %d, %s", code, stderr)
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			latex(t, string(text))
		})
	}
}
