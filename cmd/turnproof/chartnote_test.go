package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
)

// TestChartNote: sweep notes texts of a PNG or PDF chart that the font lacks. SVG shows them, since
// viewers use their own fonts.
func TestChartNote(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	network := filepath.Join(dir, "網絡.edges")
	if err := os.WriteFile(network, []byte("a b\nhost h a\nhost i b\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, flag := range []string{"--latency", "--throughput"} {
		for _, format := range []string{"png", "pdf", "svg"} {
			file := filepath.Join(dir, "chart."+format)
			_, stderr, code := turnproof(t, "sweep", network, "-r", "updown", "--loads", "0.1", "--seeds", "1", "--clocks", "2000", flag, file)
			if code != cli.ExitHolds {
				t.Fatalf("%s %s: exit status %d: %s", flag, format, code, stderr)
			}
			note := "1 text with characters that a " + strings.ToUpper(format) + " cannot show"
			if got, want := strings.Contains(stderr, note), format != "svg"; got != want {
				t.Errorf("%s %s: note %v, want %v; stderr %q", flag, format, got, want, stderr)
			}
		}
	}
}
