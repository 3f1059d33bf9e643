package route

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file joins an adaptive relation and an escape relation by Duato's theory. A packet may
// always take the hops of both.
//
// Source: J. Duato, IEEE TPDS 4(12), 1993. Relation duato is the special case of minimal
// adaptive routing with dimension-order escape; a test compares the two. The adaptive relation
// has the first VCs, the escape relation the VCs after them. Each relation is asked about its
// own VCs only: for a packet on an escape VC the adaptive relation is asked about VC 0 of the
// same channel, and vice versa. The hops of both relations should therefore not depend on the
// VC. The hops of the escape should not depend on the channel either, as in dor with rule
// "position" and west-first. If they do, the verdict of verify is still exact. Class: that of
// the adaptive relation. The escape must have one class.

//
// A rule can be an enterer, as up*/down* is: then a packet on an adaptive VC enters the escape as if from a host, whatever its
// channel. With stay, a packet on the
// escape stays there. Source: F. Silla and J. Duato, High-performance routing in networks of workstations with irregular
// topology, IEEE TPDS 11(7), 2000, section 4: on the escape up*/down* paths, and no return from them.

// enterer is a rule whose hops for a packet without a channel, place.in being model.NoChannel, are those of a packet from a host.
type enterer interface{ enters() }

type escapeRelation struct {
	model.Relation // the adaptive relation; gives sources, destinations, classes, injection
	escape         model.Relation
	net            *model.Network
	first          int       // first VC of the escape
	enter          *relation // escape, if its rule is an enterer
	stay           bool      // packets on the escape stay there
}

// Escape returns the relation that permits the hops of both relations. It fails if their hosts
// or networks differ, if the escape has several classes, or if there are too many VCs.
func Escape(adaptive, escape model.Relation) (model.Relation, error) {
	if err := checkSameHosts(adaptive, escape); err != nil {
		return nil, fmt.Errorf("route: adaptive and escape relation: %w", err)
	}
	if k := escape.Classes(); k != 1 {
		return nil, fmt.Errorf("route: escape relation has %d classes; want 1", k)
	}
	first := adaptive.Network().VCs()
	vcs := first + escape.Network().VCs()
	if vcs > model.MaxVCs {
		return nil, fmt.Errorf("route: %d virtual channels including the escape; want at most %d", vcs, model.MaxVCs)
	}
	r := &escapeRelation{Relation: adaptive, escape: escape, net: adaptive.Network().WithVCs(vcs), first: first}
	if e, ok := escape.(interface{ common() *relation }); ok {
		if _, ok := e.common().rule.(enterer); ok {
			r.enter = e.common()
		}
	}
	return r, nil
}

// newEscape returns the routing escape: minimal on the first VCs and updown on the last one, or other named relations.
func newEscape(n *model.Network, o Options) (model.Relation, error) {
	count := max(o.EscapeVCs, 1)
	if n.VCs() <= count {
		return nil, fmt.Errorf("route: escape needs %d virtual channels, the last %d for the escape; this network has %d", count+1, count, n.VCs())
	}
	adaptive, err := newPart("adaptive", cmp.Or(o.Adaptive, "minimal"), n.WithVCs(n.VCs()-count), Options{})
	if err != nil {
		return nil, err
	}
	escape, err := newPart("on", cmp.Or(o.On, "updown"), n.WithVCs(count), Options{Root: o.Root})
	if err != nil {
		return nil, err
	}
	made, err := Escape(adaptive, escape)
	if err != nil {
		return nil, err
	}
	r := made.(*escapeRelation)
	r.stay = !o.Return
	return r, nil
}

// newPart returns the adaptive or the escape relation of the routing escape. key names the part in errors.
func newPart(key, name string, n *model.Network, o Options) (model.Relation, error) {
	part, err := Find(name)
	switch {
	case err != nil:
		return nil, fmt.Errorf("route: escape,%s=%s: %w", key, name, err)
	case name == "escape":
		return nil, fmt.Errorf("route: escape,%s=escape: want a routing without an escape", key)
	case o.Root != nil && !part.Reads("root"):
		return nil, fmt.Errorf("route: escape,%s=%s: this routing has no root", key, name)
	case key == "on" && part.Reads("vc-rule") && n.VCs() > 1:
		o.VCRule = RulePosition // a packet can enter at any switch
	}
	r, err := part.make(n, o)
	if err != nil {
		return nil, fmt.Errorf("escape,%s=%s: %w", key, name, err)
	}
	if _, has := r.(Escaper); has {
		return nil, fmt.Errorf("route: escape,%s=%s: want a routing without an escape", key, name)
	}
	return r, nil
}

// Network implements model.Relation.
func (r *escapeRelation) Network() *model.Network { return r.net }

// Weights implements model.Weighted with the weights of the adaptive relation.
func (r *escapeRelation) Weights(h model.HostID, d model.DestID, buf []uint32) []uint32 {
	return model.Weights(r.Relation, h, d, r.Inject(h, d, nil), buf)
}

// LinkCost implements model.Costed with the costs of the adaptive relation.
func (r *escapeRelation) LinkCost(c model.ChannelID) int { return model.LinkCost(r.Relation, c) }

// SwitchRouted implements model.SwitchRouted.
func (r *escapeRelation) SwitchRouted() bool { return switchRouted(r.Relation, r.escape) }

// EscapeVC implements Escaper.
func (r *escapeRelation) EscapeVC(v model.VCID) bool { return escapeVC(r.net, v, r.first) }

// Next implements model.Relation.
func (r *escapeRelation) Next(s model.State, buf []model.Hop) []model.Hop {
	c, vc := r.net.Channel(s.VC)
	va, ve := vc, 0
	if vc >= r.first {
		va, ve = 0, vc-r.first
	}
	n, m := r.Relation.Network(), r.escape.Network()
	start := len(buf)
	if !r.stay || vc < r.first || !r.net.IsLinkVC(s.VC) {
		buf = r.Relation.Next(model.State{VC: n.VC(c, va), Dest: s.Dest, Class: s.Class}, buf)
	}
	for j := start; j < len(buf); j++ {
		buf[j].VC = shiftVC(n, r.net, buf[j].VC, 0)
	}
	middle := len(buf)
	u, v := r.net.Head(c), r.net.Host(r.DestinationHost(s.Dest)).Switch
	if r.enter != nil && vc < r.first && u != model.NoSwitch && u != v {
		buf = r.enter.next(place{in: model.NoChannel, u: u, v: v}, buf)
	} else {
		buf = r.escape.Next(model.State{VC: m.VC(c, ve), Dest: s.Dest}, buf)
	}
	kept := buf[:middle]
	for _, h := range buf[middle:] {
		h = model.Hop{VC: shiftVC(m, r.net, h.VC, r.first), Class: s.Class}
		if r.net.IsLinkVC(h.VC) || !slices.Contains(kept[start:middle], h) { // both relations may deliver the packet
			kept = append(kept, h)
		}
	}
	return kept
}
