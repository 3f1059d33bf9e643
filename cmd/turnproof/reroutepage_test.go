package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
)

// TestReroutePage writes pages about changes with and without an order: each has the cycle and the steps as drawings, and what changes in each step.
func TestReroutePage(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		old, now string
		code     int
		figures  int
		want     []string
	}{
		{"west-first", "negative-first", cli.ExitHolds, 2, []string{"In any order", "An order of destinations", "step 4: 3 destinations",
			"Each numbered channel is held by a packet", "Entries that change"}},
		{"dor", "updown", cli.ExitUndecided, 4, []string{"finds no next hop at (1,1).", "Some destinations stop", "To the routing in between",
			"No second lane: it takes 2 VCs, and the network has 1.", "keep their VC (assumed)"}},
		{"dor", "dor", cli.ExitHolds, 0, []string{"No entry differs."}},
	} {
		file := filepath.Join(t.TempDir(), "page.html")
		if _, stderr, code := turnproof(t, "reroute", "mesh:4x4", "--old", x.old, "--new", x.now, "--page", file); code != x.code {
			t.Fatalf("%s to %s: status %d: %s", x.old, x.now, code, stderr)
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text := string(data)
		if got := strings.Count(text, "<figure"); got < x.figures {
			t.Errorf("%s to %s: %d figures, want %d", x.old, x.now, got, x.figures)
		}
		for _, want := range x.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s to %s: the page lacks %q", x.old, x.now, want)
			}
		}
		if strings.Contains(text, "http://") && !strings.Contains(text, "http://www.w3.org") {
			t.Errorf("%s to %s: the page names a server", x.old, x.now)
		}
	}
}
