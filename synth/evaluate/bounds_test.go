package evaluate

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/synth/minimum"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// TestJournalInternalError checks that a rejection of another claim than the stored bound is an
// internal error and not a damaged journal.
func TestJournalInternalError(t *testing.T) {
	n, err := topo.Parse("ring:5")
	if err != nil {
		t.Fatal(err)
	}
	o := minimum.Options{Time: time.Second, Journal: filepath.Join(t.TempDir(), "j")}
	if _, err := minimum.Find(t.Context(), n, o); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(o.Journal)
	if err != nil {
		t.Fatal(err)
	}
	head, _, _ := strings.Cut(string(text), "\n")
	line := `{"bound":1,"packing":{"denominator":1,"weights":[1],"cycles":[[0,2,4,6,8]]}}`
	if err := os.WriteFile(o.Journal, []byte(head+"\n"+line+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := minimum.Find(t.Context(), n, o); err != nil {
		t.Fatalf("the line is valid: %v", err)
	}
	old := checkTurns
	defer func() { checkTurns = old }()
	checkTurns = func(context.Context, *model.TurnSet, verify.TurnOptions) (*verify.TurnReport, error) {
		return nil, fmt.Errorf("internal error: the checker rejects a verdict: %w", cert.Reject(cert.ClaimConnected, "test"))
	}
	_, err = minimum.Find(t.Context(), n, o)
	if err == nil || !strings.HasPrefix(err.Error(), "internal error: ") || strings.Contains(err.Error(), "damaged") {
		t.Errorf("error %v", err)
	}
}
