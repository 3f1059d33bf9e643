package lists

import (
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/textfile"
	"github.com/turnproof/turnproof/model/hv"
)

// This file reads spanning trees. Each line has a switch and its parent, in preorder: the
// number of a line, from 0, is the horizontal spread of its switch. The parent of the root is "-".
// Switches are written as in lists of turns.
//
//	S0 -       the root
//	S3 S0      its first child
//	S7 S3      the first child of S3

// ReadTree reads a spanning tree of n. It does not check that it is one; hv.NewTree does.
func ReadTree(path string, n *model.Network, o format.Options) (*hv.Given, error) {
	t := &hv.Given{}
	err := readWords(path, n, o, func(r *wordReader, words []string, line []byte) error {
		if len(words) != 2 {
			return r.Errorf("%q: want a switch and its parent, or - for the root", textfile.Clip(line))
		}
		u, err := r.switches(words[:1])
		if err != nil {
			return err
		}
		parent, err := r.switches(words[1:], "-")
		t.Preorder, t.Parents = append(t.Preorder, u...), append(t.Parents, parent...)
		return err
	})
	return t, err
}
