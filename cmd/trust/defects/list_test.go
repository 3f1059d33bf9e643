package defects

import (
	"path/filepath"
	"testing"
)

// root is the folder of go.mod.
func root(t testing.TB) string {
	t.Helper()
	r, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestList: every entry finds its place in the tree, and what it makes of it is Go.
func TestList(t *testing.T) {
	list, err := readLists()
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range list {
		if _, err := d.mutated(root(t)); err != nil {
			t.Error(err)
		}
	}
	if len(list) < 100 {
		t.Errorf("%d defects, a hundred are wanted", len(list))
	}
}

// TestEquivalents: each mutant that is said to change nothing is one of the package's.
func TestEquivalents(t *testing.T) {
	list, err := equivalents(equivalentText)
	if err != nil {
		t.Fatal(err)
	}
	g := &goTests{root: root(t), work: t.TempDir(), each: eachTest}
	mutants, _, err := g.switched(t.Context(), surveyed)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range mutants {
		delete(list, m.Name)
	}
	for name := range list {
		t.Errorf("there is no mutant %q", name)
	}
	for _, text := range []string{"a: b\n", "# why\na\na\n"} {
		if list, err := equivalents(text); err == nil {
			t.Errorf("%q is read as %v", text, list)
		}
	}
}
