package route

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file joins two relations, adaptive and escape, as Duato's theory has it:
// a packet may at any time take what either offers.
//
// Source: J. Duato, IEEE TPDS 4(12), 1993. Relation duato is the special case
// of minimal adaptive routing and dimension order, and a test holds the two
// against each other.
// The adaptive relation has the first VCs, the escape relation the ones after.
// A packet on a channel's escape VC asks the adaptive relation as if it were on
// VC 0 of that channel, and one on an adaptive VC asks the escape likewise: so
// what either offers should not depend on the VC that a packet is on. The
// escape should not depend on the channel either (dor with rule "position",
// west-first); where it does, verify's verdict is still exact.
// Class: that of the adaptive relation. The escape must have one class.

type escapeRelation struct {
	model.Relation // adaptive: sources, destinations, classes, injection
	escape         model.Relation
	net            *model.Network
	first          int // VC of the escape
}

// Escape returns the relation that offers what adaptive or escape offers.
func Escape(adaptive, escape model.Relation) (model.Relation, error) {
	if err := alike(adaptive, escape); err != nil {
		return nil, fmt.Errorf("route: adaptive and escape relation: %w", err)
	}
	if k := escape.Classes(); k != 1 {
		return nil, fmt.Errorf("route: an escape relation needs a single class, this one has %d", k)
	}
	first := adaptive.Network().VCs()
	vcs := first + escape.Network().VCs()
	if vcs > model.MaxVCs {
		return nil, fmt.Errorf("route: %d virtual channels with the escape, allowed are %d", vcs, model.MaxVCs)
	}
	return &escapeRelation{adaptive, escape, adaptive.Network().WithVCs(vcs), first}, nil
}

// Network implements model.Relation.
func (r *escapeRelation) Network() *model.Network { return r.net }

// Weights implements model.Weighted: those of the adaptive relation.
func (r *escapeRelation) Weights(h model.HostID, d model.DestID, buf []uint32) []uint32 {
	return model.Weights(r.Relation, h, d, r.Inject(h, d, nil), buf)
}

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
		buf[j].VC = moved(n, r.net, buf[j].VC, 0)
	}
	middle := len(buf)
	buf = r.escape.Next(model.State{VC: m.VC(c, ve), Dest: s.Dest}, buf)
	kept := buf[:middle]
	for _, h := range buf[middle:] {
		h = model.Hop{VC: moved(m, r.net, h.VC, r.first), Class: s.Class}
		if r.net.IsLinkVC(h.VC) || !slices.Contains(kept[start:middle], h) { // both deliver
			kept = append(kept, h)
		}
	}
	return kept
}
