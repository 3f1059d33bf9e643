package layoutrun

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/turnproof/turnproof/internal/modeltest"
)

// comesUp lays out a graph with a home folder, through a command if one is given.
func comesUp(t *testing.T, home string, through ...string) {
	t.Helper()
	layOutIn(t, []string{"HOME=" + home, "TMPDIR=/tmp"}, through...)
}

// kept returns the paths of the files that go-graphviz keeps.
func kept(t *testing.T, home string) []string {
	t.Helper()
	list, err := filepath.Glob(home + "/.cache/turnproof/go-graphviz/*/*")
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestCacheFaults: a layout is made whatever is in the folder, with room and without. Damaged
// files, and files that a killed process left, are removed if possible.
func TestCacheFaults(t *testing.T) {
	t.Parallel()
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
