package route

import (
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

type escapeRelation struct {
	model.Relation // the adaptive relation; gives sources, destinations, classes, injection
	escape         model.Relation
	net            *model.Network
	first          int // first VC of the escape
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
	return &escapeRelation{adaptive, escape, adaptive.Network().WithVCs(vcs), first}, nil
}

// Network implements model.Relation.
func (r *escapeRelation) Network() *model.Network { return r.net }

// Weights implements model.Weighted with the weights of the adaptive relation.
func (r *escapeRelation) Weights(h model.HostID, d model.DestID, buf []uint32) []uint32 {
	return model.Weights(r.Relation, h, d, r.Inject(h, d, nil), buf)
}

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
	buf = r.Relation.Next(model.State{VC: n.VC(c, va), Dest: s.Dest, Class: s.Class}, buf)
	for j := start; j < len(buf); j++ {
		buf[j].VC = shiftVC(n, r.net, buf[j].VC, 0)
	}
	middle := len(buf)
	buf = r.escape.Next(model.State{VC: m.VC(c, ve), Dest: s.Dest}, buf)
	kept := buf[:middle]
	for _, h := range buf[middle:] {
		h = model.Hop{VC: shiftVC(m, r.net, h.VC, r.first), Class: s.Class}
		if r.net.IsLinkVC(h.VC) || !slices.Contains(kept[start:middle], h) { // both relations may deliver the packet
			kept = append(kept, h)
		}
	}
	return kept
}
