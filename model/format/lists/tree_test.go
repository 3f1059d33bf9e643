package lists

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/hv"
	"github.com/turnproof/turnproof/model/names"
	"github.com/turnproof/turnproof/model/topo"
)

func TestTree(t *testing.T) {
	for _, spec := range []string{"torus:4x4", "random:switches=16,degree=4,seed=1", "line:1"} {
		n, err := topo.Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		want, err := hv.NewTree(n, 0, hv.Options{Children: hv.BySize})
		if err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		if err := writeTree(&text, want); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "tree")
		if err := os.WriteFile(path, text.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		given, err := ReadTree(path, n, format.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := hv.NewTree(n, 0, hv.Options{Given: given})
		if err != nil || !slices.Equal(got.Preorder, want.Preorder) || !slices.Equal(got.Up, want.Up) {
			t.Errorf("%s: got another tree, error %v", spec, err)
		}
	}
}

func TestTreeErrors(t *testing.T) {
	n, err := topo.Parse("ring:3")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"0":         "want a switch and its parent",
		"0 - 1":     "want a switch and its parent",
		"0 -\n7 0":  "tree:2: no switch 7",
		"- 0":       "no switch \"-\"",
		"0 - # top": "",
	} {
		path := filepath.Join(t.TempDir(), "tree")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := ReadTree(path, n, format.Options{})
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: got error %v, want %q", text, err, want)
		}
	}
}

func FuzzTree(f *testing.F) {
	for _, seed := range []string{"0 -\n1 0\n2 1\n3 0\n", "s0 - # root\n", "0x0 \"s 1\"", "\xef\xbb\xbf0 -"} {
		f.Add([]byte(seed))
	}
	n, err := topo.Parse("ring:4")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(t.TempDir(), "tree")
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		given, err := ReadTree(path, n, format.Options{})
		if err != nil {
			return
		}
		if tree, err := hv.NewTree(n, 0, hv.Options{Given: given}); err == nil && len(tree.Preorder) != n.NumSwitches() || err == nil && tree.Parent(tree.Root) != model.NoSwitch {
			t.Errorf("%q: got a tree of %d switches", text, len(tree.Preorder))
		}
	})
}

// writeTree writes a spanning tree.
func writeTree(w io.Writer, t *hv.Tree) error {
	list := listWords(t.Net)
	for _, u := range t.Preorder {
		parent := "-"
		if p := t.Parent(u); p != model.NoSwitch {
			parent = list[p]
		}
		if _, err := io.WriteString(w, list[u]+" "+parent+"\n"); err != nil {
			return err
		}
	}
	return nil
}

// listWords returns for each switch a word that ReadTree reads as this switch: its number if that is a position, or its name.
func listWords(n *model.Network) []string {
	x, list := names.New(n), make([]string, n.NumSwitches())
	for u := range model.SwitchID(len(list)) {
		list[u] = names.Quote(x.SwitchName(u), names.Blanks)
		if at, err := x.Switch(strconv.Itoa(int(u))); err == nil && at == u {
			list[u] = strconv.Itoa(int(u))
		}
	}
	return list
}
