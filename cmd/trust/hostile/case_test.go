package hostile

import (
	"context"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/trust/stage"
)

// TestRunJudges runs programs that misbehave, and checks that each misbehaviour is found.
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
		x := Case{Kind: "test", Name: c.script, Files: []File{file("file", "x\n")}, Args: []string{c.script}, Status: 2, Says: "no"}
		_, err := x.run(context.Background(), Programs{Turnproof: []string{"sh", "-c"}}, t.TempDir())
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.script, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v, want %q in it", c.script, err, c.want)
		}
	}
}

// TestScripts checks that every script reads, and that it still has most of its cases.
func TestScripts(t *testing.T) {
	seen := map[string]int{}
	r := &runner{ctx: t.Context()}
	t.Run("all", func(t *testing.T) {
		r.run(t, func(_ string, c *Case) error {
			r.lock.Lock()
			defer r.lock.Unlock()
			seen[c.Kind]++
			return nil
		})
	})
	all := 0
	for kind, count := range seen {
		if all += count; count < 15 {
			t.Errorf("%s: only %d cases", kind, count)
		}
	}
	if all < 2800 || len(seen) != 17 {
		t.Errorf("%d cases of %d kinds", all, len(seen))
	}
}

// TestBadLines checks that wrong lines of scripts are errors.
func TestBadLines(t *testing.T) {
	for _, line := range []string{"", "name", "-says", "-holds none name turnproof", "-what name turnproof", `'\q' turnproof`} {
		s := script{}
		if list, err := s.cases("kind", "reject", strings.Fields(line)); err == nil {
			t.Errorf("%q: %+v", line, list)
		}
	}
	s := script{files: []command{{"file", "x"}}}
	if list, err := s.cases("kind", "reject", []string{"name", "turnproof", "check"}); err == nil {
		t.Errorf("file without a text: %+v", list)
	}
}

// TestPrograms runs all cases against the programs of the stage.
func TestPrograms(t *testing.T) {
	o, record, ok := stage.FromEnvironment(t)
	if !ok {
		t.Skip("make trust STAGES=hostile runs it")
	}
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(128 << 20)) // the least memory that a child can be said to take
	p := Programs{Turnproof: []string{filepath.Join(o.Bin, "turnproof")}, Check: []string{filepath.Join(o.Bin, checker)}, Cache: t.TempDir()}
	var tally *Tally
	t.Run("all", func(t *testing.T) { tally = Run(t, p, Options{Long: true}) })
	tally.write(record)
}
