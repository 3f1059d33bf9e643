//go:build z3 && cgo

package article_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/examples/routing-programs/published"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify/parametric"
	"github.com/turnproof/turnproof/verify/parametric/article"
)

var update = flag.Bool("update", false, "write the expected pages")

func prove(t *testing.T, path string) *parametric.Report {
	t.Helper()
	for _, f := range published.All() {
		if f.Path != path {
			continue
		}
		p, err := program.Parse(f.Path, f.Text)
		if err != nil {
			t.Fatal(err)
		}
		r, err := parametric.Prove(t.Context(), p, parametric.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	t.Fatal("no program " + path)
	return nil
}

func TestPages(t *testing.T) {
	for _, name := range []string{"north-last.mesh.star", "duato.mesh.star"} {
		page, err := article.New(t.Context(), prove(t, name))
		if err != nil {
			t.Fatal(err)
		}
		for format, suffix := range map[article.Format]string{article.Markdown: ".md", article.LaTeX: ".tex"} {
			var b bytes.Buffer
			if err := page.Write(&b, format); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join("testdata", strings.TrimSuffix(name, ".star")+suffix)
			if *update {
				if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if want, err := os.ReadFile(file); err != nil || !bytes.Equal(want, b.Bytes()) {
				t.Errorf("%s is not as expected (%v):\n%s", file, err, b.Bytes())
			}
		}
	}
}

// TestFigure: each class of channels is in the figure, and each arrow is a dependency between two of them.
func TestFigure(t *testing.T) {
	r := prove(t, "odd-even.mesh.star")
	g, err := article.Figure(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	if len(g.Nodes) != len(r.Ranks) || len(g.Edges) < len(g.Nodes) {
		t.Errorf("%d nodes and %d arrows for %d ranks", len(g.Nodes), len(g.Edges), len(r.Ranks))
	}
	for _, e := range g.Edges {
		if e.From == e.To || e.From >= len(g.Nodes) || e.To >= len(g.Nodes) {
			t.Errorf("arrow %d to %d", e.From, e.To)
		}
	}
}

func TestNotProved(t *testing.T) {
	if _, err := article.New(t.Context(), prove(t, "nf.torus.star")); err == nil {
		t.Error("a page of a refuted program")
	}
}
