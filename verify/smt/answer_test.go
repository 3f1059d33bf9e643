package smt_test

import (
	"testing"

	"github.com/turnproof/turnproof/verify/smt"
)

func TestResultZeroIsUnknown(t *testing.T) {
	var a smt.Answer
	if a.Result != smt.Unknown {
		t.Errorf("zero answer is %v, want unknown", a.Result)
	}
	for r, want := range map[smt.Result]string{smt.Unknown: "unknown", smt.Sat: "sat", smt.Unsat: "unsat", 7: "Result(7)"} {
		if r.String() != want {
			t.Errorf("%d is %q, want %q", r, r, want)
		}
	}
}
