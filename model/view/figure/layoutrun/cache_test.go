package layoutrun

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// layOutIn lays out a graph in a copy of this test program, with these variables and the
// command before it, if any.
func layOutIn(t *testing.T, environment []string, through ...string) {
	t.Helper()
	line := append(through, os.Args[0], "-test.run=^TestOneLayout$", "-test.v")
	cmd := exec.Command(line[0], line[1:]...)
	cmd.Env = append(environment, "PATH="+os.Getenv("PATH"), "ONE_LAYOUT=1")
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS: TestOneLayout") {
		t.Fatalf("%v\n%.600s", err, out)
	}
}

// TestOneLayout is run by layOutIn.
func TestOneLayout(t *testing.T) {
	if os.Getenv("ONE_LAYOUT") == "" {
		t.Skip("for layOutIn")
	}
	before := os.TempDir()
	if plain, err := Layout(t.Context(), "digraph { a -> b }", "dot"); err != nil || !strings.Contains(string(plain), "\nnode b") {
		t.Errorf("%q, %v", plain, err)
	}
	if os.TempDir() != before {
		t.Errorf("temporary files now go to %s", os.TempDir())
	}
}

// TestCacheIsPrivate: go-graphviz keeps its files in the user's folder, not in the folder
// for temporary files. A user without a folder keeps nothing.
func TestCacheIsPrivate(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the folder for temporary files is private there")
	}
	for _, home := range []string{t.TempDir(), ""} {
		shared := t.TempDir()
		layOutIn(t, []string{"HOME=" + home, "TMPDIR=" + shared})
		if left, err := filepath.Glob(shared + "/*"); err != nil || len(left) > 0 {
			t.Errorf("HOME=%q: %v, %v in the shared folder", home, left, err)
		}
		kept, err := filepath.Glob(home + "/.cache/turnproof/go-graphviz/*")
		if err != nil || home != "" && len(kept) == 0 {
			t.Errorf("nothing was kept in %s: %v", home, err)
		}
	}
}
