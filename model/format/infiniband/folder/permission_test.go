//go:build unix

package folder_test

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/turnproof/turnproof/model/format/infiniband/folder"
)

// permissionFolder is the environment variable with the folder that TestFolderPermission reads.
const permissionFolder = "TURNPROOF_TEST_PERMISSION_FOLDER"

// asNobody runs this test again on a folder, as a user who is not root.
func asNobody(t *testing.T, dir string) {
	t.Helper()
	self, err := os.Open(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = self.Close() }() // the file was opened for reading, so closing cannot lose data
	program := filepath.Join(t.TempDir(), "test")
	for at := filepath.Dir(program); at != os.TempDir(); at = filepath.Dir(at) {
		if err := os.Chmod(at, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	out, err := os.OpenFile(program, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(out, self); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(program, "-test.run=^TestFolderPermission$")
	c.Dir, c.Env = filepath.Dir(program), append(os.Environ(), permissionFolder+"="+dir)
	c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	if text, err := c.CombinedOutput(); err != nil {
		t.Errorf("as another user: %v\n%s", err, text)
	}
}

// TestFolderPermission: a file without read permission makes its folder an error, because the file
// could contain service levels. In the parent folder such a file does not prevent reading the
// topology.
func TestFolderPermission(t *testing.T) {
	if dir := os.Getenv(permissionFolder); dir != "" {
		readLocked(t, dir)
		return
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"in/a": discovered, "in/b": lfts, "in/locked": slvl, "up/a": discovered, "up/locked": slvl,
		"up/in/b": lfts, "none/locked": discovered, "none/in/b": lfts} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		mode := os.FileMode(0o644)
		if filepath.Base(name) == "locked" {
			mode = 0
		}
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	for at := dir; at != os.TempDir(); at = filepath.Dir(at) {
		if err := os.Chmod(at, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if os.Geteuid() == 0 {
		asNobody(t, dir)
		return
	}
	readLocked(t, dir)
}

// readLocked reads the folders that TestFolderPermission has created.
func readLocked(t *testing.T, dir string) {
	t.Helper()
	for name, want := range map[string]string{"in": "in/locked: permission denied", "up/in": "", "none/in": "locked: permission denied"} {
		f, err := folder.Read(filepath.Join(dir, name), "")
		switch {
		case want == "" && (err != nil || filepath.Base(f.Network) != "a"):
			t.Errorf("%s: %+v, error %v", name, f, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: error %v, want %q", name, err, want)
		}
	}
}
