package conditions

import (
	"testing"

	"github.com/turnproof/turnproof/internal/modeltest"
)

// TestConditionsListed checks that this package imports each package that registers a condition.
func TestConditionsListed(t *testing.T) {
	modeltest.Doors(t, "../..", "conditions.go", "verify.RegisterCondition")
}
