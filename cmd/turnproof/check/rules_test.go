package check

import (
	"context"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/failures"
)

// TestEveryClaimHasRule finds claims without a SARIF rule.
func TestEveryClaimHasRule(t *testing.T) {
	ctx := context.Background()
	s, err := resolve.Load(ctx, resolve.Request{Network: "mesh:3x3", Routing: "dor"})
	if err != nil {
		t.Fatal(err)
	}
	rep, err := verify.Check(ctx, s.Rel, verify.Options{Switching: model.CutThrough})
	if err != nil {
		t.Fatal(err)
	}
	names := []string{cert.ClaimMessages} // only with --classes
	for _, c := range rep.Claims() {
		names = append(names, c.Name)
	}
	for _, name := range names {
		if rules[name] == "" {
			t.Errorf("claim %s has no SARIF rule; add it to rules in cmd/turnproof/check/findings.go", name)
		}
	}
}

// TestInterruptedFailures: SARIF of a run that was interrupted says so, and is no successful execution.
func TestInterruptedFailures(t *testing.T) {
	in := &resolve.Subject{Fabric: resolve.Fabric{Name: "x"}}
	for missing, want := range map[int]string{0: "failures links:2: 3 proved, ", 7: "failures links:2: interrupted: 7 failures not judged; the others: 3 proved, "} {
		f := failuresFinding(in, "links:2", &failures.Result{Tried: 3, Proved: 3, Missing: missing})
		run := sarifOf("1", in, &verify.Report{}, []finding{f})
		if run.Invocations[0].Successful != (missing == 0) || !strings.HasPrefix(f.text, want) || (f.claim.Verdict == verify.Proved) != (missing == 0) {
			t.Errorf("%d: %+v, %+v", missing, run.Invocations, f)
		}
	}
}
