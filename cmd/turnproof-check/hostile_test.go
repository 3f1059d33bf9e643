package main

import (
	"os"
	"testing"

	"github.com/turnproof/turnproof/cmd/trust/hostile"
	"github.com/turnproof/turnproof/internal/longtest"
)

// asProgram in the environment makes the test binary run as turnproof-check.
const asProgram = "TURNPROOF_TEST_AS_CHECKER"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	os.Exit(m.Run())
}

// TestHostileInput runs the hostile cases against the checker as a process, except those that take
// seconds. The short run takes every twelfth case. cmd/trust runs all of them.
func TestHostileInput(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	every := 12
	if longtest.On() {
		every = 1
	}
	var tally *hostile.Tally
	t.Run("all", func(t *testing.T) {
		tally = hostile.Run(t, hostile.Programs{Check: []string{self}, Env: []string{asProgram + "=1"}}, hostile.Options{Every: every})
	})
	if tally.Cases() < 60/every {
		t.Errorf("%d cases", tally.Cases())
	}
}
