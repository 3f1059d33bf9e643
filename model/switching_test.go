package model_test

import (
	"testing"

	"github.com/turnproof/turnproof/model"
)

// TestParseSwitching reads every discipline by its name and rejects other words.
func TestParseSwitching(t *testing.T) {
	for _, s := range model.Switchings() {
		if got, err := model.ParseSwitching(string(s)); got != s || err != nil {
			t.Errorf("%s: got %q, %v", s, got, err)
		}
	}
	for _, word := range []string{"", "VCT", "circuit"} {
		if got, err := model.ParseSwitching(word); err == nil {
			t.Errorf("%q is read as %q", word, got)
		}
	}
}
