package all

import (
	"testing"

	"github.com/turnproof/turnproof/internal/modeltest"
)

// TestFormatsListed checks that this package imports each package that registers a format.
func TestFormatsListed(t *testing.T) {
	modeltest.Doors(t, "../../..", "all.go ../base/base.go", "format.RegisterNetwork", "format.RegisterRouting", "format.RegisterRouted", "format.RegisterFolder")
}
