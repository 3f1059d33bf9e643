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
	each   int // VCs that a worm fills when it waits, or 1
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

// Ranks returns ranks by VC, or nil if a VC is left.
func (b *Network) Ranks(ctx context.Context, r model.Relation) ([]int32, error) {
	w, err := waits.Collect(ctx, r, nil, func() {})
	if err != nil {
		return nil, err
	}
	x := b.newElimination(w)
	for i := range w.At {
		if err := x.addWait(i); err != nil {
			return nil, err
		}
	}
	order := x.run()
	rankOf := make([]int, len(x.blocked))
	for p := range rankOf {
		rankOf[p] = -1
	}
	for k, p := range order {
		rankOf[p] = len(order) - 1 - k
	}
	ranks := make([]int32, len(x.part))
	for v, p := range x.part {
		if rankOf[p] < 0 {
			return nil, nil
		}
		ranks[v] = int32(rankOf[p])
	}
	return ranks, nil
}

// An elimination removes parts of the network, rings or single VCs, as soon as each wait in them has a good hop: to the next VC of
// a ring, or to a part that is removed.
type elimination struct {
	b       *Network
	w       *waits.Table
	part    []int   // by VC: its ring, or a number of its own
	blocked []int   // by part: waits without a good hop
	wanted  [][]int // by part: the waits that it helps
	missing []int   // by wait: hops that are not good yet, of those that must be
	isWorm  bool    // every hop must be good
}

// newElimination returns an elimination without waits.
func (b *Network) newElimination(w *waits.Table) *elimination {
	n := b.n.NumLinkVCs()
	x := &elimination{b: b, w: w, part: make([]int, n), blocked: make([]int, len(b.List)+n), wanted: make([][]int, len(b.List)+n),
		missing: make([]int, len(w.At)), isWorm: b.flow.Rule.Kind == bubble.Worm}
	for v := range x.part {
		if x.part[v] = len(b.List) + v; b.Of(model.VCID(v)) >= 0 {
			x.part[v] = int(b.Of(model.VCID(v)))
		}
	}
	return x
}

// addWait adds a wait by its number. It fails for a wait for an ejection channel.
func (x *elimination) addWait(i int) error {
	v := x.w.At[i]
	x.blocked[x.part[v]]++
	x.missing[i] = 1
	if x.isWorm {
		x.missing[i] = len(x.w.Next[i])
	}
	for _, o := range x.w.Next[i] {
		switch {
		case !x.b.n.IsLinkVC(o):
			return fmt.Errorf("internal error: a wait for an ejection channel")
		case o == x.b.next[v]:
			x.missing[i]--
		default:
			x.wanted[x.part[o]] = append(x.wanted[x.part[o]], i)
		}
	}
	if x.missing[i] <= 0 {
		x.blocked[x.part[v]]--
	}
	return nil
}

// run returns the parts in the order in which they are removed.
func (x *elimination) run() (order []int) {
	rings := len(x.b.List)
	for p := range x.blocked {
		if x.blocked[p] == 0 && (p < rings || x.part[p-rings] == p) {
			order = append(order, p)
		}
	}
	for k := 0; k < len(order); k++ {
		for _, i := range x.wanted[order[k]] {
			if x.missing[i]--; x.missing[i] != 0 {
				continue
			}
			p := x.part[x.w.At[i]]
			if x.blocked[p]--; x.blocked[p] == 0 {
				order = append(order, p)
			}
		}
	}
	return order
}
