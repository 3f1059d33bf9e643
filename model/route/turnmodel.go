package route

import "github.com/turnproof/turnproof/model"

// This file implements turn models: relations on a mesh that restrict directions but not VCs.

// turnModel permits all VCs of the directions that choose returns.
type turnModel struct {
	*lattice
	// choose returns the set of directions that are permitted from p.
	choose func(g *lattice, p place) dirSet
	// prefer has all directions, the preferred one first.
	prefer []dir
	// anyInput says that choose looks at the switches of place only.
	anyInput bool
}

// dirSet has bit a for direction a.
type dirSet uint64

func set(list ...dir) (s dirSet) {
	for _, a := range list {
		if a >= 0 {
			s |= 1 << a
		}
	}
	return s
}

// group: choose may look at the direction in which a packet arrives.
func (m *turnModel) group(in model.ChannelID, _ int) int {
	from := noDir
	if m.net.Kind(in) == model.SwitchToSwitch && !m.anyInput {
		from = m.dirOf(in)
	}
	return int(m.net.Head(in))*(2*m.dims+1) + int(from) + 1
}

func (m *turnModel) next(p place, buf []model.Hop) []model.Hop {
	s, vcs := m.choose(m.lattice, p), all(m.net)
	for _, a := range m.prefer {
		if s>>a&1 == 1 {
			buf = hop(m.net, m.out(p.u, a), vcs, p.class, buf)
		}
	}
	return buf
}

// newTurnModel returns the relation of a turn model. The hops of a state are in the order of prefer,
// which has all directions. By default the order is that of the dimensions.
func newTurnModel(g *lattice, choose func(*lattice, place) dirSet, prefer ...dir) model.Relation {
	if prefer == nil {
		for a := range dir(2 * g.dims) {
			prefer = append(prefer, a)
		}
	}
	return &relation{rule: &turnModel{g, choose, prefer, false}, net: g.net}
}

// newPositionModel is newTurnModel for a turn model in which choose looks at the switches of place only.
func newPositionModel(g *lattice, choose func(*lattice, place) dirSet) model.Relation {
	r := newTurnModel(g, choose).(*relation)
	r.rule.(*turnModel).anyInput = true
	return r
}
