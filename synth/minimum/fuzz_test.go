package minimum

import (
	"os"
	"path/filepath"
	"testing"
)

// FuzzJournalLine checks that a line of a journal is refused, or is a valid start or bound.
func FuzzJournalLine(f *testing.F) {
	n := network(f, "ring:4")
	path := filepath.Join(f.TempDir(), "journal")
	best, err := Find(f.Context(), n, Options{Journal: path})
	if err != nil {
		f.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	header := text[:1]
	for i, c := range text {
		if c == '\n' {
			if len(header) == 1 {
				header = text[:i+1]
			} else {
				f.Add(text[len(header):i])
			}
		}
	}
	f.Add([]byte(`{"bound":99,"packing":{},"steps":[-1]}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		path := filepath.Join(t.TempDir(), "journal")
		if err := os.WriteFile(path, append(append(append([]byte(nil), header...), line...), '\n'), 0o600); err != nil {
			t.Fatal(err)
		}
		x := newInstance(n)
		o, h := Options{Journal: path}, &hunt{result: Result{Packing: &Packing{Denominator: 1}}}
		if err := x.openJournal(o, h); err != nil {
			return
		}
		if err := h.journal.Close(); err != nil {
			t.Fatal(err)
		}
		if h.result.Bound > best.Least {
			t.Fatalf("a bound of %d, there is a set of %d", h.result.Bound, best.Least)
		}
		for _, ranks := range h.kept {
			if len(ranks) != x.channels() {
				t.Fatalf("a set of %d channels", len(ranks))
			}
		}
	})
}
