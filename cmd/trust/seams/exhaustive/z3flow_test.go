package exhaustive

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/bubble"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/crosscheck"
	"github.com/turnproof/turnproof/verify/smt"
)

// TestZ3Flow compares verdicts on flow control of rings with what Z3 says of them. TURNPROOF_CASES and TURNPROOF_FIRST choose more cases.
func TestZ3Flow(t *testing.T) {
	if !smt.Available() {
		t.Skip("this build has no Z3")
	}
	said, first := map[string]int{}, number("TURNPROOF_FIRST", 0)
	for k := first; k < first+number("TURNPROOF_CASES", longtest.Cases[uint64](25, 4000)); k++ {
		rng := rand.New(rand.NewPCG(k, 51))
		d := &drawn{}
		for d.rel == nil {
			d.drawRouting(rng)
		}
		if rng.IntN(3) == 0 {
			d.drawFlows(rng)
		}
		for d.flow == nil || d.flow.Kind == bubble.Worm {
			d.drawFlowControl(rng)
		}
		if rng.IntN(3) == 0 {
			d.waiting = model.WaitOne
		}
		o := d.options()
		o.AllStates = true
		ctx, stop := context.WithTimeout(t.Context(), mostTime)
		rep, err := verify.Check(ctx, d.rel, o)
		stop()
		if err != nil {
			said["not decided by check"]++
			continue
		}
		list, err := crosscheck.Check(t.Context(), rep, time.Minute)
		if err != nil {
			t.Errorf("case %d: %v\n%s", k, err, strings.Join(d.text, "; "))
			continue
		}
		said[list[1]]++
		if a := rep.Acyclic.Verdict; a == verify.Refuted {
			said["with a cycle, "+list[1]]++
		}
	}
	t.Log(said)
	if said["with a cycle, deadlock-free: proved"] < 1 || said["with a cycle, deadlock-free: refuted"] < 1 {
		t.Error("the test is too weak")
	}
}
