package verify

import (
	"context"
	"fmt"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/gate"
	"github.com/turnproof/turnproof/verify/cert"
)

// This file decides deadlock freedom of routings with gates, under virtual cut-through.
//
// A packet then waits for a VC and, where the hop has a gate, for the buffers ahead: for
// any of its hops, and for both at each. The greatest set of VCs that stay taken and of
// bits that stay set is found by excluding what cannot, round by round; where nothing
// is left there is no deadlock, and the rounds are the evidence. The rules, and why they
// suffice, stand in verify/cert/gates.go.
//
// Source: the blocking rule is that of fixpoint.go (Duato, IEEE TPDS 7(8), 1996) with
// waiting for all of a set beside waiting for any; the question is that of T. Yokota,
// K. Ohkawa, K. Ootsu and T. Baba, flow limiting against congestion, section 4.4.
// Cost: O(reachable states x hops) once, then so much for each round as there are
// different ways to wait; by flit also a set of VCs for each state of a destination.

// Gating is a rule with the sizes that its effect depends on.
type Gating struct {
	Rule   gate.Rule
	Packet int // flits of every packet
	Buffer int // flits that fit into a buffer
}

// rounds is what is excluded, and when.
type rounds struct {
	taken, set   []bool   // by VC, not excluded yet: its first packet stands still, its buffer is nearly full
	held         []holder // by VC: packets pass through it
	kept         []holder // by endpoint: packets half of which have arrived keep its ejection channel
	ranks, clear []int32  // by VC: the round in which it was
	closed       []bool   // by VC: the gate before it, in the last round
	shut         []bool   // the same if the VC is empty and slots are not reserved
}

// holder is from which VC a packet that passes through comes.
type holder struct {
	from model.VCID
	any  bool // one does
	more bool // and another from another VC
}

// except reports whether one does that comes from another VC than v.
func (h holder) except(v model.VCID) bool { return h.more || h.any && h.from != v }

func (h *holder) add(from model.VCID) {
	switch {
	case !h.any:
		h.from, h.any = from, true
	case h.from != from:
		h.more = true
	}
}

// exclude excludes, round by round, what cannot be taken or set for ever, if only VCs of
// a set may be taken, and bits of another be set; nil: all.
func (g *gatedWaits) exclude(only, bits []bool) *rounds {
	r := &rounds{taken: make([]bool, g.size), set: make([]bool, g.size), ranks: make([]int32, g.size), clear: make([]int32, g.size), held: make([]holder, g.size), kept: make([]holder, g.n.NumEndpoints()), closed: make([]bool, g.size), shut: make([]bool, g.size)}
	for v := range r.taken {
		r.taken[v] = only == nil || only[v]
		r.set[v] = r.taken[v] && (bits == nil || bits[v])
	}
	for k := int32(1); g.round(r, k); k++ {
	}
	return r
}

// round does a round, and reports whether anything was excluded.
func (g *gatedWaits) round(r *rounds, k int32) (more bool) {
	shut := make([]uint64, (g.size+63)/64)
	for w := range r.closed {
		r.closed[w] = g.closed(model.VCID(w), r.set, false)
		if r.shut[w] = r.closed[w] && g.closed(model.VCID(w), r.set, g.o.Rule.Buffer == gate.Stored); r.shut[w] {
			shut[w>>6] |= 1 << (w & 63)
		}
	}
	waits, stops := make([]bool, g.size), make([]bool, g.size)
	clear(r.held)
	for _, h := range g.half {
		if g.n.IsLinkVC(h.in) && (r.shut[h.out] && h.arrives || r.closed[h.out] && !g.direct) {
			stops[h.in] = true
		}
		if h.arrives && r.shut[h.out] {
			r.held[h.out].add(h.in)
		}
	}
	if !g.direct {
		keep(r.held, g.above, shut)
	}
	clear(r.kept)
	if !g.building {
		keep(r.kept, g.home, shut)
	}
	for i, v := range g.at {
		waits[v] = waits[v] || g.blocked(r, i)
	}
	nearly := g.o.Buffer - g.o.Rule.Level
	for v := range r.taken {
		taken := waits[v] || stops[v]
		set := waits[v] && g.whole >= nearly || g.passing >= nearly && (stops[v] || r.held[v].any && g.o.Rule.Buffer == gate.Reserved)
		if r.taken[v] && !taken {
			r.taken[v], r.ranks[v], more = false, k, true
		}
		if r.set[v] && !set {
			r.set[v], r.clear[v], more = false, k, true
		}
	}
	return more
}

// keep notes from where packets come that are held before gates that are shut.
func keep(holders []holder, entries [][]entry, shut []uint64) {
	for v, list := range entries {
		for _, e := range list {
			for i, word := range e.gates {
				if word&shut[i] != 0 {
					holders[v].add(e.from)
					break
				}
			}
		}
	}
}

// blocked reports whether way i to wait has no hop that helps.
func (g *gatedWaits) blocked(r *rounds, i int) bool {
	for j, w := range g.next[i] {
		if c, _ := g.n.Channel(w); !g.n.IsLinkVC(w) {
			if g.building || !r.kept[g.n.HostOf(c)].except(g.at[i]) {
				return false
			}
			continue
		}
		if !r.taken[w] && !r.held[w].except(g.at[i]) && !(g.gated[i][j] && r.closed[w]) {
			return false
		}
	}
	return true
}

// closed reports whether the gate before a VC is closed by the bits set; the VC itself
// may be empty.
func (g *gatedWaits) closed(w model.VCID, set []bool, empty bool) bool {
	c, index := g.n.Channel(w)
	info := uint64(0)
	for i := 0; i < len(g.gates.Weights) && c != model.NoChannel; i++ {
		count, own := 0, false
		for k := range g.n.VCs() {
			if v := g.n.VC(c, k); set[v] && !(empty && v == w) {
				count++
				own = own || k == index
			}
		}
		switch g.vcs {
		case gate.Any:
			own = count > 0
		case gate.All:
			own = count == g.n.VCs()
		}
		if own {
			info |= 1 << i
		}
		c = g.gates.Ahead(c)
	}
	return g.gates.Closed(info)
}

// left counts the VCs that a deadlock may consist of.
func (r *rounds) left() (count int) {
	for v := range r.taken {
		if r.taken[v] || r.set[v] {
			count++
		}
	}
	return count
}

// byGates decides a routing with gates.
func byGates(ctx context.Context, rep *Report, o *Gating, accepted func(cert.Claim) bool) (cert.Claim, error) {
	claim := &rep.DeadlockFree
	g, err := collectGated(ctx, rep.Relation, o)
	if err != nil {
		return cert.Claim{}, err
	}
	r := g.exclude(nil, nil)
	claim.Premises = append(claim.Premises, fmt.Sprintf("all packets have %d flits, and a buffer has room for %d", o.Packet, o.Buffer))
	if r.left() == 0 {
		claim.Theorem = theoremGatedOrder
		claim.Premises = append(claim.Premises, "control information arrives in finite time, and a gate that nothing blocked for ever keeps closed opens while a packet waits")
		return cert.Claim{Evidence: cert.EvidenceGatedOrder, Ranks: (*cert.Ints)(&r.ranks), Clear: (*cert.Ints)(&r.clear)}, nil
	}
	config, err := g.configuration(ctx, rep.Relation, func(c *gatedConfiguration) bool {
		return c.order(g) && accepted(c.claim())
	})
	if err != nil {
		return cert.Claim{}, err
	}
	if config == nil {
		claim.Verdict = Undecided
		claim.Reason = fmt.Sprintf("%d virtual channels may be blocked for ever, but no configuration was found in which they are and which packets can get into", r.left())
		return cert.Claim{}, nil
	}
	claim.Verdict, claim.Theorem = Refuted, theoremGatedConfiguration
	claim.Premises = append(claim.Premises, "a packet may stay where it is while others come")
	claim.Reason = fmt.Sprintf("%d packets can stand so that none of their flits can move", len(config.packets))
	rep.Configuration, rep.Flits = config.packets, config.flits
	return config.claim(), nil
}

// claim writes a configuration down for the checker.
func (c *gatedConfiguration) claim() cert.Claim {
	var flits cert.Ints
	for _, list := range c.flits {
		for _, k := range list {
			flits = append(flits, int32(k))
		}
	}
	return cert.Claim{Claim: cert.ClaimDeadlockFree, Verdict: cert.Refuted, Evidence: cert.EvidenceGatedConfiguration, Packets: packets(c.packets), Flits: &flits}
}
