package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
)

// TestNext follows each step that check names for refuted tables: the results are proved.
func TestNext(t *testing.T) {
	dir := t.TempDir()
	fillDumps(t, filepath.Join(dir, "dumps"), "updn", "")
	t.Chdir(dir)
	stdout, stderr, code := turnproof(t, "check", "dumps", "--json")
	if code != cli.ExitRefuted {
		t.Fatal(code, stderr)
	}
	out := valid(t, "check.json", stdout)
	if root := out["ranking"].(map[string]any)["root"]; root != "S13" {
		t.Errorf("root %v", root)
	}
	results := map[string][]string{"mend": {"-r", "mended.lfts"}, "layers": {"--sl", "path-sl.txt"}, "table": {"-r", "updown.lfts"}}
	for _, x := range out["next"].([]any) {
		step := x.(map[string]any)["step"].(string)
		words := strings.Fields(step)
		if words[0] != "turnproof" {
			if step != "SLS=1 collect.sh FOLDER" {
				t.Errorf("step %q", step)
			}
			continue
		}
		if _, stderr, code := turnproof(t, words[1:]...); code > cli.ExitRefuted {
			t.Errorf("%s: exit status %d, %s", step, code, stderr)
		}
		name := words[1]
		if strings.Contains(step, "--mend") {
			name = "mend"
		}
		given := append([]string{"check", "dumps"}, results[name]...)
		if stdout, stderr, code := turnproof(t, given...); code != cli.ExitHolds || results[name] == nil {
			t.Errorf("%s, then %q: exit status %d, %s%s", step, given, code, stdout, stderr)
		}
		delete(results, name)
	}
	if len(results) > 0 {
		t.Errorf("no step leads to %v", results)
	}
	if stdout, _, _ := turnproof(t, "check", "dumps", "-r", "mended.lfts"); strings.Contains(stdout, "\nNext:") {
		t.Error("proved tables have next steps")
	}
	if err := os.Remove("updown.lfts"); err != nil {
		t.Error(err)
	}
}
