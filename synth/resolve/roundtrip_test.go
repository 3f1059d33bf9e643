package resolve_test

import (
	"context"
	"errors"
	"fmt"
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

// TestTablesRoundTrip: the tables of each named routing, read back, have the same dependencies and verdicts, also under
// wormhole switching: turnproof finds the escapes, which tables do not name. Every routing has a table by input; a table
// by destination has every routing but those that look at more, each of which is refused with two packets that differ.
func TestTablesRoundTrip(t *testing.T) {
	byDestination := map[string]bool{}
	for _, r := range route.Routings() {
		for _, spec := range networks {
			n := parse(t, spec)
			rel, err := route.New(r.Name, n, route.Options{})
			if err != nil {
				continue
			}
			for _, kind := range []string{"input-hops", "next-hops"} {
				path := filepath.Join(t.TempDir(), kind+".csv")
				err := writeHops(t, path, kind, rel)
				var refused *tabulate.NotByDestination
				if errors.As(err, &refused) && kind == "next-hops" && refused.Outputs[0] != refused.Outputs[1] {
					continue
				}
				if err != nil {
					t.Fatalf("%s on %s, %s: %v", r.Name, spec, kind, err)
				}
				back, err := resolve.Routing(context.Background(), path, "", n, format.Options{})
				if err != nil {
					t.Fatalf("%s on %s, %s: %v", r.Name, spec, kind, err)
				}
				for _, switching := range []model.Switching{model.CutThrough, model.Wormhole} {
					sameVerdicts(t, fmt.Sprintf("%s on %s, %s", r.Name, spec, kind), checked(t, rel, switching), checked(t, back.Relation, switching))
				}
				byDestination[r.Name] = byDestination[r.Name] || kind == "next-hops"
			}
		}
	}
	for _, name := range []string{"dor", "minimal", "west-first", "d-mod-k", "fully-adaptive", "lbdr"} {
		if !byDestination[name] {
			t.Errorf("%s has no table by destination", name)
		}
	}
}

// sameVerdicts compares the report of a routing with that of its table.
func sameVerdicts(t *testing.T, what string, want, got *verify.Report) {
	t.Helper()
	if want.Counts.Dependencies != got.Counts.Dependencies || len(want.Cycle) != len(got.Cycle) {
		t.Errorf("%s: %d dependencies and a cycle of %d, from its table %d and %d", what, want.Counts.Dependencies, len(want.Cycle),
			got.Counts.Dependencies, len(got.Cycle))
	}
	for _, pair := range [][2]verify.Claim{{want.DeadlockFree, got.DeadlockFree}, {want.Connected, got.Connected}, {want.LivelockFree, got.LivelockFree}} {
		if pair[0].Verdict != pair[1].Verdict {
			t.Errorf("%s: %s, from its table %s: %s", what, pair[0].Verdict, pair[1].Verdict, pair[1].Reason)
		}
	}
}

// writeHops writes a table of next hops. It returns the error of tabulate.Write.
func writeHops(t *testing.T, path, name string, rel model.Relation) error {
	t.Helper()
	kind, err := tabulate.Find(tabulate.Kinds(), name)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	source := &tabulate.Source{Relation: rel, From: model.NoHost, To: model.NoHost}
	err = tabulate.Write(context.Background(), f, tables.NewCSV, kind, source, tables.Schema{})
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return err
}

func checked(t *testing.T, rel model.Relation, switching model.Switching) *verify.Report {
	t.Helper()
	rep, err := verify.Check(context.Background(), rel, verify.Options{Switching: switching})
	if err != nil {
		t.Fatal(err)
	}
	return rep
}
