package journal

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func kind(lines *[]string) Kind {
	return Kind{
		Header: []byte("head"),
		Other:  func([]byte) string { return "is another's" },
		Line:   func(line []byte) error { *lines = append(*lines, string(line)); return nil },
		Busy:   "another process has it",
	}
}

// TestRead checks that a journal can be read while another process has it open. Incomplete
// lines are ignored and the file does not change.
func TestRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	var lines []string
	if err := Read(path, kind(&lines)); err != nil || lines != nil {
		t.Errorf("a journal that is not there: %v, %q", err, lines)
	}
	for text, want := range map[string][]string{"": nil, "he": nil, "head\n": nil, "head\na\nb\nc": {"a\n", "b\n"}} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		lines = nil
		if err := Read(path, kind(&lines)); err != nil || !slices.Equal(lines, want) {
			t.Errorf("%q: %v, %q", text, err, lines)
		}
		if after, err := os.ReadFile(path); err != nil || string(after) != text {
			t.Errorf("%q became %q, %v", text, after, err)
		}
	}
	j, err := Open(path, kind(&lines))
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Add([]byte("d")); err != nil {
		t.Fatal(err)
	}
	lines = nil
	if err := Read(path, kind(&lines)); err != nil || len(lines) == 0 || lines[len(lines)-1] != "d\n" {
		t.Errorf("beside its owner: %v, %q", err, lines)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestShare checks that many processes can share a journal, that a shared journal cannot be
// opened, and that an open journal cannot be shared.
func TestShare(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	one, err := Share(path, "taken")
	if err != nil {
		t.Fatal(err)
	}
	two, err := Share(path, "taken")
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	want := fmt.Sprintf("journal %s: another process has it", path)
	for _, c := range []interface{ Close() error }{one, two} {
		if _, err := Open(path, kind(&lines)); !errors.Is(err, ErrBusy) || err.Error() != want {
			t.Errorf("opened though it is shared: %v", err)
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	j, err := Open(path, kind(&lines))
	if err != nil || !j.Locked() {
		t.Fatal("it is free again:", err)
	}
	if _, err := Share(path, "taken"); !errors.Is(err, ErrBusy) {
		t.Errorf("shared though it is open: %v", err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestReplaced checks that writing to a removed or replaced journal fails and does not change
// the new file.
func TestReplaced(t *testing.T) {
	for name, change := range map[string]func(path string) error{
		"removed": os.Remove,
		"replaced": func(path string) error {
			return errors.Join(os.Remove(path), os.WriteFile(path, []byte("mine\n"), 0o600))
		},
		"renamed": func(path string) error { return os.Rename(path, path+".old") },
	} {
		path := filepath.Join(t.TempDir(), "j")
		var lines []string
		j, err := Open(path, kind(&lines))
		if err != nil {
			t.Fatal(err)
		}
		if err := j.Add([]byte("a")); err != nil {
			t.Fatal(err)
		}
		if err := change(path); err != nil {
			t.Skip(err) // the system cannot replace open files
		}
		want := fmt.Sprintf("journal %s: was removed or replaced since it was opened", path)
		for range 2 {
			if err := j.Add([]byte("b")); err == nil || err.Error() != want {
				t.Errorf("%s: %v", name, err)
			}
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		if text, err := os.ReadFile(path); err == nil && string(text) != "mine\n" {
			t.Errorf("%s: %q is there now", name, text)
		}
	}
}

// TestZeroes checks that complete lines are kept if a machine crash left zero bytes.
func TestZeroes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	for text, want := range map[string]struct {
		lines []string
		then  string
	}{
		"\x00\x00\x00":                   {nil, "head\nz\n"},
		"head\na\n\x00\x00":              {[]string{"a\n"}, "head\na\nz\n"},
		"head\na\n\x00\x00\x00b\nc\nd":   {[]string{"a\n", "c\n"}, "head\na\n\x00\x00\x00b\nc\nz\n"},
		"head\n\x00\x00\x00\na\n\x00b\n": {[]string{"a\n"}, "head\n\x00\x00\x00\na\n\x00b\nz\n"},
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		var lines []string
		j, err := Open(path, kind(&lines))
		if err != nil || !slices.Equal(lines, want.lines) {
			t.Fatalf("%q: %q, %v", text, lines, err)
		}
		if err := errors.Join(j.Add([]byte("z")), j.Close()); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != want.then {
			t.Errorf("%q became %q, %v", text, got, err)
		}
	}
	if err := os.WriteFile(path, []byte("\x00\x00\na\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var lines []string
	if _, err := Open(path, kind(&lines)); err == nil {
		t.Error("a journal without its header is taken")
	}
}
