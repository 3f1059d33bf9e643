package verify

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

// This file decides deadlock freedom of routings whose flow control keeps rings from filling up.
//
// A proof has ranks by VC, equal in each ring, such that every waiting packet has a hop to a greater rank or to the
// next VC of its ring. Package verify/cert/bubbles has the rules and their proof. The ranks are found by
// elimination, as in package waits, with a ring as one VC. A refutation is a run of the network into a
// deadlock (bubblerun.go). If neither is found, the claim is undecided.
//
// Sources: see package bubble. Cost: O(reachable states × hops).

// Flow is flow control with the sizes of packets and buffers.
type Flow struct {
	Rule   bubble.Rule
	Packet int    // flits of every packet
	Buffer int    // flits that fit into a buffer
	Source string // source of the premise of these sizes; defaults to model.Assumed
}

// Switching returns the discipline of the flow control.
func (f *Flow) Switching() model.Switching {
	return f.Rule.Switching()
}

// check returns an error for sizes that contradict each other.
func (f *Flow) check(r model.Relation, o *Options) error {
	switch {
	case o.Switching != f.Switching():
		return fmt.Errorf("cannot decide %s: want %s switching, got %s", f.Rule.Kind, f.Switching(), o.Switching)
	case o.Gating != nil || o.Multicast != nil:
		return errors.New("cannot decide flow control of rings together with gates or multicast tables")
	case f.Packet < 1 || f.Buffer < 1 || f.Packet > 1<<20 || f.Buffer > 1<<20:
		return fmt.Errorf("flow: packets of %d flits and buffers of %d; want 1 to %d", f.Packet, f.Buffer, 1<<20)
	case f.Rule.Kind != bubble.Worm && f.Buffer < f.Packet:
		return fmt.Errorf("flow: a buffer of %d flits has no room for a packet of %d; %s needs whole packets", f.Buffer, f.Packet, f.Rule.Kind)
	}
	for c, a := range r.Network().ChannelAttributes() {
		if a.Buffer > 0 && int(a.Buffer) != f.Buffer && r.Network().Kind(model.ChannelID(c)) != model.Eject {
			return fmt.Errorf("flow: the network gives channel %d a buffer of %d flits; want the same buffers everywhere", c, a.Buffer)
		}
	}
	return nil
}

// Text returns the flow control and the sizes as a premise.
func (f *Flow) Text() string {
	text := fmt.Sprintf("all packets have %d flits, and a buffer has room for %d; flow control %s", f.Packet, f.Buffer, f.Rule)
	if f.Rule.Packet > 0 && f.Rule.Packet != f.Packet {
		text += fmt.Sprintf(", which takes packets for %d flits", f.Rule.Packet)
	}
	return text
}

// Run is a run of packets from empty buffers. Each number of Moves is a packet, which takes the next step of its path.
type Run struct {
	Packets []*cdg.Packet
	Moves   []int32
}

// Premises returns the premises of deadlock-free that are about the flow control.
func (f *Flow) Premises() []string { return []string{f.Text(), premiseExact} }

// bubbled is a relation with its rings.
type bubbled struct {
	*bubble.Rings
	flow   *Flow
	n      *model.Network
	next   []model.VCID // by VC of a ring: the next VC
	off    []model.Turn // entries that are off, ascending
	limits bubble.Limits
	each   int // VCs that a worm fills when it waits, or 1
}

// makeBubbled finds the rings of r and its entries that are off.
func makeBubbled(ctx context.Context, r model.Relation, f *Flow) (*bubbled, error) {
	rings, err := f.Rule.On(r)
	if err != nil {
		return nil, err
	}
	n := r.Network()
	b := &bubbled{Rings: rings, flow: f, n: n, next: make([]model.VCID, n.NumLinkVCs()), each: 1}
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

// subject returns the flow control in the form of verify/cert.
func (b *bubbled) subject() *cert.Bubbles {
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

// decideByBubbles decides deadlock-free. accepted reports whether the checker accepts evidence.
func decideByBubbles(ctx context.Context, rep *Report, accepted func(cert.Claim) bool) (cert.Claim, error) {
	b, claim := rep.bubbled, &rep.DeadlockFree
	claim.Premises = append(claim.Premises, b.flow.Premises()...)
	evidence := cert.Claim{Claim: cert.ClaimDeadlockFree, Verdict: cert.Proved, Evidence: cert.EvidenceBubble}
	ranks, err := b.rank(ctx, rep)
	if err != nil {
		return cert.Claim{}, err
	}
	if evidence.Ranks = (*cert.Ints)(&ranks); ranks != nil && accepted(evidence) {
		claim.Theorem = b.theorem(rep)
		rep.Ranks = ranks
		return evidence, nil
	}
	run, err := b.findRun(ctx, rep.Relation, func(x *bubbleRun) bool { return accepted(x.claim()) })
	if err != nil {
		return cert.Claim{}, err
	}
	if run == nil {
		claim.Verdict, claim.Reason = Undecided, b.whyUndecided()
		return cert.Claim{}, nil
	}
	claim.Verdict, claim.Theorem = Refuted, theoremBubbleRun
	rep.Configuration, rep.Holds = run.frozen()
	rep.Run = &Run{run.packets, run.moves}
	claim.Reason = fmt.Sprintf("a run of %d moves from empty buffers ends with %d packets that can never move", len(run.moves), run.left())
	if len(rep.Configuration) == 1 && run.left() == 1 {
		claim.Reason = "a packet that no other packet is before can never enter a ring"
	}
	return run.claim(), nil
}

// theorem returns the theorem of a proof by ranks.
func (b *bubbled) theorem(rep *Report) string {
	switch {
	case rep.Acyclic.Verdict == Proved:
		return theoremAcyclic
	case len(b.List) == 0:
		return theoremElimination
	case len(b.off) > 0 || b.flow.Rule.Assumed(b.flow.Packet) != b.flow.Packet:
		return theoremFill
	}
	return theoremBubble
}

// whyUndecided returns the reason for which no proof is known.
func (b *bubbled) whyUndecided() string {
	switch {
	case b.Other > 0:
		return fmt.Sprintf("%d virtual channels depend on each other in no ring, so flow control does not protect them; "+
			"no run into a deadlock was found", b.Other)
	case len(b.off) > 0:
		return fmt.Sprintf("%d entries to rings are off, and no run into a deadlock was found", len(b.off))
	}
	return "the rings depend on each other, or their buffers are too small, and no run into a deadlock was found"
}

// rank returns ranks by VC, or nil if a VC is left.
func (b *bubbled) rank(ctx context.Context, rep *Report) ([]int32, error) {
	w, err := waits.Collect(ctx, rep.Relation, nil, func() {})
	if err != nil {
		return nil, err
	}
	n := b.n.NumLinkVCs()
	part := make([]int, n) // by VC: its ring, or a number of its own
	for v := range part {
		if part[v] = len(b.List) + v; b.Of(model.VCID(v)) >= 0 {
			part[v] = int(b.Of(model.VCID(v)))
		}
	}
	blocked := make([]int, len(b.List)+n)     // by part: waits without a good hop
	wanted := make([][]int, len(b.List)+n)    // by part: the waits that it helps
	missing := make([]int, len(w.At))         // by wait: hops that are not good yet, of those that must be
	isWorm := b.flow.Rule.Kind == bubble.Worm // every hop must be good
	for i, v := range w.At {
		blocked[part[v]]++
		missing[i] = 1
		if isWorm {
			missing[i] = len(w.Next[i])
		}
		for _, o := range w.Next[i] {
			switch {
			case !b.n.IsLinkVC(o):
				return nil, fmt.Errorf("internal error: a wait for an ejection channel")
			case o == b.next[v]:
				missing[i]--
			default:
				wanted[part[o]] = append(wanted[part[o]], i)
			}
		}
		if missing[i] <= 0 {
			blocked[part[v]]--
		}
	}
	var order []int
	for p := range blocked {
		if blocked[p] == 0 && (p < len(b.List) || part[p-len(b.List)] == p) {
			order = append(order, p)
		}
	}
	for k := 0; k < len(order); k++ {
		for _, i := range wanted[order[k]] {
			if missing[i]--; missing[i] != 0 {
				continue
			}
			p := part[w.At[i]]
			if blocked[p]--; blocked[p] == 0 {
				order = append(order, p)
			}
		}
	}
	rankOf := make([]int, len(blocked))
	for p := range rankOf {
		rankOf[p] = -1
	}
	for k, p := range order {
		rankOf[p] = len(order) - 1 - k
	}
	ranks := make([]int32, n)
	for v, p := range part {
		if rankOf[p] < 0 {
			return nil, nil
		}
		ranks[v] = int32(rankOf[p])
	}
	return ranks, nil
}
