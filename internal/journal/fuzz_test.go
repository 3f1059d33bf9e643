package journal

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// FuzzJournal checks that any file is resumed or left unchanged, and that added lines are read
// again after the existing lines.
func FuzzJournal(f *testing.F) {
	for _, text := range []string{"", "head\n", "head\na\nb\nc", "he", "other\n", "head", "\n\n", "head\n\x00\xff\n"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(t.TempDir(), "j")
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		var lines []string
		j, err := Open(path, kind(&lines))
		if err != nil {
			if after, rerr := os.ReadFile(path); rerr != nil || !bytes.Equal(after, text) {
				t.Fatalf("%q became %q, %v", text, after, rerr)
			}
			return
		}
		if err := j.Add([]byte("added")); err != nil {
			t.Fatal(err)
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		want := append(slices.Clone(lines), "added\n")
		lines = nil
		if err := Read(path, kind(&lines)); err != nil || !slices.Equal(lines, want) {
			t.Fatalf("%q: %q, want %q (%v)", text, lines, want, err)
		}
		whole := text[:bytes.LastIndexByte(text, '\n')+1] // including lines that a machine crash lost
		if len(whole) == 0 {
			whole = []byte("head\n")
		}
		after, err := os.ReadFile(path)
		if err != nil || string(after) != string(whole)+"added\n" {
			t.Fatalf("%q became %q, %v", text, after, err)
		}
	})
}
