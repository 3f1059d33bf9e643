// Package examples holds finished stories. Its test runs each of them with the
// programs as a user would build them, and compares what they print.
package examples

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the expected output")

var times = regexp.MustCompile(`[0-9.]+ s\n`)

// ranks are what Z3 finds, which may depend on its version.
var ranks = regexp.MustCompile(`(?m)^(  [EWNS]\d\S*( wrap)?)  +\(.*\)$`)

func TestStories(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no sh on this machine")
	}
	bin := t.TempDir()
	if out, err := exec.Command("go", "build", "-o", bin, "../cmd/turnproof", "../cmd/turnproof-check").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	scripts, err := filepath.Glob("*/run.sh")
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no story (%v)", err)
	}
	for _, script := range scripts {
		t.Run(filepath.Dir(script), func(t *testing.T) {
			cmd := exec.Command("sh", script, t.TempDir())
			cmd.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
			out, err := cmd.CombinedOutput()
			if cmd.ProcessState != nil && cmd.ProcessState.ExitCode() == 77 {
				t.Skipf("%s", out)
			}
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			got := ranks.ReplaceAllString(times.ReplaceAllString(string(out), "TIME\n"), "$1  RANK")
			expected := filepath.Join(filepath.Dir(script), "expected.txt")
			if *update {
				if err := os.WriteFile(expected, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(expected)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(string(want), got); d != "" {
				t.Errorf("(-expected +printed):\n%s", d)
			}
		})
	}
}
