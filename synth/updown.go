package synth

import "github.com/turnproof/turnproof/model"

// This file makes up*/down* as a turn set.
//
// The set is acyclic and connected on every connected network: up channels lead to smaller (depth,
// tie) or preorder numbers, down channels to larger ones, and the tree's own channels lead up,
// then down. Sources: see hv/orientation.go.

func upDown(w *work) (*model.TurnSet, error) {
	up, err := w.res.Tree.UpChannels(w.o.Ties)
	if err != nil {
		return nil, err
	}
	set := model.NewTurnSet(w.net)
	for t := range model.Turns(w.net, false) {
		if up[t.In] || !up[t.Out] {
			set.Add(t)
		}
	}
	return set, nil
}
