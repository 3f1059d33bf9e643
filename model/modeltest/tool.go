package modeltest

import (
	"os"
	"os/exec"
	"testing"
)

// Tool returns where a program of others is that a test runs; see Missing.
func Tool(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		Missing(t, "no "+name+" here")
	}
	return path
}

// Missing ends a test for want of something of others, and says of what. The test is
// skipped, or fails if the environment says CI=true: there nothing is left out.
func Missing(t testing.TB, what string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatalf("%s, and CI=true allows no test to be left out", what)
	}
	t.Skip(what)
}
