package synth

import "github.com/turnproof/turnproof/model"

// This file is up*/down* as a turn set.
//
// Promise: acyclic and connected on every connected network: up channels lead to
// ever smaller (depth, tie) or preorder, down channels to ever larger, and
// the tree's own channels are up, then down.
// Sources: see hv/orientation.go.

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
