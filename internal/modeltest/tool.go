package modeltest

import (
	"os"
	"os/exec"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
)

// Tool returns the path of an external program that a test runs in the long run. It skips the test in the short
// run. If the program is not installed, see Missing.
func Tool(t testing.TB, name string) string {
	t.Helper()
	longtest.Only(t, "the short run does not start "+name)
	path, err := exec.LookPath(name)
	if err != nil {
		Missing(t, "no "+name+" here")
	}
	return path
}

// Missing skips a test because something external is missing. If the environment has CI=true,
// the test fails instead.
func Missing(t testing.TB, what string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatalf("%s, and CI=true allows no test to be left out", what)
	}
	t.Skip(what)
}
