package route

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// This file is North-First+1 (NF+1) on the 2-D torus, with its readings; nf.go
// is North-First itself, which shares the machinery.
//
// Source: K. Matoyama, Y. Miura, S. Watanabe, "Turn モデルに基づく二次元トーラス網の
// 適応型ルーティング" (adaptive routing of the 2-D torus network), RC-005 (our copy
// names no year); sections 4.1 (algorithm, figure 7) and 4.2 (states 1 to 4).
//
// Promise: every path is a shortest one (but for FigureAsPrinted). Directions
// are those of the shorter way from the source, plus at distance n/2; along a
// shortest path they can be told from where the packet is. y first, then x.
// A packet that goes down and left may instead take x- before y is done, unless
// it has no way left in x or that x- is the wraparound channel.
// Halves of the VCs, by state:
//
//	1: enter on the first half;
//	2: after a vertical wraparound channel the second half, in y;
//	3: after a turn back to the first half;
//	4: a horizontal wraparound channel only when y is done; after it the
//	   second half, to the end.
//
// A wraparound channel itself is taken on the half at hand. The paper speaks
// of turns from vertical to horizontal in state 3 and not of those back, from
// x- to y-; these come from the first half anyhow, unless a state is left out.
// Premises: a 2-D torus, two VCs or more, in two halves.
// Class: none; with FigureAsPrinted 1 for packets bound down and left.
//
// Prohibited turns: right>up, left>up (as in North-First), right>down (the +1).
// All lead from horizontal to vertical, so each stands for one pair of
// directions whose packets go y first: releasing it lets them mix the two
// as down-left packets do.

// NFOptions are readings and mutilations of NF+1. The zero value is the
// reading that is deadlock-free.
type NFOptions struct {
	// WrapEarly lets a packet take the horizontal wraparound channel before y
	// is done (the restriction in state 4 left out).
	WrapEarly bool
	// WithoutState2, 3, 4 leave out the change of VC that the state asks for.
	WithoutState2, WithoutState3, WithoutState4 bool
	// DownKeeps keeps the half of the VCs in turns from horizontal to vertical
	// (state 3 to the letter). It matters only beside other mutilations.
	DownKeeps bool
	// TestXPlus tests whether X+, as a sentence of section 4.1 says, and not
	// x-, as figure 7 says, is the wraparound channel.
	TestXPlus bool
	// FigureAsPrinted leaves out the test whether there is way left in x, as
	// figure 7 does: packets overshoot and go round.
	FigureAsPrinted bool
	// ReleaseRightUp, LeftUp, RightDown release a prohibited turn.
	ReleaseRightUp, ReleaseLeftUp, ReleaseRightDown bool
}

type northFirst struct {
	*lattice
	o    NFOptions
	half halves
}

func newNF1(n *model.Network, o Options) (model.Relation, error) {
	g, err := newLattice(n, "nf+1")
	switch {
	case err != nil:
		return nil, err
	case g.dims != 2 || !g.wrap[0] || !g.wrap[1]:
		return nil, fmt.Errorf("route: nf+1 needs a torus of two dimensions")
	case n.VCs() < 2:
		return nil, fmt.Errorf("route: nf+1 needs 2 virtual channels, this torus has %d", n.VCs())
	}
	return makeNF(g, o.NF), nil
}

func makeNF(g *lattice, o NFOptions) model.Relation {
	classes := 1
	if o.FigureAsPrinted {
		classes = 2
	}
	return &relation{rule: &northFirst{g, o, split(all(g.net))}, net: g.net, classes: classes}
}

func (r *northFirst) next(p place, buf []model.Hop) []model.Hop {
	x, y := r.towards(p.u, p.v, 0), r.towards(p.u, p.v, 1)
	if r.o.FigureAsPrinted {
		if r.dirOf(p.in) == noDir && x == west && y == south {
			p.class = 1
		}
		if p.class == 1 {
			x = west // it may have overshot: on round the ring
		}
	}
	if y == noDir {
		return r.step(p, x, buf)
	}
	if x != noDir && r.mayTurn(x, y) && !r.barred(p.u, x) {
		buf = r.step(p, x, buf)
	}
	return r.step(p, y, buf)
}

// mayTurn reports whether the turn from x to y is allowed.
func (r *northFirst) mayTurn(x, y dir) bool {
	switch {
	case x == west && y == south:
		return true
	case x == east && y == south:
		return r.o.ReleaseRightDown
	case x == west:
		return r.o.ReleaseLeftUp
	}
	return r.o.ReleaseRightUp
}

// barred reports whether the way x must not be taken at u before y is done.
func (r *northFirst) barred(u model.SwitchID, x dir) bool {
	if r.o.TestXPlus {
		return r.wraps(u, x^1)
	}
	return r.wraps(u, x) && !r.o.WrapEarly
}

func (r *northFirst) step(p place, a dir, buf []model.Hop) []model.Hop {
	return hop(r.net, r.out(p.u, a), r.half[r.halfFor(p, a)], p.class, buf)
}

// halfFor returns the half of the VCs for a hop in direction a.
func (r *northFirst) halfFor(p place, a dir) int {
	from := r.dirOf(p.in)
	if from == noDir {
		return 0 // state 1
	}
	half, vertical := r.half.of(p.vc), from.dim() == 1
	if r.crossed(p.in) && (vertical && !r.o.WithoutState2 || !vertical && !r.o.WithoutState4) {
		half = 1 // states 2 and 4
	}
	switch turn := vertical != (a.dim() == 1); {
	case turn && vertical && !r.o.WithoutState3, turn && !vertical && !r.o.DownKeeps:
		return 0 // state 3
	}
	return half
}
