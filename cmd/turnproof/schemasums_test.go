package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSchemaSums compares the SHA-256 of each JSON schema with testdata/schema-sums.txt.
func TestSchemaSums(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join(schemaFolder, "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no schemas in %s: %v", schemaFolder, err)
	}
	var sums strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(text), filepath.Base(file))
	}
	const kept = "testdata/schema-sums.txt"
	if *update {
		if err := os.WriteFile(kept, []byte(sums.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(kept)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != sums.String() {
		t.Errorf("a schema differs from %s. Programs read our JSON: a field may be added, and none removed or renamed. "+
			"Name the change in CHANGELOG.md, then run this test with -update. Now:\n%s", kept, &sums)
	}
}
