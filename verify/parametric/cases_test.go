package parametric

import (
	"testing"

	"github.com/turnproof/turnproof/verify"
)

// TestUndecidedCase: a claim that one undecided case proves is not proved for all cases.
func TestUndecidedCase(t *testing.T) {
	proved, open := verify.Proved, verify.Undecided
	one := &prover{system: &system{family: &family{}}, report: &Report{Verdict: open, Claims: []Claim{{Name: "deadlock-free", Verdict: proved}, {Name: "connected", Verdict: open}}}}
	other := &prover{system: &system{family: &family{}}, report: &Report{Verdict: open}}
	for _, c := range joined([]*prover{one, other}).Claims {
		if c.Verdict != open {
			t.Errorf("%s is %s", c.Name, c.Verdict)
		}
	}
}
