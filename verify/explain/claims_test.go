package explain_test

import (
	"context"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/explain"
)

// TestEveryClaimHasNote finds claims that ClaimNote does not know.
func TestEveryClaimHasNote(t *testing.T) {
	ctx := context.Background()
	for _, routing := range []string{"dor", "minimal"} {
		n, err := topo.Parse("mesh:3x3")
		if err != nil {
			t.Fatal(err)
		}
		rel, err := route.New(routing, n, route.Options{})
		if err != nil {
			t.Fatal(err)
		}
		rep, err := verify.Check(ctx, rel, verify.Options{Switching: model.CutThrough})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range rep.Claims() {
			if explain.ClaimNote(c, rep) == "" {
				t.Errorf("%s: claim %s %s has no note; add it to ClaimNote in verify/explain/claims.go", routing, c.Name, c.Verdict)
			}
		}
	}
}
