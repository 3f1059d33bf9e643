package verify_test

import (
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/cert"
	_ "github.com/turnproof/turnproof/verify/conditions" // tests check routings with conditions
)

// TestClaimNames: the model and the checker, which share no code, give claims the same names.
func TestClaimNames(t *testing.T) {
	for name, other := range map[string]string{model.ClaimDeadlockFree: cert.ClaimDeadlockFree, model.ClaimConnected: cert.ClaimConnected,
		model.ClaimLivelockFree: cert.ClaimLivelockFree} {
		if name != other {
			t.Errorf("%s and %s", name, other)
		}
	}
}
