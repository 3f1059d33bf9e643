package hostile

import (
	"context"
	"os"
	"strings"
	"testing"
)

// TestRunJudges holds that each thing that can go wrong is seen: programs that do it, in
// place of ours.
func TestRunJudges(t *testing.T) {
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip("no shell")
	}
	for _, c := range []struct{ script, want string }{
		{`echo "turnproof: no" >&2; exit 2`, ""},
		{`echo "note: well" >&2; echo "turnproof: no" >&2; exit 2`, ""},
		{`echo "turnproof: no" >&2; exit 1`, "status 1, expected 2"},
		{`echo "turnproof: no" >&2`, "status 0, expected 2"},
		{`exit 2`, "a reason of 0 lines"},
		{`echo "turnproof: no" >&2; echo more >&2; exit 2`, "a reason of 2 lines"},
		{`echo "no" >&2; exit 2`, "does not name the program"},
		{`echo "turnproof: other" >&2; exit 2`, "no \"no\" in"},
		{`echo out; echo "turnproof: no" >&2; exit 2`, "on standard output"},
		{`printf 'turnproof: no \033[31m\n' >&2; exit 2`, "a control character"},
		{`printf 'turnproof: no \377\n' >&2; exit 2`, "no UTF-8"},
		{`echo x > left; echo "turnproof: no" >&2; exit 2`, `left "in/here/left"`},
		{`echo x > ../../tmp/left; echo "turnproof: no" >&2; exit 2`, `left "tmp/left"`},
		{`echo x >> file; echo "turnproof: no" >&2; exit 2`, `changed "in/here/file"`},
		{`rm file; echo "turnproof: no" >&2; exit 2`, `took away "in/here/file"`},
		{`printf "turnproof: no" >&2; printf '%03000d\n' 0 >&2; exit 2`, "a reason of 30"},
		{`kill -9 $$`, "status -1, expected 2"},
	} {
		x := Case{Kind: "test", Name: c.script, Files: []File{text("file", "x\n")}, Args: []string{c.script}, Says: "no"}
		_, err := x.Run(context.Background(), Programs{Turnproof: []string{"sh", "-c"}}, t.TempDir())
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.script, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v, want %q in it", c.script, err, c.want)
		}
	}
}

// TestCases holds that cases can be told apart, and are the same every time.
func TestCases(t *testing.T) {
	seen := map[string]bool{}
	once := Cases()
	for i, c := range Cases() {
		if again := once[i]; again.Name != c.Name || again.Kind != c.Kind {
			t.Fatalf("case %d is %q and %q", i, c.Name, again.Name)
		}
		if c.Fine && c.Says != "" || c.Kind == "" || c.Args == nil {
			t.Errorf("case %d, %s: %s", i, c.Kind, c.Name)
		}
		seen[c.Kind] = true
	}
	if len(seen) < 10 {
		t.Errorf("%d kinds", len(seen))
	}
}
