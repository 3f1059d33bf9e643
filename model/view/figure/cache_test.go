package figure_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestCacheIsOurs starts this test program anew and looks where go-graphviz keeps
// its files: in the user's folder, not in that for temporary files, and without any
// folder of the user's it keeps none.
func TestCacheIsOurs(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("TMPDIR is not read there")
	}
	for _, home := range []string{t.TempDir(), ""} {
		shared := t.TempDir()
		cmd := exec.Command(os.Args[0], "-test.run=^TestTemporaryFolder$", "-test.v")
		cmd.Env = []string{"HOME=" + home, "TMPDIR=" + shared, "WANT_TMPDIR=" + shared}
		if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS: TestTemporaryFolder") {
			t.Fatalf("HOME=%q: %v\n%s", home, err, out)
		}
		if left, err := filepath.Glob(shared + "/*"); err != nil || len(left) > 0 {
			t.Errorf("HOME=%q: %v, %v in the shared folder", home, left, err)
		}
		kept, err := filepath.Glob(home + "/.cache/turnproof/go-graphviz/*")
		if err != nil || home != "" && len(kept) == 0 {
			t.Errorf("nothing was kept in %s: %v", home, err)
		}
	}
}

// TestTemporaryFolder is run by TestCacheIsOurs: the program itself has the
// folder for temporary files that it was given.
func TestTemporaryFolder(t *testing.T) {
	want := os.Getenv("WANT_TMPDIR")
	if want == "" {
		t.Skip("for TestCacheIsOurs")
	}
	if os.TempDir() != want {
		t.Errorf("temporary files go to %s, want %s", os.TempDir(), want)
	}
}
