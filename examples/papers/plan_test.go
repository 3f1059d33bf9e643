package papers_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/examples/papers"
	"github.com/turnproof/turnproof/examples/papers/paper"
	"github.com/turnproof/turnproof/internal/longtest"
)

// dependent are the items whose points depend on values of others: more loads around the highest
// throughput.
var dependent = []string{"nf1/figure-12", "nf1/figure-13", "nf1/figure-14", "nf1/figure-15"}

// TestPlan checks that plans of each item with default readings, which compute nothing, list the points
// that its run takes from the record: one plan if no point depends on values of others, else a further
// one for each step.
func TestPlan(t *testing.T) {
	for _, p := range papers.All() {
		for i := range p.Items {
			x := &p.Items[i]
			if x.Compute == nil || i%4 > 0 && !longtest.On() && !slices.Contains(dependent, x.Name) {
				continue
			}
			want, values := usedPoints(t, x)
			known, rounds := map[string]paper.Point{}, 0
			for {
				plan := newPlan(t, x, paper.Options{}, known)
				if plan.Missing() == 0 {
					got := plan.Keys()
					slices.Sort(got)
					if !slices.Equal(got, want) {
						t.Errorf("%s: the plan has %d points, the run %d", x.Name, len(got), len(want))
					}
					break
				}
				if rounds++; rounds > 5 {
					t.Fatalf("%s: still %d points are missing", x.Name, plan.Missing())
				}
				for _, key := range plan.Keys() {
					point, ok := values[key]
					if !ok {
						t.Fatalf("%s: no run asks for %s", x.Name, key)
					}
					known[key] = point
				}
			}
			if rounds > 1 != slices.Contains(dependent, x.Name) {
				t.Errorf("%s: %d plans", x.Name, rounds)
			}
			for _, o := range []paper.Options{{Quick: true}, {Readings: []string{paper.AllReadings}}, {Quick: true, Seeds: 2}} {
				newPlan(t, x, o, nil)
			}
		}
	}
}

func newPlan(t *testing.T, x *paper.Item, o paper.Options, known map[string]paper.Point) *paper.Plan {
	t.Helper()
	o.Store = paper.NewStore()
	plan, err := paper.NewPlan(t.Context(), []*paper.Item{x}, o, known)
	if err != nil {
		t.Fatalf("%s, %+v: %v", x.Name, o, err)
	}
	return plan
}

// usedPoints runs an item with the record. It returns the keys of the points that the run asks for,
// sorted, and the points of the record.
func usedPoints(t *testing.T, x *paper.Item) (keys []string, points map[string]paper.Point) {
	t.Helper()
	record, err := papers.Record()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := x.Run(t.Context(), paper.Options{Store: record}); err != nil {
		t.Fatal(err)
	}
	var used bytes.Buffer
	if err := record.WriteUsed(&used); err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(used.String()), "\n")[1:] {
		keys = append(keys, line[len(`{"Key":"`):strings.Index(line, `","Values"`)])
	}
	slices.Sort(keys)
	file := filepath.Join(t.TempDir(), "journal")
	if err := os.WriteFile(file, used.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if points, err = paper.Known(file); err != nil {
		t.Fatal(err)
	}
	return keys, points
}
