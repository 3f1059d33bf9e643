package route

import "github.com/turnproof/turnproof/model"

// This file implements turn models: relations on a mesh that restrict directions but not VCs.

// turnModel permits all VCs of the directions that choose returns.
type turnModel struct {
	*lattice
	// choose returns the set of directions that are permitted from p.
	choose func(g *lattice, p place) dirSet
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

func (m *turnModel) next(p place, buf []model.Hop) []model.Hop {
	s := m.choose(m.lattice, p)
	for a := range dir(2 * m.dims) {
		if s>>a&1 == 1 {
			buf = hop(m.net, m.out(p.u, a), all(m.net), p.class, buf)
		}
	}
	return buf
}

// newTurnModel returns the relation of a turn model.
func newTurnModel(g *lattice, choose func(*lattice, place) dirSet) model.Relation {
	return &relation{rule: &turnModel{g, choose}, net: g.net}
}
