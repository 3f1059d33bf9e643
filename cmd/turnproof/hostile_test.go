package main

import (
	"os"
	"os/exec"
	"testing"

	"github.com/turnproof/turnproof/cmd/trust/hostile"
)

// TestHostileInput runs hostile inputs through the program in its own process, in the long run. cmd/trust runs more of them.
//
// A process that is started begins with the peak of memory of the one that starts it. Long tests before this one need more memory
// than a case may use, so the long test starts itself in a process of its own.
func TestHostileInput(t *testing.T) {
	longOnly(t, "fuzz tests and TestHostileText read such files in the process of the test")
	const alone = "HOSTILE_INPUT_ALONE"
	if os.Getenv(alone) == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^TestHostileInput$", "-test.timeout=0")
		cmd.Env = append(os.Environ(), alone+"=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	// The test binary is unsuitable: it starts Graphviz in each process, which writes a cache.
	program := buildCommand(t, "turnproof", "turnproof-layout")
	o := hostile.Options{Every: 2, Most: 30}
	var tally *hostile.Tally
	t.Run("all", func(t *testing.T) {
		tally = hostile.Run(t, hostile.Programs{Turnproof: []string{program}, Cache: t.TempDir()}, o)
	})
	if tally.Cases() < 10 {
		t.Errorf("%d cases", tally.Cases())
	}
}
