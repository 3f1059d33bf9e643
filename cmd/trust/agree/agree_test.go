package agree

import (
	"context"
	"os"
	"testing"
)

func long() bool { return os.Getenv("TURNPROOF_LONG") != "" }

// TestJudgesAgree holds all judges against each other on cases at random.
func TestJudgesAgree(t *testing.T) {
	cases := uint64(500)
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
