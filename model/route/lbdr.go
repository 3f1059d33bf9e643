package route

import (
	"fmt"
	"strings"

	"github.com/turnproof/turnproof/model"
)

// This file implements logic-based distributed routing (LBDR) on a mesh of two dimensions.
//
// A switch has four connectivity bits and eight routing bits. Bit Cx says that there is a link in direction x. Bit Rxy says that a
// packet may leave in direction x and
// turn to y at the next switch. A packet with a destination to the north, and neither to the east nor to the west, goes north if Cn
// is set. With a destination to the
// northeast it may go north if Cn and Rne are set, and east if Ce and Ren are set. The bits come from a turn model (Options.Turns), so packets take
// minimal paths of this turn model, without a table. Source: Flich, Duato, Logic-based distributed routing for NoCs, IEEE Computer Architecture
// Letters 7(1), 2008; Flich, Rodrigo, Duato, An efficient implementation of distributed routing algorithms for NoCs, NOCS 2008, section 3. Premises: a
// mesh; without a link that a minimal path needs, pairs are not connected. Class: none.

// turnModels has by name whether a packet may turn from one direction to another at a switch in column x.
var turnModels = map[string]func(from, to dir, x int) bool{
	"xy":             func(from, _ dir, _ int) bool { return from.dim() == 0 },
	"west-first":     func(_, to dir, _ int) bool { return to != west },
	"north-last":     func(from, _ dir, _ int) bool { return from != north },
	"negative-first": func(from, to dir, _ int) bool { return from.minus() || !to.minus() },
	"odd-even": func(from, to dir, x int) bool {
		if x%2 == 0 {
			return from != east
		}
		return to != west
	},
}

// turnModelNames has the names of turnModels, the default first.
var turnModelNames = []string{"xy", "west-first", "north-last", "negative-first", "odd-even"}

// lbdr is logic-based distributed routing.
type lbdr struct {
	*lattice
	bits []uint16 // by switch: bit 4*(index of x) + (index of y) is Rxy
}

func newLBDR(n *model.Network, o Options) (model.Relation, error) {
	g, err := mesh2(n, "lbdr")
	if err != nil {
		return nil, err
	}
	if o.Turns == "" {
		o.Turns = turnModelNames[0]
	}
	allowed := turnModels[o.Turns]
	if allowed == nil {
		return nil, fmt.Errorf("route: no turn model %q for lbdr, known are %s", o.Turns, strings.Join(turnModelNames, ", "))
	}
	r := &lbdr{lattice: g, bits: make([]uint16, n.NumSwitches())}
	for u := range r.bits {
		for x := range dir(4) {
			next := r.out(model.SwitchID(u), x)
			if next == model.NoChannel {
				continue
			}
			for y := range dir(4) {
				if y.dim() != x.dim() && allowed(x, y, r.at(n.Head(next), 0)) {
					r.bits[u] |= 1 << (4*x + y)
				}
			}
		}
	}
	return &relation{rule: r, net: n}, nil
}

func (r *lbdr) group(in model.ChannelID, _ int) int { return int(r.net.Head(in)) }

func (r *lbdr) next(p place, buf []model.Hop) []model.Hop {
	x, y := r.towards(p.u, p.v, 0), r.towards(p.u, p.v, 1)
	for _, a := range [2][2]dir{{x, y}, {y, x}} {
		if a[0] != noDir && (a[1] == noDir || r.bits[p.u]>>(4*a[0]+a[1])&1 == 1) {
			buf = hop(r.net, r.out(p.u, a[0]), all(r.net), p.class, buf)
		}
	}
	return buf
}
