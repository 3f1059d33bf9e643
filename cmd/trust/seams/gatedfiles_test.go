package seams

import (
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
)

// TestGatedFiles compares verdicts of gates on configurations of BookSim 2 with all states. TURNPROOF_CASES and TURNPROOF_FIRST choose more cases.
func TestGatedFiles(t *testing.T) {
	first, count := fromEnvironment("TURNPROOF_FIRST", 0), fromEnvironment("TURNPROOF_CASES", longtest.Cases[uint64](20, 3_000))
	budget := int(fromEnvironment("TURNPROOF_STATES", longtest.Cases[uint64](2_000, 20_000)))
	said := map[string]int{}
	for k := first; k < first+count; k++ {
		x := gatedFileLine(newDrawer(47, k))
		one, err := x.judge(t.Context(), t.TempDir(), budget)
		if err != nil {
			t.Fatalf("case %d: %v\n%s", k, err, x.line)
		}
		if said[one.said]++; one.wrong != "" {
			t.Errorf("case %d: %s: %s\n%s\n%s", k, one.said, one.wrong, x.line, one.run)
		}
	}
	both := map[string]int{}
	for _, text := range slices.Sorted(maps.Keys(said)) {
		t.Logf("%5d %s", said[text], text)
		switch {
		case strings.HasPrefix(text, "proved by gated") && strings.Contains(text, "FREE"):
			both["proved"] += said[text]
		case strings.HasPrefix(text, "refuted") && strings.HasSuffix(text, "placed"):
			both["refuted"] += said[text]
		}
	}
	if both["proved"] < int(count/10) || both["refuted"] < int(count/20) {
		t.Errorf("%v of %d cases are judged: the test is too weak", both, count)
	}
}

// fromEnvironment returns the value of an environment variable, or a default.
func fromEnvironment(name string, value uint64) uint64 {
	if k, err := strconv.ParseUint(os.Getenv(name), 10, 64); err == nil {
		return k
	}
	return value
}
