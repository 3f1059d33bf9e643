package route

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// This file implements North-First+1 (NF+1) on the 2-D torus, with its readings. North-First
// itself is in nf.go and uses the same code.
//
// Source: K. Matoyama, Y. Miura, S. Watanabe, "Turn モデルに基づく二次元トーラス網の 適応型ルーティング" (adaptive
// routing of the 2-D torus network), RC-005 (our copy names no year); sections 4.1 (algorithm,
// figure 7) and 4.2 (states 1 to 4).
//
// Promise: every path is a shortest path, except with FigureAsPrinted. The directions of a
// packet are the shorter directions at its source, plus at distance n/2. Along a shortest path
// they follow from the current switch. A packet corrects y first, then x. A packet that goes
// down and left may take x- before y is corrected, but prefers y- (figure 7). It may not take x- if
// x is corrected or if x- is the wraparound channel. Halves of the VCs, by state:
//
//	1: enter on the first half;
//	2: after a vertical wraparound channel the second half, in y;
//	3: after a turn back to the first half;
//	4: a horizontal wraparound channel only when y is done; after it the
//	   second half, to the end.
//
// A packet takes the wraparound channel itself on its current half. For state 3 the paper
// mentions turns from vertical to horizontal but not turns back, from x- to y-. Such a turn
// starts on the first half, unless an option disables a state. Premises: a 2-D torus, two VCs
// or more, in two halves. Class: none. With FigureAsPrinted, 1 for packets that go down and
// left.
//
// Prohibited turns: right>up, left>up (as in North-First), right>down (the +1). All lead from
// horizontal to vertical. Each belongs to one pair of directions in which packets correct y
// first. If the turn is released, these packets may mix x and y like packets that go down and
// left.

// NFOptions are readings and variants of NF+1. The zero value is the reading that is free of
// deadlock.
type NFOptions struct {
	// WrapEarly lets a packet take the horizontal wraparound channel before y is corrected.
	// This drops the restriction of state 4.
	WrapEarly bool
	// WithoutState2, WithoutState3 and WithoutState4 disable the VC change of the state.
	WithoutState2, WithoutState3, WithoutState4 bool
	// DownKeeps keeps the half of the VCs in turns from horizontal to vertical, a literal
	// reading of state 3. It has an effect only together with other variants.
	DownKeeps bool
	// TestXPlus tests whether X+ is the wraparound channel, as a sentence of section 4.1 says.
	// Figure 7 tests x-.
	TestXPlus bool
	// FigureAsPrinted omits the test whether x is corrected, as figure 7 does. Packets then
	// overshoot and go around the ring.
	FigureAsPrinted bool
	// ReleaseRightUp, ReleaseLeftUp and ReleaseRightDown allow a prohibited turn.
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
		return nil, fmt.Errorf("route: nf+1 needs 2 virtual channels; this torus has %d", n.VCs())
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
			x = west // the packet may have overshot; it goes on around the ring
		}
	}
	if y == noDir {
		return r.appendStep(p, x, buf)
	}
	buf = r.appendStep(p, y, buf) // preferred, see figure 7
	if x != noDir && r.mayTurn(x, y) && !r.barred(p.u, x) {
		buf = r.appendStep(p, x, buf)
	}
	return buf
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

// barred reports whether a packet at u may not take direction x before y is corrected.
func (r *northFirst) barred(u model.SwitchID, x dir) bool {
	if r.o.TestXPlus {
		return r.wraps(u, x^1)
	}
	return r.wraps(u, x) && !r.o.WrapEarly
}

func (r *northFirst) appendStep(p place, a dir, buf []model.Hop) []model.Hop {
	return hop(r.net, r.out(p.u, a), r.half[r.halfFor(p, a)], p.class, buf)
}

// halfFor returns the half of the VCs for a hop of p in direction a.
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
