package agree

import (
	"bytes"
	"encoding/json"
	"io"
	"reflect"
	"runtime"
	"strings"

	"github.com/turnproof/turnproof/cmd/trust/stage"

	"context"
	"os"
	"testing"
)

func long() bool { return os.Getenv("TURNPROOF_LONG") != "" }

// TestJudgesAgree holds all judges against each other on cases at random.
func TestJudgesAgree(t *testing.T) {
	cases := uint64(200)
	if long() {
		cases = 100_000
	}
	n, err := runCases(context.Background(), judges, 1, 0, cases, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range n.wrong {
		t.Errorf("case %d (%v): %s", f.number, f.c, f.what.Text)
	}
	for name, k := range n.kinds {
		t.Logf("%-40s %5d %v", name, k.cases, k.said)
	}
	for i, k := range n.judges {
		t.Logf("%-40s %5d %v", judges[i].name, k.cases, k.said)
	}
}

// TestKept judges all kept cases again.
func TestKept(t *testing.T) {
	kept, err := replayKept(context.Background(), "testdata/kept")
	if err != nil {
		t.Fatal(err)
	}
	if kept.cases < 6 {
		t.Errorf("%d kept cases", kept.cases)
	}
	for _, text := range kept.wrong {
		t.Error(text)
	}
}

// TestKeptIsNoticed: a kept case whose verdict is another than it was, or that judges do not
// agree about, is told of.
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

// TestSameCases: the same seed and number give the same case and the same answers, another
// seed another case.
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
}

func text(c *Case) string {
	b, err := json.Marshal(c)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// TestStage runs the stage on few cases and looks at its section.
func TestStage(t *testing.T) {
	if !long() {
		t.Skip("takes all graphs; TURNPROOF_LONG=1 runs it")
	}
	var out bytes.Buffer
	if err := Stage.Run(context.Background(), stage.Options{Root: "../../..", Seed: 5, Cases: 200, Progress: io.Discard}, &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"200 random networks", "All 143 connected graphs", "Disagreements: 0."} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}
