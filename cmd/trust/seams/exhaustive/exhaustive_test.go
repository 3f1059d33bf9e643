package exhaustive

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
)

// number returns the value of an environment variable, or a default.
func number(name string, value uint64) uint64 {
	if k, err := strconv.ParseUint(os.Getenv(name), 10, 64); err == nil {
		return k
	}
	return value
}

// TestCompare compares verdicts with all states. TURNPROOF_CASES and TURNPROOF_FIRST choose more cases.
func TestCompare(t *testing.T) {
	tally, err := Compare(t.Context(), 1, number("TURNPROOF_FIRST", 1200), number("TURNPROOF_CASES", 60), 10_000, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := tally.Write(t.Output()); err != nil {
		t.Fatal(err)
	}
	if tally.WrongCount > 0 {
		t.Errorf("%d wrong verdicts", tally.WrongCount)
	}
	both := map[string]int{}
	for said, count := range tally.Said {
		for _, pair := range []string{"proved, FREE", "refuted, STUCK"} {
			if strings.Contains(said, pair) {
				both[pair] += count
			}
		}
	}
	if both["proved, FREE"] < 5 || both["refuted, STUCK"] < 5 {
		t.Errorf("%v: the test is too weak", both)
	}
}

// TestPairs compares verdicts on cases with two rules with all states. TURNPROOF_CASES and TURNPROOF_FIRST choose more cases.
func TestPairs(t *testing.T) {
	tally, err := Compare(t.Context(), 49, number("TURNPROOF_FIRST", 0), number("TURNPROOF_CASES", longtest.Cases[uint64](40, 2000)), 10_000, true)
	if err != nil {
		t.Fatal(err)
	}
	if err := tally.Write(t.Output()); err != nil {
		t.Fatal(err)
	}
	if tally.WrongCount > 0 {
		t.Errorf("%d wrong verdicts", tally.WrongCount)
	}
}
