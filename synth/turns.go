package synth

import "github.com/turnproof/turnproof/model"

// allTurns returns every turn of n except U-turns.
func allTurns(n *model.Network) *model.TurnSet {
	s := model.NewTurnSet(n)
	for t := range model.Turns(n, false) {
		s.Add(t)
	}
	return s
}

// reverse returns the opposite turn: from the reverse of t's output channel to the reverse of its
// input channel. The network has one VC.
func reverse(n *model.Network, t model.Turn) model.Turn {
	return model.Turn{In: model.VCID(n.Reverse(model.ChannelID(t.Out))), Out: model.VCID(n.Reverse(model.ChannelID(t.In)))}
}

// Lift returns the turns of set, which is of a network with one VC, for the same network with more
// VCs. A turn is allowed between any VCs of its two channels. An acyclic set stays acyclic.
func Lift(set *model.TurnSet, n *model.Network) *model.TurnSet {
	if n.VCs() == set.Network().VCs() {
		return set
	}
	lifted := model.NewTurnSet(n)
	for t := range set.All() {
		for i := range n.VCs() {
			for j := range n.VCs() {
				lifted.Add(model.Turn{In: n.VC(model.ChannelID(t.In), i), Out: n.VC(model.ChannelID(t.Out), j)})
			}
		}
	}
	return lifted
}
