package main

import (
	"os"
	"testing"

	"github.com/turnproof/turnproof/cmd/trust/hostile"
)

// asProgram in the environment makes the test binary be turnproof-check.
const asProgram = "TURNPROOF_TEST_AS_CHECKER"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	os.Exit(m.Run())
}

// TestHostileInput gives the judge some input that is made to hurt, as a process of its own; all
// of it is a stage of cmd/trust.
func TestHostileInput(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := hostile.Programs{Check: []string{self}, Env: []string{asProgram + "=1"}}
	tried := 0
	for _, c := range hostile.Cases() {
		if !c.Judge() || c.Long || c.Before != nil {
			continue
		}
		tried++
		t.Run(c.Kind+"/"+c.Name[:min(len(c.Name), 40)], func(t *testing.T) {
			t.Parallel()
			if _, err := c.Run(t.Context(), p, t.TempDir()); err != nil {
				t.Errorf("%.300q: %v", c.Args, err)
			}
		})
	}
	if tried < 20 {
		t.Errorf("%d cases", tried)
	}
}
