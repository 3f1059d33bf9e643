package main

import (
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/turnproof/prove"
	"github.com/turnproof/turnproof/verify/parametric"
)

// TestSearchedNothing: of a family whose least network is too large none is looked at.
func TestSearchedNothing(t *testing.T) {
	if got := prove.SearchedText(&parametric.Report{}); !strings.Contains(got, "too large") {
		t.Error(got)
	}
}
