package report_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model/view/page"
	"github.com/turnproof/turnproof/synth/report"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
)

// pageOf returns the HTML of a report on one routing.
func pageOf(t *testing.T, q resolve.Request) string {
	t.Helper()
	s, err := resolve.Load(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	check, err := verify.Check(t.Context(), s.Rel, verify.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := &report.Report{}
	if err := r.Add(t.Context(), &report.Routing{Subject: s, Request: q, Check: check}); err != nil {
		t.Fatal(err)
	}
	p, err := r.Page(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var html strings.Builder
	if err := page.Write(&html, p); err != nil {
		t.Fatal(err)
	}
	return html.String()
}

// TestFolderLevels: the page names the service levels that a folder of dumps has. Without them it
// says that all paths are on service level 0.
func TestFolderLevels(t *testing.T) {
	const ring = "../../examples/fabrics/ring4/"
	dir := t.TempDir()
	put := func(files ...string) {
		for _, file := range files {
			text, err := os.ReadFile(ring + file)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, filepath.Base(file)), text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	const zero = "all paths on service level 0"
	put("topology.ibnetdiscover", "lash/opensm.fdbs")
	if html := pageOf(t, resolve.Request{Network: dir}); !strings.Contains(html, zero) {
		t.Errorf("without levels the page does not say %q", zero)
	}
	put("lash/path-sl.txt", "lash/opensm-sl2vl.dump")
	html := pageOf(t, resolve.Request{Network: dir})
	for _, want := range []string{"path-sl.txt", "opensm-sl2vl.dump"} {
		if !strings.Contains(html, "levels "+filepath.Join(dir, want)) && !strings.Contains(html, "tables "+filepath.Join(dir, want)) {
			t.Errorf("the page does not name %s", want)
		}
	}
	if strings.Contains(html, zero) {
		t.Errorf("the page says %q of a folder with service levels", zero)
	}
}

// TestEmpty: a report without routings is an error.
func TestEmpty(t *testing.T) {
	r := &report.Report{}
	if _, err := r.Page(t.Context()); err == nil {
		t.Error("Page made a page of nothing")
	}
	if err := r.Compare(t.Context(), nil, nil); err == nil {
		t.Error("Compare compared nothing")
	}
}

// TestCommands: the page has command lines only if the request names the network.
func TestCommands(t *testing.T) {
	const command = "turnproof check torus:16x16 -r dor --certificate"
	q := resolve.Request{Network: "torus:16x16", Routing: "dor"}
	s, err := resolve.Load(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	check, err := verify.Check(t.Context(), s.Rel, verify.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, request := range []resolve.Request{q, {}} {
		r := &report.Report{}
		if err := r.Add(t.Context(), &report.Routing{Subject: s, Request: request, Check: check}); err != nil {
			t.Fatal(err)
		}
		p, err := r.Page(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var html strings.Builder
		if err := page.Write(&html, p); err != nil {
			t.Fatal(err)
		}
		if got, want := strings.Contains(html.String(), command), request.Network != ""; got != want {
			t.Errorf("request %q: command line %v, want %v", request.Network, got, want)
		}
		if request.Network == "" && strings.Contains(html.String(), "<code>turnproof ") {
			t.Error("a page without request has command lines")
		}
	}
}
