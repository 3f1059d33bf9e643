package protocols

import (
	"context"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/bubble"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/hold"
	"github.com/turnproof/turnproof/verify/waits"
)

// This file decides a protocol whose virtual networks have flow control of rings.
//
// A proof has ranks of all places. In each virtual network they are ranks as in package bubbles, of all packets of the routing. Whatever a
// host needs before it consumes a message has greater ranks than the VC where the message waits. A refutation is a deadlock of messages
// that leaves a slot of each ring free.

const (
	theoremRingMessages = "packets that flow control admits to a ring of dependencies cannot fill it (Carrión et al. 1997); " +
		"beside the rings, every message and every transaction in a table waits for places of greater rank, so one at the place of greatest rank moves"
	reasonRings   = "flow control of rings holds messages back, and neither ranks nor messages that block each other beside the rings were found"
	reasonCopies  = "flow control of rings is not decided for copies of multicast messages"
	reasonManaged = "flow control of rings is not decided for messages beside management traffic, unless their virtual networks have an order"
)

// decideInRings decides a protocol that has no order of virtual networks.
func (x *rule) decideInRings(ctx context.Context, w *Waits) error {
	x.claim.Verdict, x.claim.Reason = verify.Undecided, reasonRings
	if w.HasMulticast() {
		x.claim.Reason = reasonCopies
		return nil
	}
	rings, err := x.flow.Rule.On(x.q.Relation)
	if err != nil {
		return err
	}
	packets, err := waits.Collect(ctx, x.q.Relation, x.q.Commits, func() {})
	if err != nil {
		return err
	}
	worms := x.flow.Rule.Kind == bubble.Worm
	for _, late := range []bool{false, true} {
		ranks := cert.Ints(w.inRings(rings, packets, worms, late).Ranks())
		proof := x.evidence
		proof.Verdict, proof.Evidence, proof.Ranks, proof.Tables = cert.Proved, cert.EvidenceMessageElimination, &ranks, &cert.Ints{}
		if worms {
			proof.Evidence = cert.EvidenceMessageNumbering
		}
		if ranks != nil && x.q.Accepts(proof) {
			x.claim.Verdict, x.claim.Reason, x.claim.Theorem, x.evidence = verify.Proved, "", theoremRingMessages, proof
			switch {
			case len(rings.List) == 0 && worms:
				x.claim.Theorem = theoremMessageOrder
			case len(rings.List) == 0:
				x.claim.Theorem = theoremMessageElimination
			}
			return nil
		}
	}
	if worms {
		return nil
	}
	d := w.deadlockBeside(rings, x.flow.Rule.Assumed(x.flow.Packet) == x.flow.Packet, func(d *Deadlock) bool {
		found := x.evidence
		found.Verdict, found.Evidence = cert.Refuted, cert.EvidenceMessageDeadlock
		d.Write(&found)
		return x.q.Accepts(found)
	})
	if d != nil {
		x.refute(d, theoremMessageDeadlock, cert.EvidenceMessageDeadlock)
	}
	return nil
}

// inRings returns an elimination of all places in which each virtual network has the rings.
func (w *Waits) inRings(rings *bubble.Rings, packets *waits.Table, worms, late bool) *hold.Rings {
	of := hold.RingsOf{Worms: worms, Late: late}
	vcs := int32(w.networks * w.links)
	for first := int32(0); first < vcs; first += int32(w.links) {
		for _, ring := range rings.List {
			of.Lists = append(of.Lists, hold.Places(first, ring))
		}
	}
	e := hold.NewRings(w.size(), of)
	for first := int32(0); first < vcs; first += int32(w.links) {
		for i, v := range packets.At {
			e.Packet(first+int32(v), hold.Places(first, packets.Next[i]))
		}
	}
	for _, m := range w.list {
		if m.place >= vcs {
			e.Host(m.place, m.any, worms)
			continue
		}
		for _, list := range m.any {
			if len(list) > 0 && list[0] >= vcs { // what the host needs; the hops are those of packets
				e.Host(m.place, [][]int32{list}, true)
			}
		}
	}
	return e
}

// deadlockBeside returns a deadlock of messages that accepted accepts, or nil. In each ring a VC keeps a free slot, which only the packet before
// it in the ring may take, or any packet where flow control does not refuse it.
func (w *Waits) deadlockBeside(rings *bubble.Rings, refuses bool, accepted func(*Deadlock) bool) *Deadlock {
	slots := w.slots(rings)
	most := 1
	for _, list := range slots {
		most = max(most, len(list))
	}
	for k := range most {
		y := &Waits{Places: w.Places}
		for _, m := range w.list {
			if !slices.ContainsFunc(m.any, func(list []int32) bool {
				from, to := w.hop(&m, list)
				r := rings.Of(max(to, 0))
				return to >= 0 && r >= 0 && slots[r][k%len(slots[r])] == to && !(refuses && rings.IsGuarded(from, to))
			}) {
				y.list = append(y.list, m)
			}
		}
		proof := y.Prove(false)
		if proof.IsComplete() {
			continue
		}
		if d := y.FindDeadlock(proof); d != nil && accepted(d) {
			return d
		}
	}
	return nil
}

// slots returns by ring the VCs that may keep a free slot: those before which a message can wait for something else, if there are any.
func (w *Waits) slots(rings *bubble.Rings) [][]model.VCID {
	left := w.Prove(false).left
	list := make([][]model.VCID, len(rings.List))
	for i := range w.list {
		m := &w.list[i]
		if m.packet == nil || left == nil || slices.ContainsFunc(m.any, func(all []int32) bool {
			return !slices.ContainsFunc(all, func(q int32) bool { return left[q] })
		}) {
			continue
		}
		at := m.packet.Path[len(m.packet.Path)-1].VC
		r := rings.Of(at)
		if r < 0 {
			continue
		}
		next := rings.List[r][(slices.Index(rings.List[r], at)+1)%len(rings.List[r])]
		if !slices.Contains(list[r], next) && !slices.ContainsFunc(m.any, func(all []int32) bool { _, to := w.hop(m, all); return to == next }) {
			list[r] = append(list[r], next)
		}
	}
	for r := range list {
		if list[r] == nil {
			list[r] = rings.List[r]
		}
	}
	return list
}

// hop returns the VCs of an alternative that is a hop between VCs, or NoVC.
func (w *Waits) hop(m *messageWait, list []int32) (from, to model.VCID) {
	if m.packet == nil || len(list) != 1 || int(list[0]) >= w.networks*w.links {
		return model.NoVC, model.NoVC
	}
	return m.packet.Path[len(m.packet.Path)-1].VC, model.VCID(int(list[0]) % w.links)
}
