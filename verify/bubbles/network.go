package bubbles

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/bubble"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/hold"
	"github.com/turnproof/turnproof/verify/waits"
)

// Network is the network of a relation, with its rings.
type Network struct {
	*bubble.Rings
	flow   *bubble.Flow
	n      *model.Network
	next   []model.VCID // by VC of a ring: the next VC
	off    []model.Turn // entries that are off, ascending
	limits bubble.Limits
	each   int  // VCs that a worm fills when it waits, or 1
	one    bool // a packet waits for one of its next hops, any of them
}

// Bind finds the rings of r and its entries that are off.
func Bind(ctx context.Context, r model.Relation, f *bubble.Flow) (*Network, error) {
	rings, err := f.Rule.On(r)
	if err != nil {
		return nil, err
	}
	n := r.Network()
	b := &Network{Rings: rings, flow: f, n: n, next: make([]model.VCID, n.NumLinkVCs()), each: 1}
	for v := range b.next {
		b.next[v] = model.NoVC
	}
	for _, ring := range rings.List {
		for i, v := range ring {
			b.next[v] = ring[(i+1)%len(ring)]
		}
	}
	b.limits = rings.Limits(f.Packet, func(model.VCID) int { return f.Buffer })
	if f.Rule.Kind == bubble.Worm {
		b.each = (f.Packet + f.Buffer - 1) / f.Buffer
	}
	x, known := cdg.NewExplorer(r), map[model.Turn]bool{}
	for d := range model.DestID(r.Destinations()) {
		s := x.Explore(d)
		for i, st := range s.States {
			hops, _ := s.HopsOf(i)
			for _, h := range hops {
				if t := (model.Turn{In: st.VC, Out: h.VC}); b.IsEntry(st.VC, h.VC) && !b.IsGuarded(st.VC, h.VC) && !known[t] {
					known[t] = true
					b.off = append(b.off, t)
				}
			}
		}
		if err := errors.Join(ctx.Err(), x.Err()); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(b.off, func(p, q model.Turn) int { return cmp.Or(cmp.Compare(p.In, q.In), cmp.Compare(p.Out, q.Out)) })
	return b, nil
}

// Subject returns the flow control in the form of verify/cert.
func (b *Network) Subject() *cert.Bubbles {
	s := &cert.Bubbles{Kind: string(b.flow.Rule.Kind), Packet: b.flow.Packet, Buffer: b.flow.Buffer, Assumed: b.flow.Rule.Assumed(b.flow.Packet)}
	for _, ring := range b.List {
		s.Rings = append(s.Rings, int32(len(ring)))
		for _, v := range ring {
			s.Rings = append(s.Rings, int32(v))
		}
	}
	for _, t := range b.off {
		s.Off = append(s.Off, int32(t.In), int32(t.Out))
	}
	return s
}

// IsWeaker reports whether some entries are off, or the rule takes packets for shorter ones.
func (b *Network) IsWeaker() bool {
	return len(b.off) > 0 || b.flow.Rule.Assumed(b.flow.Packet) != b.flow.Packet
}

// Why returns the reason for which no proof is known.
func (b *Network) Why() string {
	switch {
	case b.Other > 0:
		return fmt.Sprintf("%d virtual channels depend on each other in no ring, so flow control does not protect them; "+
			"no run into a deadlock was found", b.Other)
	case len(b.off) > 0:
		return fmt.Sprintf("%d entries to rings are off, and no run into a deadlock was found", len(b.off))
	}
	return "the rings depend on each other, or their buffers are too small, and no run into a deadlock was found"
}

// Ranks returns ranks by VC, or nil if a VC is left. Rings get the greatest ranks that they can have, or, if late is true, the least: packets that
// wait for a VC out of the ring as well then leave it.
func (b *Network) Ranks(ctx context.Context, r model.Relation, late bool) ([]int32, error) {
	w, err := b.collect(ctx, r)
	if err != nil {
		return nil, err
	}
	return b.waits(w, late).Ranks(), nil
}

// collect returns what packets wait for.
func (b *Network) collect(ctx context.Context, r model.Relation) (*waits.Table, error) {
	if !b.one {
		return waits.Collect(ctx, r, nil, func() {})
	}
	return waits.Collect(ctx, r, func(model.State) bool { return true }, func() {})
}

// waits returns an elimination with the waits of w.
func (b *Network) waits(w *waits.Table, late bool) *hold.Rings {
	of := hold.RingsOf{Worms: b.flow.Rule.Kind == bubble.Worm, Late: late}
	for _, ring := range b.List {
		of.Lists = append(of.Lists, hold.Places(0, ring))
	}
	x := hold.NewRings(b.n.NumLinkVCs(), of)
	for i, v := range w.At {
		x.Packet(int32(v), hold.Places(0, w.Next[i]))
	}
	return x
}
