package synth

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/internal/option"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/lists"
	"github.com/turnproof/turnproof/model/hv"
)

// grow finds the root and grows the tree from it.
func (w *work) grow(m Method) error {
	if w.o.TreeFile != "" {
		given, err := lists.ReadTree(w.o.TreeFile, w.net, format.Options{})
		if err != nil {
			return err
		}
		w.o.Tree.Given = given
	}
	if w.o.Tree.Given != nil {
		return w.growGiven()
	}
	if grown, err := w.growBest(m); grown || err != nil {
		return err
	}
	root, err := w.root(m)
	if err != nil {
		return err
	}
	return w.growFrom(root)
}

// growGiven builds the tree that is given. It fails if another option says how to build the tree.
func (w *work) growGiven() error {
	for _, x := range slices.Concat([]Option{rootOption}, growOptions) {
		if x.Kind == option.Word && x.IsSet(&w.o) || x.Name == rootOption.Name && x.IsSet(&w.o) {
			return fmt.Errorf("option %s does not apply to a tree that is given", x.Name)
		}
	}
	return w.growFrom(0)
}

func (w *work) growFrom(root model.SwitchID) error {
	tree, err := hv.NewTree(w.net, root, w.o.Tree)
	if err != nil {
		return err
	}
	return w.growOn(tree)
}

// growOn makes tree the tree of the method.
func (w *work) growOn(tree *hv.Tree) (err error) {
	w.res.Tree, w.res.Graph = tree, nil
	if tree.Options.Search == hv.BFS {
		w.res.Graph, err = hv.New(tree)
	}
	return err
}
