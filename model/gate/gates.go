package gate

import (
	"errors"
	"fmt"
	"math/bits"

	"github.com/turnproof/turnproof/model"
)

// This file binds a rule to a network: which hops have a gate, which buffers its
// VCinfo tells of, and which bits close it.

// Gates are the gates of a network.
type Gates struct {
	Rule    Rule
	Weights []int64 // by bit
	Most    int64   // a gate is closed above it

	net      *model.Network
	escape   func(model.VCID) bool // nil: no hop is exempt
	straight []model.ChannelID     // by channel
	closed   []uint64              // by the bits: a set of bits
}

// On binds the rule to the network of r. It fails unless that is a grid, and where the
// escape is to be exempt but r names none.
func (rule Rule) On(r model.Relation) (*Gates, error) {
	n := r.Network()
	if rule.Hops < 1 || rule.Hops > maxHops {
		return nil, fmt.Errorf("gate: VCinfo of %d hops, allowed are 1 to %d", rule.Hops, maxHops)
	}
	if n.Grid() == nil {
		return nil, errors.New("gate: gates are where a packet leaves a straight way, so a mesh or torus is needed; this network has no coordinates")
	}
	weights, most, err := rule.Func.Weights(rule.Hops)
	if err != nil {
		return nil, fmt.Errorf("gate: %w", err)
	}
	g := &Gates{Rule: rule, Weights: weights, Most: most, net: n, straight: Straight(n, rule.WithinRow)}
	if rule.Exempt {
		e, ok := r.(model.Escaper)
		if !ok {
			return nil, errors.New("gate: the escape is to be exempt, but this routing names none")
		}
		g.escape = e.EscapeVC
	}
	g.close()
	return g, nil
}

// Straight returns, by channel between switches, the one that goes straight on, NoChannel
// where there is none: on a grid in the same direction; neither to a wraparound channel nor
// from one if withinRow.
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

// wraps reports whether channel c, which leads along dimension d, goes round.
func wraps(g *model.Grid, n *model.Network, c model.ChannelID, d int, plus bool) bool {
	a, b := g.Coord(n.Tail(c), d), g.Coord(n.Head(c), d)
	return plus && b < a || !plus && b > a
}

// Ahead returns the channel straight on from c, NoChannel if VCinfo ends there.
func (g *Gates) Ahead(c model.ChannelID) model.ChannelID { return g.straight[c] }

// Has reports whether a packet that goes from channel in to VC out, which are at one
// switch, passes a gate.
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

// Closed reports whether VCinfo of these bits, the next buffer's the lowest, closes a
// gate.
func (g *Gates) Closed(info uint64) bool { return g.closed[info>>6]>>(info&63)&1 == 1 }

// close works out the bits that close a gate: 2^Hops sums, each from the one before by
// the bit in which they differ (Gray code).
func (g *Gates) close() {
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
