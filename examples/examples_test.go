// Package examples holds finished stories. Its test runs each of them with the
// programs as a user would build them, and compares what they print.
package examples

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/internal/modeltest"
)

var update = flag.Bool("update", false, "rewrite the expected output")

var times = regexp.MustCompile(`[0-9.]+ s\n`)

// ranks are what Z3 finds, which may depend on its version.
var ranks = regexp.MustCompile(`(?m)^(  [EWNS]\d\S*( wrap)?)  +\(.*\)$`)

// shortStory is the story that also the short run tells. The scripts of cmd/turnproof run the commands of the others, mostly on
// other networks.
const shortStory = "credit-loop"

func TestStories(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no sh on this machine")
	}
	bin := t.TempDir()
	if out, err := exec.Command("go", "build", "-buildvcs=false", "-ldflags=-s -w", "-o", bin, "../cmd/turnproof", "../cmd/turnproof-check",
		"../cmd/turnproof-layout").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	scripts, err := filepath.Glob("*/run.sh")
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no story (%v)", err)
	}
	for _, script := range scripts {
		t.Run(filepath.Dir(script), func(t *testing.T) {
			if filepath.Dir(script) != shortStory && !*update {
				longtest.Only(t, "the short run tells the story "+shortStory)
			}
			out := filepath.Join(t.TempDir(), "out") // as where no folder is given
			cmd := exec.Command("sh", script, out)
			cmd.Env = append(os.Environ(), "TURNPROOF_CONFIG=", "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
			printed, err := cmd.CombinedOutput()
			if cmd.ProcessState != nil && cmd.ProcessState.ExitCode() == 77 {
				modeltest.Missing(t, strings.TrimSpace(string(printed)))
			}
			if err != nil {
				t.Fatalf("%v\n%s", err, printed)
			}
			got := ranks.ReplaceAllString(times.ReplaceAllString(string(printed), "TIME\n"), "$1  RANK")
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
			written(t, filepath.Dir(script), out)
		})
	}
}

// written compares what a story wrote with the files of its folder golden, by name.
func written(t *testing.T, story, out string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(story, "golden", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		got, err := os.ReadFile(filepath.Join(out, filepath.Base(file)))
		if err != nil {
			t.Error(err)
			continue
		}
		if *update {
			if err := os.WriteFile(file, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what the story wrote: %.2000s", file, cmp.Diff(string(want), string(got)))
		}
	}
}
