package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
)

// TestASChange checks which AS numbers check names for a fabric of real routers with valley paths, one number for each switch. FRR with one number
// for both spines has no valley path, and two pairs lose each other.
func TestASChange(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../../examples/day-roce/tuesday")); err != nil {
		t.Fatal(err)
	}
	number := func(sw string, as int) {
		t.Helper()
		text := fmt.Sprintf(`{"ipv4Unicast":{"routerId":"10.0.0.1","as":%d}}`, as)
		if err := os.WriteFile(filepath.Join(dir, sw, "bgp_summary.json"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	check := func() map[string]any {
		t.Helper()
		stdout, stderr, code := turnproof(t, "check", dir, "--json")
		if code != cli.ExitRefuted {
			t.Fatalf("exit status %d\n%s%s", code, stdout, stderr)
		}
		return valid(t, "check.json", stdout)["ethernet"].(map[string]any)
	}
	if e := check(); e["as_change"] != nil {
		t.Errorf("without AS numbers: %v", e["as_change"])
	}
	for i, sw := range []string{"l1", "l2", "l3", "l4", "s1", "s2"} {
		number(sw, 65001+i)
	}
	e := check()
	if d := cmp.Diff(map[string]any{"same_number": []any{[]any{"s1", "s2"}}, "lost_pairs": json.Number("2")}, e["as_change"]); d != "" {
		t.Error(d)
	}
	if s := fmt.Sprint(at(e, "valleys", 0, "session")); s != "l2 (AS 65002) announces the routes of s1 (AS 65005) to s2 (AS 65006)" {
		t.Error(s)
	}
	want := "AS numbers without valley paths: one for s1, s2. By the model of BGP 2 pairs are lost."
	if stdout, _, _ := turnproof(t, "check", dir); !strings.Contains(stdout, want) {
		t.Errorf("no %q in\n%s", want, stdout)
	}
	number("s2", 65005) // the routes are not those of these numbers
	if e := check(); e["as_change"] != nil {
		t.Errorf("with numbers that contradict the routes: %v", e["as_change"])
	}
}
