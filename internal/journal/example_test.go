package journal_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/turnproof/turnproof/internal/journal"
)

// A run is killed in the middle of a line. The next run resumes after the complete lines.
func ExampleOpen() {
	dir, err := os.MkdirTemp("", "journal")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	path := filepath.Join(dir, "squares")
	kind := journal.Kind{
		Header: []byte("squares 1"),
		Other:  func(first []byte) string { return fmt.Sprintf("%q is no journal of squares", first) },
		Line:   func(line []byte) error { fmt.Printf("found before: %s\n", line); return nil },
		Busy:   "another process has the squares",
	}
	j, err := journal.Open(path, kind)
	if err != nil {
		panic(err)
	}
	for i := range 3 {
		if err := j.Add(fmt.Appendf(nil, "%d %d", i, i*i)); err != nil {
			panic(err)
		}
	}
	if err := j.Close(); err != nil {
		panic(err)
	}
	size, err := os.Stat(path)
	if err != nil {
		panic(err)
	}
	if err := os.Truncate(path, size.Size()-2); err != nil { // killed within the third line
		panic(err)
	}
	j, err = journal.Open(path, kind)
	if err != nil {
		panic(err)
	}
	if err := j.Add([]byte("2 4")); err != nil {
		panic(err)
	}
	if err := j.Close(); err != nil {
		panic(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%s", text)
	// Output:
	// found before: 0 0
	//
	// found before: 1 1
	//
	// squares 1
	// 0 0
	// 1 1
	// 2 4
}
