package route

import (
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/internal/spelling"
	"github.com/turnproof/turnproof/model"
)

// This file implements dimension-order routing on meshes and tori.
//
// Promise: a packet corrects one dimension after another and takes the shorter direction of a
// ring. At distance k/2 it takes the plus direction, or either direction with Options.BothWays.
// Source: W. J. Dally and C. L. Seitz, Deadlock-free message routing in multiprocessor
// interconnection networks, IEEE Trans. Computers C-36(5), 1987. The rules for the two halves
// of the VCs on a ring:
//
//   - dateline: a packet enters a ring on the first half and changes to the second half after the
//     wraparound channel.
//   - position (the rule of the paper): a packet uses the first half before the wraparound channel
//     and the second half otherwise. The rule needs no memory, so an escape can use it.
//   - entry: the half is chosen on entering a ring and kept. Plus direction: the second half if
//     the path crosses the wraparound channel; minus: the second half if it does not. Source:
//     BookSim 2 (Jiang et al., ISPASS 2013), routefunc.cpp, dor_next_torus. No half carries
//     packets around the whole ring, because no shortest path uses both the wraparound channel
//     and the channel opposite.
//   - balanced: entry with two datelines at opposite places. A packet that crosses neither
//     dateline may use both halves. Source: BookSim, dim_order_bal.
//
// With Options.KeepFirst, a packet that is on VC 0 between switches stays on VC 0. Source: BookSim 2,
// min_adapt_mesh. Its route set has one range of VCs for each priority, so it keeps only the adaptive VCs
// of the first dimension that differs, which are those of dimension order.
//
// If the number of VCs is odd, the halves of entry and balanced overlap in the middle VC, as in
// BookSim. Premises of deadlock freedom: a mesh, or two VCs. A ring of three switches needs
// only one VC. Class: none. With entry or balanced and an odd number of VCs, the class is the
// half.

// The rules; see Options.VCRule.
const (
	RulePlain    = "plain"
	RuleDateline = "dateline"
	RulePosition = "position"
	RuleEntry    = "entry"
	RuleBalanced = "balanced"
)

type dor struct {
	*lattice
	order       []int
	both        bool
	keepFirst   bool
	rule        string
	span        span   // the VCs to use
	half        halves // the halves of span on a ring
	classIsHalf bool   // whether the class records the half
}

func newDOR(n *model.Network, o Options) (model.Relation, error) {
	g, err := newLattice(n, "dor")
	if err != nil {
		return nil, err
	}
	r, err := makeDOR(g, all(n), o)
	if err != nil {
		return nil, err
	}
	classes := 1
	if r.classIsHalf {
		classes = 2
	}
	return &dimensionOrder{relation: relation{rule: r, net: n, classes: classes}, dor: r}, nil
}

// dimensionOrder is dimension-order routing as a model.DimensionOrdered.
type dimensionOrder struct {
	relation
	dor *dor
}

// DimensionOrder implements model.DimensionOrdered.
func (r *dimensionOrder) DimensionOrder() []int {
	n, places, links := r.net, 1, 0
	for _, side := range r.dor.sides {
		places *= side
	}
	for d, side := range r.dor.sides {
		if side > 1 {
			steps := side - 1
			if r.dor.wrap[d] {
				steps = side
			}
			links += places / side * steps
		}
	}
	if n.Grid().Place != nil || n.NumSwitches() != places || n.NumLinks() != links || n.NumHosts() == 0 || n.NumHosts()%places != 0 {
		return nil // positions or links are missing
	}
	hosts := make([]int, places)
	for h := range model.HostID(n.NumHosts()) {
		hosts[n.Host(h).Switch]++
	}
	for _, k := range hosts {
		if k != n.NumHosts()/places {
			return nil
		}
	}
	return r.dor.order
}

// Line implements model.DimensionOrdered.
func (r *dimensionOrder) Line(d int) (model.Relation, error) {
	side, wrap := r.dor.sides[d], r.dor.wrap[d]
	b := model.NewBuilder()
	for u := range model.SwitchID(side) {
		b.AddSwitch(model.Switch{})
		b.AddHost(model.Host{Switch: u, Port: 3})
	}
	for u := range side {
		if u+1 < side || wrap {
			b.AddLink(model.SwitchID(u), model.PlusPort(0), model.SwitchID((u+1)%side), model.MinusPort(0))
		}
	}
	b.SetVCs(r.net.VCs())
	b.SetGrid(&model.Grid{Sides: []int{side}, Wrap: []bool{wrap}})
	n, err := b.Build()
	if err != nil {
		return nil, err
	}
	return newDOR(n, Options{BothWays: r.dor.both, VCRule: r.dor.rule, KeepFirst: r.dor.keepFirst})
}

func newBookSimDOR(n *model.Network, o Options) (model.Relation, error) {
	o.BothWays = true
	if o.VCRule == "" {
		o.VCRule = RuleEntry
	}
	return newDOR(n, o)
}

// makeDOR returns dimension-order routing on the VCs of s. It fails if an option does not fit.
func makeDOR(g *lattice, s span, o Options) (*dor, error) {
	order, err := completeOrder(o.Order, g.dims)
	if err != nil {
		return nil, err
	}
	r := &dor{lattice: g, order: order, both: o.BothWays, keepFirst: o.KeepFirst, rule: o.VCRule, span: s, half: split(s)}
	rules := []string{RuleDateline, RulePlain, RulePosition, RuleEntry, RuleBalanced}
	switch vcs := s.hi - s.lo; {
	case r.keepFirst && !g.isMesh():
		return nil, fmt.Errorf("route: keep-first needs a mesh")
	case r.rule == "" && vcs < 2:
		r.rule = RulePlain
	case r.rule == "":
		r.rule = RuleDateline
	case !slices.Contains(rules, r.rule):
		return nil, fmt.Errorf("route: no VC rule %q%s, known are %s", r.rule, spelling.Suggest(r.rule, rules), strings.Join(rules, ", "))
	case r.rule != RulePlain && vcs < 2 && !g.isMesh():
		return nil, fmt.Errorf("route: VC rule %s on a torus needs 2 virtual channels, this network has %d", r.rule, vcs)
	}
	if k := s.hi - s.lo; (r.rule == RuleEntry || r.rule == RuleBalanced) && k%2 == 1 && k > 1 && !g.isMesh() {
		r.half = halves{{s.lo, s.hi - k/2}, {s.lo + k/2, s.hi}} // they overlap
		r.classIsHalf = true
	}
	return r, nil
}

// completeOrder returns an order of dimensions, ascending if order is nil. It fails if order does not have each dimension once.
func completeOrder(order []int, dims int) ([]int, error) {
	if order == nil {
		for d := range dims {
			order = append(order, d)
		}
	}
	sorted := slices.Sorted(slices.Values(order))
	for d, got := range sorted {
		if d != got || len(sorted) != dims {
			return nil, fmt.Errorf("route: dimension order %v; want each of the numbers 0 to %d once", order, dims-1)
		}
	}
	if len(sorted) != dims {
		return nil, fmt.Errorf("route: dimension order %v; want %d dimensions", order, dims)
	}
	return order, nil
}

// looksAtInput reports whether the hops depend on the channel or VC that a packet arrives on.
func (r *dor) looksAtInput() bool {
	return r.keepFirst || !r.isMesh() && r.rule != RulePlain && r.rule != RulePosition
}

func (r *dor) group(in model.ChannelID, vc int) int {
	if r.looksAtInput() {
		return int(r.net.VC(in, vc))
	}
	return int(r.net.Head(in))
}

func (r *dor) next(p place, buf []model.Hop) []model.Hop {
	for _, d := range r.order {
		plus, minus := r.productive(p.u, p.v, d)
		if plus {
			buf = r.appendStep(p, dir(2*d), buf)
		}
		if minus && (!plus || r.both) {
			buf = r.appendStep(p, dir(2*d+1), buf)
		}
		if plus || minus {
			return buf
		}
	}
	return buf
}

// appendStep appends the hops in direction a.
func (r *dor) appendStep(p place, a dir, buf []model.Hop) []model.Hop {
	c := r.out(p.u, a)
	if r.rule == RulePlain || !r.wrap[a.dim()] {
		vcs := r.span
		if r.keepFirst && p.vc == vcs.lo && r.dirOf(p.in) != noDir {
			vcs.hi = vcs.lo + 1
		}
		return hop(r.net, c, vcs, 0, buf)
	}
	first, second := r.permittedHalves(p, a)
	if first {
		buf = hop(r.net, c, r.half[0], 0, buf)
	}
	if second {
		class := model.Class(0)
		if r.classIsHalf {
			class = 1
		}
		buf = hop(r.net, c, r.half[1], class, buf)
	}
	return buf
}

// permittedHalves reports which halves of the VCs are permitted in direction a of a ring.
func (r *dor) permittedHalves(p place, a dir) (first, second bool) {
	x, y := r.at(p.u, a.dim()), r.at(p.v, a.dim())
	ahead := x > y // whether the wraparound channel is ahead
	if a.minus() {
		ahead = x < y
	}
	if r.rule == RulePosition {
		return ahead, !ahead
	}
	if from := r.dirOf(p.in); from != noDir && from.dim() == a.dim() { // the packet is already on this ring
		second = r.half.of(p.vc) == 1
		if r.classIsHalf {
			second = p.class == 1
		}
		if r.rule == RuleDateline {
			second = second || r.crossed(p.in)
		}
		return !second, second
	}
	switch r.rule {
	case RuleDateline:
		return true, false
	case RuleEntry:
		return ahead == a.minus(), ahead != a.minus()
	}
	// RuleBalanced: the second dateline lies between coordinates (k-1)/2 and (k-1)/2+1.
	middle := (r.sides[a.dim()] - 1) / 2
	opposite := x <= middle && y > middle
	if a.minus() {
		opposite = x > middle && y <= middle
	}
	return !ahead, ahead || !opposite
}
