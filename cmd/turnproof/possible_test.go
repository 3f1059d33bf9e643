package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
)

// TestPossible checks ring:5 with closed channels. A one-way ring has no deadlock-free routing
// without VCs. With a single closed channel there is one.
func TestPossible(t *testing.T) {
	dir := t.TempDir()
	closed, file := filepath.Join(dir, "closed"), filepath.Join(dir, "cert")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(closed, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("1 0\n2 1\n3 2\n4 3\n0 4\n")
	stdout, stderr, code := turnproof(t, "possible", "ring:5", "--closed", closed, "--json", "--certificate", file)
	if v := valid(t, "possible.json", stdout); code != cli.ExitRefuted || v["verdict"] != "refuted" {
		t.Errorf("exit status %d, %s%s", code, stdout, stderr)
	}
	checkCertificate(t, file)
	write("1 0\n2 1\n3 2\n")
	stdout, stderr, code = turnproof(t, "possible", "ring:5", "--closed", closed, "--json")
	if v := valid(t, "possible.json", stdout); code != cli.ExitRefuted || v["verdict"] != "refuted" {
		t.Errorf("exit status %d, %s%s", code, stdout, stderr)
	}
	write("1 0\n")
	stdout, stderr, code = turnproof(t, "possible", "ring:5", "--closed", closed, "--json", "--certificate", file)
	if v := valid(t, "possible.json", stdout); code != cli.ExitHolds || v["verdict"] != "proved" {
		t.Errorf("exit status %d, %s%s", code, stdout, stderr)
	}
	checkCertificate(t, file)
	if stdout, _, code := turnproof(t, "possible", "torus:4x4"); code != cli.ExitHolds || !strings.Contains(stdout, "possible:    proved") {
		t.Errorf("exit status %d, %s", code, stdout)
	}
	write("0 2\n")
	if _, stderr, code := turnproof(t, "possible", "ring:5", "--closed", closed); code != cli.ExitUsage || !strings.Contains(stderr, "nothing between") {
		t.Errorf("exit status %d, %s", code, stderr)
	}
}
