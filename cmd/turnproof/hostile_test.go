package main

import (
	"os"
	"testing"

	"github.com/turnproof/turnproof/cmd/trust/hostile"
)

// TestHostileInput gives the program some input that is made to hurt, as a process of its own; all
// of it is a stage of cmd/trust.
func TestHostileInput(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := hostile.Programs{Turnproof: []string{self}, Env: []string{asProgram + "=1"}, Cache: t.TempDir()}
	most := 2
	if os.Getenv("TURNPROOF_LONG") != "" {
		most = 30
	}
	for _, c := range hostile.Quick(most) {
		if c.Judge() {
			continue // see cmd/turnproof-check
		}
		t.Run(c.Kind+"/"+c.Name[:min(len(c.Name), 40)], func(t *testing.T) {
			t.Parallel()
			if _, err := c.Run(t.Context(), p, t.TempDir()); err != nil {
				t.Errorf("%.300q: %v", c.Args, err)
			}
		})
	}
}
