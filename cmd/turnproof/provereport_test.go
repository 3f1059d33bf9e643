package main

import (
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/turnproof/prove"
	"github.com/turnproof/turnproof/verify/parametric"
)

// TestSearchedNothing checks the text for a family whose smallest network is too large to check.
func TestSearchedNothing(t *testing.T) {
	if got := prove.SearchedText(&parametric.Report{}); !strings.Contains(got, "too large") {
		t.Error(got)
	}
}
