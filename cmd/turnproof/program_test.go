package main

import (
	"os"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model/view/figure"
	"github.com/turnproof/turnproof/model/view/figure/graphviz"
)

// This file makes the test binary be turnproof where a real process is wanted, and keeps
// the developer's own settings out of all tests.

// asProgram in the environment makes the test binary be turnproof.
const asProgram = "TURNPROOF_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	figure.LayOutWith(graphviz.Layout) // turnproof-layout is not built for tests
	if os.Getenv(asProgram) != "" {
		main()
	}
	for _, variable := range os.Environ() {
		name, _, _ := strings.Cut(variable, "=")
		if strings.HasPrefix(name, "TURNPROOF_") && name != "TURNPROOF_FABRICS" && name != "TURNPROOF_LONG" {
			_ = os.Unsetenv(name)
		}
	}
	_ = os.Setenv("TURNPROOF_CONFIG", "") // no files
	_ = os.Unsetenv("NO_COLOR")
	os.Exit(m.Run())
}

// long reports whether the long run is wanted (make test-long).
func long() bool { return os.Getenv("TURNPROOF_LONG") != "" }

// longOnly skips a test in the short run. covered says what the short run still covers.
func longOnly(t *testing.T, covered string) {
	t.Helper()
	if !long() {
		t.Skip("TURNPROOF_LONG is not set; " + covered)
	}
}

// missing skips a test for want of a tool, but fails where all are to be tried.
func missing(t *testing.T, format string, args ...any) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatalf(format, args...)
	}
	t.Skipf(format, args...)
}
