package main

import (
	"slices"
	"testing"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model/route"
)

// TestSelections checks that the selections named in model/route are those of the simulator.
// model/route cannot import engine.
func TestSelections(t *testing.T) {
	known := append(engine.Selections(), "")
	for _, r := range route.Routings() {
		if !slices.Contains(known, engine.Selection(r.Selection)) {
			t.Errorf("routing %s has selection %q in model/route/route.go; want one of %v", r.Name, r.Selection, engine.Selections())
		}
	}
}
