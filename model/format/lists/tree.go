package lists

import (
	"bytes"
	"io"
	"strconv"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/textfile"
	"github.com/turnproof/turnproof/model/hv"
	"github.com/turnproof/turnproof/model/names"
)

// This file reads and writes spanning trees. Each line has a switch and its parent, in preorder: the
// number of a line, from 0, is the horizontal spread of its switch. The parent of the root is "-".
// Switches are written as in lists of turns.
//
//	S0 -       the root
//	S3 S0      its first child
//	S7 S3      the first child of S3

// ReadTree reads a spanning tree of n. It does not check that it is one; hv.NewTree does.
func ReadTree(path string, n *model.Network, o format.Options) (*hv.Given, error) {
	src, err := textfile.Open(path, o.Sums)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	t, switches := &hv.Given{}, names.New(n)
	src.EndLastLine()
	err = src.Each(func(line []byte) error {
		if src.Line == 1 {
			line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf")) // a byte order mark
		}
		f := names.Fields(string(line))
		if len(f) == 0 {
			return nil
		}
		if len(f) != 2 {
			return src.Errorf("%q: want a switch and its parent, or - for the root", textfile.Clip(line))
		}
		for i, word := range f {
			u := model.NoSwitch
			if i == 0 || word != "-" {
				var err error
				if u, err = switches.Switch(word); err != nil {
					return src.Errorf("%s", err)
				}
			}
			if i == 0 {
				t.Preorder = append(t.Preorder, u)
			} else {
				t.Parents = append(t.Parents, u)
			}
		}
		return nil
	})
	return t, err
}

// WriteTree writes a spanning tree.
func WriteTree(w io.Writer, t *hv.Tree) error {
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
