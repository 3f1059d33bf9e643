package papers_test

import (
	"context"
	"fmt"
	"log"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/examples/papers"
	"github.com/turnproof/turnproof/examples/papers/paper"
)

// TestEntries checks that each entry of the list is complete.
func TestEntries(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range papers.All() {
		if folder, item, ok := strings.Cut(p.Name, "/"); !ok || folder == "" || item == "" || seen[p.Name] {
			t.Errorf("%q: want PAPER/ITEM, once in the list", p.Name)
		}
		seen[p.Name] = true
		if p.About == "" || p.Source == "" || p.Compute == nil {
			t.Errorf("%s: About, Source or Compute is missing", p.Name)
		}
		if figure := strings.Contains(p.Name, "/figure-"); figure != (p.HasFigure || p.RowCharts != nil) {
			t.Errorf("%s: set HasFigure or RowCharts for a figure, neither for a table", p.Name)
		}
		if p.HasJournal && !p.HasReadings {
			t.Errorf("%s: the journal depends on the readings", p.Name)
		}
	}
}

func ExampleAll() {
	for _, p := range papers.All() {
		if p.Name != "turn-addition/table-2" {
			continue
		}
		r, err := p.Run(context.Background(), paper.Options{Quick: true})
		if err != nil {
			log.Fatal(err)
		}
		x := r.Rows[0]
		fmt.Printf("%s, %s: %.2f in the paper, %.2f here\n", x.Item, x.Quantity, *x.Published, x.Ours)
	}
	// Output:
	// 16 servers a tree, prohibited, %: 6.25 in the paper, 6.25 here
}
