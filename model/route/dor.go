package route

import (
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/internal/spelling"
	"github.com/turnproof/turnproof/model"
)

// This file is dimension-order routing on meshes and tori.
//
// Promise: one dimension after the other, the shorter way round a ring. At
// distance k/2 of a ring the plus direction, or both with Options.BothWays.
// Source: W. J. Dally and C. L. Seitz, Deadlock-free message routing in
// multiprocessor interconnection networks, IEEE Trans. Computers C-36(5), 1987.
// The rules for two halves of the VCs on a ring:
//
//   - dateline: a packet enters a ring on the first half and is on the second
//     after the wraparound channel;
//   - position (the paper's own): first half while the wraparound channel is
//     still ahead, else second; needs no memory, so an escape can use it;
//   - entry: the half is chosen on entering a ring and kept. Plus: the second
//     if the way leads over the wraparound channel; minus: the second if it
//     does not. BookSim 2 (Jiang et al., ISPASS 2013), routefunc.cpp,
//     dor_next_torus. Neither half goes all the way round, since no shortest way
//     uses both the wraparound channel and the one opposite it;
//   - balanced: entry with two datelines, the other opposite, and a free
//     choice between the halves for packets that cross neither. BookSim's
//     dim_order_bal.
//
// With entry and balanced and an odd number of VCs the halves overlap in the
// middle VC, as BookSim computes them.
// Premises of deadlock freedom: a mesh, or two VCs; rings of three need only one.
// Class: none; with entry and balanced and an odd number of VCs, the half.

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
	order []int
	both  bool
	rule  string
	span  span   // the VCs to use
	half  halves // of them, on a ring
	keeps bool   // the class is the half
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
	if r.keeps {
		classes = 2
	}
	return &dimensionOrder{relation: relation{rule: r, net: n, classes: classes}, dor: r}, nil
}

// dimensionOrder is dimension-order routing as a relation of its own, which can
// be told by its lines.
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
		return nil // places or links are missing
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
	return newDOR(n, Options{BothWays: r.dor.both, VCRule: r.dor.rule})
}

func newBookSimDOR(n *model.Network, o Options) (model.Relation, error) {
	o.BothWays = true
	if o.VCRule == "" {
		o.VCRule = RuleEntry
	}
	return newDOR(n, o)
}

// makeDOR returns the rule on the VCs of s.
func makeDOR(g *lattice, s span, o Options) (*dor, error) {
	r := &dor{lattice: g, order: o.Order, both: o.BothWays, rule: o.VCRule, span: s, half: split(s)}
	if r.order == nil {
		for d := range g.dims {
			r.order = append(r.order, d)
		}
	}
	sorted := slices.Sorted(slices.Values(r.order))
	for d, got := range sorted {
		if d != got || len(sorted) != g.dims {
			return nil, fmt.Errorf("route: dimension order %v, needed are the numbers 0 to %d, each once", r.order, g.dims-1)
		}
	}
	if len(sorted) != g.dims {
		return nil, fmt.Errorf("route: dimension order %v for %d dimensions", r.order, g.dims)
	}
	rules := []string{RuleDateline, RulePlain, RulePosition, RuleEntry, RuleBalanced}
	switch vcs := s.hi - s.lo; {
	case r.rule == "" && vcs < 2:
		r.rule = RulePlain
	case r.rule == "":
		r.rule = RuleDateline
	case !slices.Contains(rules, r.rule):
		return nil, fmt.Errorf("route: no VC rule %q%s, known are %s", r.rule, spelling.Suggest(r.rule, rules), strings.Join(rules, ", "))
	case r.rule != RulePlain && vcs < 2 && !g.isMesh():
		return nil, fmt.Errorf("route: VC rule %s on a torus needs 2 virtual channels, here is %d", r.rule, vcs)
	}
	if k := s.hi - s.lo; (r.rule == RuleEntry || r.rule == RuleBalanced) && k%2 == 1 && k > 1 && !g.isMesh() {
		r.half = halves{{s.lo, s.hi - k/2}, {s.lo + k/2, s.hi}} // they overlap
		r.keeps = true
	}
	return r, nil
}

func (r *dor) next(p place, buf []model.Hop) []model.Hop {
	for _, d := range r.order {
		plus, minus := r.productive(p.u, p.v, d)
		if plus {
			buf = r.step(p, dir(2*d), buf)
		}
		if minus && (!plus || r.both) {
			buf = r.step(p, dir(2*d+1), buf)
		}
		if plus || minus {
			return buf
		}
	}
	return buf
}

// step appends the hops in direction a.
func (r *dor) step(p place, a dir, buf []model.Hop) []model.Hop {
	c := r.out(p.u, a)
	if r.rule == RulePlain || !r.wrap[a.dim()] {
		return hop(r.net, c, r.span, 0, buf)
	}
	first, second := r.uses(p, a)
	if first {
		buf = hop(r.net, c, r.half[0], 0, buf)
	}
	if second {
		class := model.Class(0)
		if r.keeps {
			class = 1
		}
		buf = hop(r.net, c, r.half[1], class, buf)
	}
	return buf
}

// uses reports which halves are permitted in direction a of a ring.
func (r *dor) uses(p place, a dir) (first, second bool) {
	x, y := r.at(p.u, a.dim()), r.at(p.v, a.dim())
	ahead := x > y // the wraparound channel is
	if a.minus() {
		ahead = x < y
	}
	if r.rule == RulePosition {
		return ahead, !ahead
	}
	if from := r.dirOf(p.in); from != noDir && from.dim() == a.dim() { // on the ring already
		second = r.half.of(p.vc) == 1
		if r.keeps {
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
	// Balanced: the second dateline lies between (k-1)/2 and the place after it.
	middle := (r.sides[a.dim()] - 1) / 2
	opposite := x <= middle && y > middle
	if a.minus() {
		opposite = x > middle && y <= middle
	}
	return !ahead, ahead || !opposite
}
