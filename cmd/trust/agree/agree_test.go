package agree

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/turnproof/turnproof/cmd/trust/stage"
	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/verify/smt"
)

// options returns the options of the stage, or of a short or long test with a number of cases.
func options(t *testing.T, short, long int) (stage.Options, func(format string, a ...any)) {
	o, record, isStage := stage.FromEnvironment(t)
	switch {
	case isStage && o.Cases > 0:
	case isStage:
		o.Cases = long
	default:
		o.Cases = longtest.Cases(short, long)
	}
	if !isStage {
		o.Seed = 1
	}
	return o, record
}

func isLong() bool { return longtest.On() }

// TestJudgesAgree compares all judges on random cases. The stage keeps cases with a disagreement.
func TestJudgesAgree(t *testing.T) {
	o, record := options(t, 200, 100_000)
	defer debug.SetGCPercent(debug.SetGCPercent(800)) // cases are small and leave much garbage
	first, end := o.Range(o.Cases)
	n, err := runCases(t.Context(), judges, o.Seed, uint64(first), uint64(end), func(done int) { t.Logf("%d of %d cases", done, end-first) })
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range n.wrong {
		t.Errorf("case %d (%v): %s", f.number, f.c, f.what.Text)
		if o.Root != "" {
			name := fmt.Sprintf("seed%d-case%d", o.Seed, f.number)
			if err := small(t.Context(), judges, o.Seed, f).write(filepath.Join(o.Root, "cmd/trust/agree/testdata/kept"), name); err != nil {
				t.Error(err)
			}
		}
	}
	record("%d random networks with a routing, %d disagreements. Verdicts of verify.Check by kind, then of all judges:\n\n", n.cases, len(n.wrong))
	for name, k := range n.kinds {
		record("- %s: %d cases %v\n", name, k.cases, k.said)
	}
	record("\n")
	for i, k := range n.judges {
		record("- %s: %d cases %v\n", judges[i].name, k.cases, k.said)
	}
	record("\nEvidence in the certificates: %v. Z3 %q judged one case in %d.\n\n", n.evidence, smt.Version(), z3Every)
}

// TestKept judges all kept cases again.
func TestKept(t *testing.T) {
	o, record := options(t, 0, 0)
	if o.Part > 0 {
		t.Skip("the first part has judged them")
	}
	all, err := readKept("testdata/kept")
	if err != nil || len(all) < 6 {
		t.Fatalf("%d kept cases, %v", len(all), err)
	}
	for name, k := range all {
		if text, err := k.replay(t.Context(), judges); err != nil || text != "" {
			t.Errorf("%s: %s, %v", name, text, err)
		}
	}
	record("%d kept cases were judged again.\n\n", len(all))
}

// TestKeptIsNoticed checks that replay reports a wrong verdict, and a disagreement.
func TestKeptIsNoticed(t *testing.T) {
	all, err := readKept("testdata/kept")
	if err != nil {
		t.Fatal(err)
	}
	k := all["cyclic-but-free"]
	k.Want["acyclic"] = "proved"
	if text, err := k.replay(context.Background(), judges); err != nil || text != "acyclic is refuted, want proved" {
		t.Errorf("%q, %v", text, err)
	}
	panel := mistaken(func(_ *subject, a *answers) { a[connected] = refuted })
	if text, err := k.replay(context.Background(), panel); err != nil || text != "connected is proved to right, refuted to mistaken" {
		t.Errorf("%q, %v", text, err)
	}
}

// TestSameCases checks that a case and its answers depend on the seed and the number only.
func TestSameCases(t *testing.T) {
	other := 0
	for k := range uint64(200) {
		a, b, c := text(draw(3, k)), text(draw(3, k)), text(draw(4, k))
		if a != b {
			t.Fatalf("case %d: %s, then %s", k, a, b)
		}
		other += boolInt(a != c)
	}
	if other < 190 {
		t.Errorf("only %d of 200 cases change with the seed", other)
	}
	one, err := runCases(context.Background(), judges, 3, 0, 30, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	two, err := runCases(context.Background(), judges, 3, 0, 30, nil)
	if err != nil || !reflect.DeepEqual(one, two) {
		t.Errorf("%+v, on one core %+v, %v", one, two, err)
	}
	some, err := runCases(context.Background(), judges, 3, 0, 10, nil)
	rest, rerr := runCases(context.Background(), judges, 3, 10, 30, nil)
	if err := errors.Join(err, rerr); err != nil || some.cases != 10 || rest.cases != 20 {
		t.Fatalf("parts of %d and %d cases, %v", some.cases, rest.cases, err)
	}
	for e, n := range one.evidence {
		if some.evidence[e]+rest.evidence[e] != n {
			t.Errorf("%s: %d and %d in two parts, %d together", e, some.evidence[e], rest.evidence[e], n)
		}
	}
}

func text(c *Case) string {
	b, err := json.Marshal(c)
	if err != nil {
		panic(err)
	}
	return string(b)
}
