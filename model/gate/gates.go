package gate

import (
	"errors"
	"fmt"
	"math/bits"

	"github.com/turnproof/turnproof/model"
)

// This file applies a rule to a network: which hops have a gate, which buffers belong to its
// VCinfo, and which VCinfo closes it.

// Gates are the gates of a network.
type Gates struct {
	Rule    Rule
	Weights []int64 // by bit of VCinfo
	Most    int64   // a gate is closed if the weighted sum is greater

	net      *model.Network
	escape   func(model.VCID) bool // if nil, no hop is exempt
	straight []model.ChannelID     // by channel
	closed   []uint64              // bit i is set if VCinfo i closes a gate
}

// On applies the rule to the network of r. It fails if the network is not a grid, or if the
// rule exempts the escape and r is not a model.Escaper.
func (rule Rule) On(r model.Relation) (*Gates, error) {
	n := r.Network()
	if rule.Hops < 1 || rule.Hops > maxHops {
		return nil, fmt.Errorf("gate: VCinfo of %d hops; want 1 to %d", rule.Hops, maxHops)
	}
	if n.Grid() == nil {
		return nil, errors.New("gate: gates need a mesh or torus, because they are at turns; this network has no coordinates")
	}
	weights, most, err := rule.Func.Weights(rule.Hops)
	if err != nil {
		return nil, fmt.Errorf("gate: %w", err)
	}
	g := &Gates{Rule: rule, Weights: weights, Most: most, net: n, straight: Straight(n, rule.WithinRow)}
	if rule.Exempt {
		e, ok := r.(model.Escaper)
		if !ok {
			return nil, errors.New("gate: exempt=escape needs a routing with escape VCs; this routing has none")
		}
		g.escape = e.EscapeVC
	}
	g.fillClosed()
	return g, nil
}

// Straight returns for each channel between switches the next channel in the same direction of
// the grid, or NoChannel. If withinRow is set, a wraparound channel has no next channel and is
// not a next channel.
func Straight(n *model.Network, withinRow bool) []model.ChannelID {
	grid := n.Grid()
	next := make([]model.ChannelID, n.NumLinkChannels())
	for c := range next {
		p := n.TailPort(model.ChannelID(c))
		o := n.OutAt(n.Head(model.ChannelID(c)), p)
		if next[c] = model.NoChannel; o == model.NoChannel || n.Kind(o) != model.SwitchToSwitch {
			continue
		}
		if d, plus, ok := grid.PortDirection(p); ok && (!withinRow || !wraps(grid, n, o, d, plus) && !wraps(grid, n, model.ChannelID(c), d, plus)) {
			next[c] = o
		}
	}
	return next
}

// wraps reports whether channel c of dimension d is a wraparound channel.
func wraps(g *model.Grid, n *model.Network, c model.ChannelID, d int, plus bool) bool {
	a, b := g.Coord(n.Tail(c), d), g.Coord(n.Head(c), d)
	return plus && b < a || !plus && b > a
}

// Ahead returns the next channel in the direction of c, or NoChannel if VCinfo ends there.
func (g *Gates) Ahead(c model.ChannelID) model.ChannelID { return g.straight[c] }

// Has reports whether the hop from channel in to VC out has a gate. Both must be at the same
// switch.
func (g *Gates) Has(in model.ChannelID, out model.VCID) bool {
	n := g.net
	o, _ := n.Channel(out)
	if n.Kind(o) != model.SwitchToSwitch || g.escape != nil && g.escape(out) {
		return false
	}
	if n.Kind(in) == model.Inject {
		return g.Rule.Place != Turns
	}
	if g.Rule.Place == Injection {
		return false
	}
	from, _, ok := n.Grid().PortDirection(n.TailPort(in))
	to, _, also := n.Grid().PortDirection(n.TailPort(o))
	return ok && also && from != to
}

// Closed reports whether the given VCinfo closes a gate. The lowest bit is the bit of the next
// buffer.
func (g *Gates) Closed(info uint64) bool { return g.closed[info>>6]>>(info&63)&1 == 1 }

// fillClosed computes the VCinfo values that close a gate. It visits the 2^Hops values in the
// order of a Gray code, so that each sum differs from the previous one by one weight.
func (g *Gates) fillClosed() {
	g.closed = make([]uint64, max(1, 1<<len(g.Weights)/64))
	sum, info := int64(0), uint64(0)
	for k := uint64(0); ; {
		if sum > g.Most {
			g.closed[info>>6] |= 1 << (info & 63)
		}
		if k++; k == 1<<len(g.Weights) {
			return
		}
		bit := bits.TrailingZeros64(k)
		if info ^= 1 << bit; info>>bit&1 == 1 {
			sum += g.Weights[bit]
		} else {
			sum -= g.Weights[bit]
		}
	}
}
