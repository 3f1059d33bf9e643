package figure_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model/modeltest"
)

// comesUp starts this test program anew with a folder for what go-graphviz keeps, through a
// command if one is given; the library panics before any test where it finds what it does not
// like.
func comesUp(t *testing.T, home string, through ...string) {
	t.Helper()
	line := append(through, os.Args[0], "-test.run=^TestTemporaryFolder$", "-test.v")
	cmd := exec.Command(line[0], line[1:]...)
	cmd.Env = []string{"HOME=" + home, "TMPDIR=/tmp", "WANT_TMPDIR=/tmp"}
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS: TestTemporaryFolder") {
		t.Fatalf("%v\n%.600s", err, out)
	}
}

// kept are the files that the library keeps.
func kept(t *testing.T, home string) []string {
	t.Helper()
	list, err := filepath.Glob(home + "/.cache/turnproof/go-graphviz/*/*")
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestCacheFaults: whatever is in the folder, and whether there is room or not, the program
// comes up; where it can it mends the folder, and what a killed process left is removed.
func TestCacheFaults(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the library keeps its own folder there")
	}
	home := t.TempDir()
	comesUp(t, home)
	list := kept(t, home)
	if len(list) != 1 {
		t.Fatalf("%q are kept", list)
	}
	whole, err := os.ReadFile(list[0])
	if err != nil {
		t.Fatal(err)
	}
	comesUp(t, home)
	for name, damaged := range map[string][]byte{
		"cut off":  whole[:len(whole)/2],
		"one zero": append(append(bytes.Clone(whole[:4096]), make([]byte, 4096)...), whole[8192:]...),
	} {
		if err := os.WriteFile(list[0], damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(list[0]+".1.tmp", whole[:1000], 0o600); err != nil {
			t.Fatal(err)
		}
		comesUp(t, home)
		if now := kept(t, home); len(now) != 1 {
			t.Errorf("%s: %q are kept", name, now)
		} else if text, err := os.ReadFile(now[0]); err != nil || len(text) != len(whole) {
			t.Errorf("%s: %d bytes, %v; whole it has %d", name, len(text), err, len(whole))
		}
		before, err := os.Stat(list[0])
		if err != nil {
			t.Fatal(err)
		}
		comesUp(t, home)
		if after, err := os.Stat(list[0]); err != nil || !os.SameFile(before, after) {
			t.Errorf("%s: once mended it is made again, %v", name, err)
		}
	}
	sh := modeltest.Tool(t, "sh")
	small := t.TempDir()
	comesUp(t, small, sh, "-c", `ulimit -f 1000; exec "$@"`, "sh")
	if now := kept(t, small); len(now) > 0 {
		t.Errorf("where no file may be so large %q are kept", now)
	}
	if err := os.RemoveAll(small + "/.cache"); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(small+"/.cache", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	comesUp(t, small)
}
