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
