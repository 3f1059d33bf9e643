package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/filelock"
)

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
}

// holds fails the test unless a folder holds exactly the named files with the given text.
func holds(t *testing.T, dir string, want map[string]string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		if _, ok := want[f.Name()]; !ok {
			t.Errorf("%s is in %s", f.Name(), dir)
		}
	}
	for name, text := range want {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != text {
			t.Errorf("%s holds %q, %v; want %q", name, got, err, text)
		}
	}
}

// TestWrite checks that a file is replaced completely or not at all and that permissions are
// kept.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a")
	if err := Write(file, 0o644, text("one")); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(file, 0o600); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	if err := Write(file, 0o644, func(w io.Writer) error { return errors.Join(text("half")(w), broken) }); !errors.Is(err, broken) {
		t.Error(err)
	}
	holds(t, dir, map[string]string{"a": "one"})
	if err := Write(file, 0o644, text("two")); err != nil {
		t.Fatal(err)
	}
	holds(t, dir, map[string]string{"a": "two"})
	if st, err := os.Stat(file); err != nil || runtime.GOOS != "windows" && st.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", st.Mode(), err)
	}
	if err := Write(dir, 0o644, text("")); !errors.Is(err, ErrFolder) {
		t.Error(err)
	}
	if err := Write(filepath.Join(dir, "none", "a"), 0o644, text("")); !errors.Is(err, fs.ErrNotExist) || Reason(err) == err {
		t.Error(err)
	}
}

// TestWriteLink checks that symbolic links are followed.
func TestWriteLink(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink("a", filepath.Join(dir, "link")); err != nil {
		t.Skip(err)
	}
	for _, want := range []string{"one", "two"} {
		if err := Write(filepath.Join(dir, "a"), 0o644, text("")); err != nil {
			t.Fatal(err)
		}
		if err := Write(filepath.Join(dir, "link"), 0o644, text(want)); err != nil {
			t.Fatal(err)
		}
		holds(t, dir, map[string]string{"a": want, "link": want})
	}
}

// TestLeft checks that leftovers of a killed process are removed by a process that writes the
// same file or folder. Other processes do not remove them. Locked temporary files stay.
func TestLeft(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there it stays")
	}
	dir := t.TempDir()
	for _, name := range []string{"a", "b"} {
		path := filepath.Join(dir, name)
		left, err := create(path, 0o644)
		if err != nil {
			t.Fatal(err)
		}
		folder, open, err := createFolder(path)
		if err != nil {
			t.Fatal(err)
		}
		removeLeft(path)
		if !Is(left, left.Name()) || !Is(open, folder) {
			t.Error("what another process is at work on is removed")
		}
		if err := os.WriteFile(filepath.Join(folder, "x"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(left.Close(), open.Close()); err != nil { // like a killed process
			t.Fatal(err)
		}
	}
	if err := Write(filepath.Join(dir, "a"), 0o644, text("whole")); err != nil {
		t.Fatal(err)
	}
	list, err := os.ReadDir(dir)
	if err != nil || len(list) != 3 {
		t.Errorf("%v, %v: the file, and what is left of b", list, err)
	}
	if err := Folder(filepath.Join(dir, "b"), func(string) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if list, err = os.ReadDir(dir); err != nil || len(list) != 2 {
		t.Errorf("%v, %v: the file and the folder", list, err)
	}
}

// TestFolder checks that a new folder appears completely or not at all, and that f writes into
// an existing folder.
func TestFolder(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "above", "new")
	fill := func(err error) func(string) error {
		return func(in string) error {
			if _, serr := os.Stat(path); serr == nil && filepath.Clean(in) != path {
				t.Error("it is there before it is whole")
			}
			return errors.Join(Write(filepath.Join(in, "x"), 0o644, text("1")), err)
		}
	}
	broken := errors.New("broken")
	if err := Folder(path, fill(broken)); !errors.Is(err, broken) {
		t.Error(err)
	}
	holds(t, filepath.Join(dir, "above"), nil)
	for range 2 {
		if err := Folder(path+"/", fill(nil)); err != nil {
			t.Fatal(err)
		}
		holds(t, path, map[string]string{"x": "1"})
	}
	if err := Folder(filepath.Join(path, "x", "y"), fill(nil)); err == nil || strings.Contains(Reason(err).Error(), mark) {
		t.Error(err)
	}
}

// TestManyWriters checks that concurrent writers of one file always leave a complete file and
// no temporary files.
func TestManyWriters(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a")
	failed := make(chan error)
	for i := range 8 {
		go func() {
			var err error
			for range 50 {
				err = errors.Join(err, Write(file, 0o644, text(strings.Repeat(string(rune('a'+i)), 1000))))
				got, rerr := os.ReadFile(file)
				if len(got) != 1000 || strings.Trim(string(got), string(got[:1])) != "" {
					err = errors.Join(err, rerr, errors.New("torn"))
				}
			}
			failed <- err
		}()
	}
	for range 8 {
		if err := <-failed; err != nil && runtime.GOOS != "windows" { // Windows cannot replace an open file
			t.Error(err)
		}
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) != 1 {
		t.Errorf("%d names are left, %v", len(list), err)
	}
}

// TestLocked checks that a temporary file is locked, if the file system has locks.
func TestLocked(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a")
	err := Write(file, 0o644, func(io.Writer) error {
		list, err := os.ReadDir(filepath.Dir(file))
		if err != nil || len(list) != 1 {
			t.Fatal(list, err)
		}
		made, err := os.Open(filepath.Join(filepath.Dir(file), list[0].Name()))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = made.Close() }()
		if s := filelock.Lock(made, filelock.Exclusive); s == filelock.Taken {
			t.Error("another takes it")
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
