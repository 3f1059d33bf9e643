package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model/view/figure"
	"github.com/turnproof/turnproof/model/view/figure/graphviz"
)

// This file lets the test binary act as turnproof for tests that need a process. It also keeps the
// developer's own configuration out of all tests.

// asProgram is the environment variable that makes the test binary act as turnproof.
const asProgram = "TURNPROOF_TEST_AS_PROGRAM"

// ofTests are the variables that tests read. TestMain removes the others, which are for the program.
var ofTests = []string{"TURNPROOF_FABRICS", "TURNPROOF_ROCE", longtest.Variable, "TURNPROOF_PREMISES", "TURNPROOF_TRANSITIONS", "TURNPROOF_SHOTS",
	"TURNPROOF_ACCELERATORS"}

func TestMain(m *testing.M) {
	figure.LayOutWith(graphviz.Layout) // tests do not build turnproof-layout
	if os.Getenv(asProgram) != "" {
		main()
	}
	for _, variable := range os.Environ() {
		name, _, _ := strings.Cut(variable, "=")
		if strings.HasPrefix(name, "TURNPROOF_") && !slices.Contains(ofTests, name) {
			_ = os.Unsetenv(name)
		}
	}
	_ = os.Setenv("TURNPROOF_CONFIG", "") // read no configuration files
	_ = os.Unsetenv("NO_COLOR")
	os.Exit(m.Run())
}

// long reports whether long tests run (make test-long).
func long() bool { return longtest.On() }

// longOnly skips a test in the short run. covered says what the short run still checks.
func longOnly(t *testing.T, covered string) {
	t.Helper()
	longtest.Only(t, covered)
}

// missing skips a test because a tool is not installed. It fails if the environment requires all
// tools.
func missing(t *testing.T, format string, args ...any) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatalf(format, args...)
	}
	t.Skipf(format, args...)
}

// TestVariablesOfTests: TestMain keeps each variable that a test of this package reads. Otherwise that test would always be skipped.
func TestVariablesOfTests(t *testing.T) {
	files, err := filepath.Glob("*_test.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	read := regexp.MustCompile(`Getenv\("(TURNPROOF_\w+)"\)`)
	found := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range read.FindAllStringSubmatch(string(text), -1) {
			if found++; !slices.Contains(ofTests, m[1]) {
				t.Errorf("%s reads %s, which TestMain removes", file, m[1])
			}
		}
	}
	if found < 5 {
		t.Errorf("%d variables found", found)
	}
}
