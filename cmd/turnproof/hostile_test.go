package main

import (
	"testing"

	"github.com/turnproof/turnproof/cmd/trust/hostile"
)

// TestHostileInput runs some hostile inputs through the program in its own process.
// TURNPROOF_LONG=1 runs more of them; cmd/trust runs all.
func TestHostileInput(t *testing.T) {
	// The test binary is unsuitable: it starts Graphviz in each process, which writes a cache.
	program := buildCommand(t, "turnproof", "turnproof-layout")
	o := hostile.Options{Every: 28, Most: 2}
	if long() {
		o = hostile.Options{Every: 2, Most: 30}
	}
	var tally *hostile.Tally
	t.Run("all", func(t *testing.T) {
		tally = hostile.Run(t, hostile.Programs{Turnproof: []string{program}, Cache: t.TempDir()}, o)
	})
	if tally.Cases() < 10 {
		t.Errorf("%d cases", tally.Cases())
	}
}
