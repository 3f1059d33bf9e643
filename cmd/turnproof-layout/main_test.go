package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/turnproof/turnproof/model/view/figure/graphviz"
	"github.com/turnproof/turnproof/model/view/figure/layoutrun"
)

// TestSameAsInProcess: the program returns the bytes that the library returns, to several
// callers at a time.
func TestSameAsInProcess(t *testing.T) {
	dir := t.TempDir()
	build := exec.Command("go", "build", "-ldflags=-s -w", "-o", dir+string(filepath.Separator), ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	var wg sync.WaitGroup
	for _, program := range []string{"neato", "dot", "sfdp"} {
		for n := 1; n < 6; n++ {
			dot := star(n)
			want, err := graphviz.Layout(t.Context(), dot, program)
			if err != nil {
				t.Fatal(err)
			}
			wg.Go(func() {
				if got, err := layoutrun.Layout(t.Context(), dot, program); err != nil || !bytes.Equal(got, want) {
					t.Errorf("%s, %d leaves: %v\n%s\nwant\n%s", program, n, err, got, want)
				}
			})
		}
	}
	wg.Wait()
}

// star returns DOT text of a star.
func star(leaves int) string {
	var b strings.Builder
	b.WriteString("digraph {\n")
	for i := range leaves {
		fmt.Fprintf(&b, "n -> n%d;\n", i)
	}
	b.WriteString("}\n")
	return b.String()
}
