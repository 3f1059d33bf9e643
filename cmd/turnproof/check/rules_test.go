package check

import (
	"context"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
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
