package worms

import (
	"context"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/reach"
)

// This file decides whether worms can reach their places together, each place given by the states that the worm
// lies on. Package reach has the search.

// meet decides whether worms can reach their places together. If they can, it returns the path of each,
// from the first state between switches on, and their moves.
func (g *Graph) meet(ctx context.Context, bodies [][]int32) reach.Result {
	return reach.Search(ctx, g.moves(), bodies, reach.MaxVisits)
}

// moves returns the states of g as a model of package reach.
func (g *Graph) moves() *reach.Model {
	if g.model != nil {
		return g.model
	}
	m := &reach.Model{VCs: len(g.on), First: g.firstIn[:len(g.states)+1]}
	for i, s := range g.states {
		m.VC, m.Enters = append(m.VC, int32(s.VC)), append(m.Enters, g.source[i].VC != model.NoVC)
	}
	for _, e := range g.before {
		m.Before = append(m.Before, g.from[e])
	}
	g.model = m
	return m
}
