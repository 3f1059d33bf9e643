package resolve_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/view/tables"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/synth/tabulate"
	"github.com/turnproof/turnproof/verify"
)

// TestTablesRoundTrip: the table of each named routing by input, read back, has the same dependencies and verdicts.
func TestTablesRoundTrip(t *testing.T) {
	for _, r := range route.Routings() {
		for _, spec := range networks {
			n := parse(t, spec)
			rel, err := route.New(r.Name, n, route.Options{})
			if err != nil {
				continue
			}
			path := filepath.Join(t.TempDir(), "input-hops.csv")
			writeHops(t, path, rel)
			back, err := resolve.Routing(context.Background(), path, "", n, format.Options{})
			if err != nil {
				t.Fatalf("%s on %s: %v", r.Name, spec, err)
			}
			want, got := checked(t, rel), checked(t, back.Relation)
			if want.Counts.Dependencies != got.Counts.Dependencies || len(want.Cycle) != len(got.Cycle) {
				t.Errorf("%s on %s: %d dependencies and a cycle of %d, from its table %d and %d", r.Name, spec, want.Counts.Dependencies, len(want.Cycle),
					got.Counts.Dependencies, len(got.Cycle))
			}
			for _, pair := range [][2]verify.Claim{{want.DeadlockFree, got.DeadlockFree}, {want.Connected, got.Connected}, {want.LivelockFree, got.LivelockFree}} {
				if pair[0].Verdict != pair[1].Verdict {
					t.Errorf("%s on %s: %s, from its table %s: %s", r.Name, spec, pair[0].Verdict, pair[1].Verdict, pair[1].Reason)
				}
			}
		}
	}
}

// writeHops writes the table of next hops by input.
func writeHops(t *testing.T, path string, rel model.Relation) {
	t.Helper()
	kind, err := tabulate.Find("input-hops")
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	source := &tabulate.Source{Relation: rel, From: model.NoHost, To: model.NoHost}
	if err := tabulate.Write(context.Background(), f, tables.NewCSV, kind, source, tables.Schema{}); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

func checked(t *testing.T, rel model.Relation) *verify.Report {
	t.Helper()
	rep, err := verify.Check(context.Background(), rel, verify.Options{Switching: model.CutThrough})
	if err != nil {
		t.Fatal(err)
	}
	return rep
}
