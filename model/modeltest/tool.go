package modeltest

import (
	"os"
	"os/exec"
	"testing"
)

// Tool returns where a program of others is that a test runs. Where there is none the
// test is skipped, or fails if the environment says CI=true: there nothing is left out.
func Tool(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	switch {
	case err == nil:
	case os.Getenv("CI") == "true":
		t.Fatalf("no %s here, and CI=true allows no test to be left out", name)
	default:
		t.Skipf("no %s here", name)
	}
	return path
}
