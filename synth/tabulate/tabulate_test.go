package tabulate_test

import (
	"context"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/model/view/tables"
	"github.com/turnproof/turnproof/synth/tabulate"
)

func relation(t *testing.T, spec, name string) model.Relation {
	t.Helper()
	n, err := topo.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	r, err := route.New(name, n, route.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestKinds counts the rows of each table.
func TestKinds(t *testing.T) {
	r := relation(t, "mesh:2x2", "dor")
	for name, rows := range map[string]int{
		"turns":      8,           // at each of 4 switches from each of 2 links to the other
		"next-hops":  -1,          // the relation is no table
		"input-hops": 4 * (3 + 3), // by destination: 3 injection channels and 3 links, each with one hop
		"distances":  12,
		"paths":      12,
	} {
		kind, err := tabulate.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		err = tabulate.Write(context.Background(), &b, tables.NewCSV, kind, r, tables.Schema{}, model.NoHost, model.NoHost)
		if got := strings.Count(b.String(), "\n") - 1; (err != nil) != (rows < 0) || err == nil && got != rows {
			t.Errorf("%s: %d rows, want %d, %v", name, got, rows, err)
		}
	}
}

// TestLookup checks that next hops need a table and that the other lookups do not.
func TestLookup(t *testing.T) {
	r := relation(t, "mesh:2x2", "dor")
	for _, kind := range []string{"turns", "input-hops"} {
		if l, err := tabulate.Lookup(context.Background(), r, kind); err != nil || l == nil {
			t.Errorf("%s: %v", kind, err)
		}
	}
	if _, err := tabulate.Lookup(context.Background(), r, "next-hops"); err == nil || !strings.Contains(err.Error(), "forwarding tables") {
		t.Error(err)
	}
}
