package main

import (
	"os"
	"testing"

	"github.com/turnproof/turnproof/cmd/trust/hostile"
)

// TestHostileInput runs some hostile cases against the program, as a process. TURNPROOF_LONG=1
// runs more of them, cmd/trust all.
func TestHostileInput(t *testing.T) {
	// The test binary would not do: it starts Graphviz in each process, which writes a cache.
	program := buildCommand(t, "turnproof", "turnproof-layout")
	o := hostile.Options{Every: 7, Most: 2}
	if os.Getenv("TURNPROOF_LONG") != "" {
		o = hostile.Options{Every: 2, Most: 30}
	}
	var tally *hostile.Tally
	t.Run("all", func(t *testing.T) {
		tally = hostile.Run(t, hostile.Programs{Turnproof: []string{program}, Cache: t.TempDir()}, o)
	})
	if tally.Cases() < 20 {
		t.Errorf("%d cases", tally.Cases())
	}
}
