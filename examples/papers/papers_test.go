package papers_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/examples/papers"
	"github.com/turnproof/turnproof/examples/papers/paper"
)

var update = flag.Bool("update", false, "rewrite testdata/verdicts.txt")

// TestEntries checks that each item and claim is complete, and that no name is used twice.
func TestEntries(t *testing.T) {
	seen := map[string]bool{}
	name := func(p *paper.Paper, s string) {
		if folder, words, ok := strings.Cut(s, "/"); !ok || folder != p.Name || words == "" || seen[s] {
			t.Errorf("%q: want %s/WORDS, once", s, p.Name)
		}
		seen[s] = true
	}
	for _, p := range papers.All() {
		if p.Title == "" || p.Source == "" || len(p.Items) == 0 {
			t.Errorf("%s: Title, Source or Items are missing", p.Name)
		}
		for i := range p.Items {
			x := &p.Items[i]
			name(&p, x.Name)
			if x.About == "" || strings.HasSuffix(x.About, ".") {
				t.Errorf("%s: About is %q", x.Name, x.About)
			}
			if made := x.Compute != nil || len(x.Drawing) > 0; made == (x.None != "") || x.Charts != nil && x.Compute == nil {
				t.Errorf("%s: want Compute or Drawing, or the reason in None", x.Name)
			}
			if x.Kind() == "figure" && x.None == "" && !x.Figure() && len(x.Claims) == 0 {
				t.Errorf("%s: a figure without a picture and without a claim", x.Name)
			}
			for k := range x.Claims {
				claim := &x.Claims[k]
				name(&p, claim.Name)
				if claim.Evidence == "" && x.Evidence == "" {
					t.Errorf("%s: no kind of evidence", claim.Name)
				}
				if claim.Statement == "" || claim.Judge == nil || strings.HasSuffix(claim.Statement, ".") {
					t.Errorf("%s: want Judge, and a statement without a full stop", claim.Name)
				}
			}
		}
	}
}

// numbered are the numbers of the figures, tables and theorems of the five papers.
var numbered = map[string]struct{ figures, tables, theorems int }{
	"turn-model": {12, 3, 3}, "nf1": {15, 0, 0}, "turn-addition": {25, 2, 0}, "flow-limiting": {9, 0, 0}, "vlan": {5, 2, 1},
}

// TestNothingMissing checks that every figure, table and theorem of the five papers is an item.
func TestNothingMissing(t *testing.T) {
	names := papers.Names()
	for p, last := range numbered {
		for kind, n := range map[string]int{"figure": last.figures, "table": last.tables, "theorem": last.theorems} {
			for k := 1; k <= n; k++ {
				want := fmt.Sprintf("%s/%s-%d", p, kind, k)
				if !slices.ContainsFunc(names, func(s string) bool { return s == want || strings.TrimRight(s, "abcdef") == want }) {
					t.Errorf("%s is not listed", want)
				}
			}
		}
	}
}

// cheap is the time of recorded points, in seconds, up to which TestRecord computes them again.
const cheap = 0.02

// TestRecord computes all items from the record. It compares the verdicts of all claims with
// testdata/verdicts.txt, computes cheap points again, and checks that the record has all points.
func TestRecord(t *testing.T) {
	s, err := papers.Record()
	if err != nil {
		t.Fatal(err)
	}
	s.Sealed, s.Again = true, cheap
	var b strings.Builder
	for _, p := range papers.All() {
		results, err := p.Run(context.Background(), paper.Options{Store: s})
		if err != nil {
			t.Error(err)
			continue
		}
		for _, j := range p.Judge(results) {
			fmt.Fprintf(&b, "%s %s\n", j.Finding.Verdict, j.Claim.Name)
			if j.Finding.Verdict != paper.Holds && j.Claim.Why(j.Finding) == "" {
				t.Errorf("%s: %s without a reason", j.Claim.Name, j.Finding.Verdict)
			}
		}
	}
	const file = "testdata/verdicts.txt"
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	had := strings.Split(string(want), "\n")
	for _, line := range strings.Split(b.String(), "\n") {
		if !slices.Contains(had, line) {
			t.Errorf("%s is not in %s; if the new verdict is right, run this test with -update", line, file)
		}
	}
	if strings.Count(b.String(), "\n") != strings.Count(string(want), "\n") {
		t.Errorf("%s has claims that no paper has", file)
	}
}

// TestReadingsOfReasons checks that the record has all readings of items to which the reason of a claim sends the reader.
func TestReadingsOfReasons(t *testing.T) {
	s, err := papers.Record()
	if err != nil {
		t.Fatal(err)
	}
	s.Sealed = true
	for _, p := range papers.All() {
		for i := range p.Items {
			x := &p.Items[i]
			if !slices.ContainsFunc(x.Claims, func(c paper.Claim) bool { return strings.Contains(c.Reason+c.LeftOpen, "--readings") }) {
				continue
			}
			if _, err := x.Run(t.Context(), paper.Options{Store: s, Readings: []string{paper.AllReadings}}); err != nil {
				t.Error(err)
			}
		}
	}
}

func ExampleFind() {
	f, err := papers.Find("turn-addition/table-2")
	if err != nil {
		panic(err)
	}
	r, err := f.Item.Run(context.Background(), paper.Options{Quick: true})
	if err != nil {
		panic(err)
	}
	x := r.Rows[0]
	fmt.Printf("%s, %s: %.2f in the paper, %.2f here\n", x.Item, x.Quantity, *x.Published, x.Ours)
	// Output:
	// 16 servers a tree, prohibited, %: 6.25 in the paper, 6.25 here
}

// TestParts: a figure in several parts is found by the names of its parts.
func TestParts(t *testing.T) {
	if _, err := papers.Find("vlan/figure-3"); err == nil || err.Error() != "vlan/figure-3 has parts: vlan/figure-3a, vlan/figure-3b" {
		t.Error(err)
	}
}
