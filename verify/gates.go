package verify

import (
	"context"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/gate"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/encode"
)

// This file decides deadlock freedom of routings with gates under virtual cut-through.
//
// A packet waits for a VC and, if the hop has a gate, also for the buffers ahead. One of
// its next hops suffices, but that hop needs both. The algorithm starts with all VCs taken
// and all gate bits set. In each round it excludes the VCs that cannot stay taken for ever and the
// bits that cannot stay set for ever. If nothing is left, no deadlock exists, and the rounds are
// the evidence. Package verify/cert/gates has the rules and their proof.
//
// Sources: the blocking rule extends that of package waits (J. Duato, IEEE Transactions on
// Parallel and Distributed Systems 7(8), 1996) by waits for all VCs of a set. The gates are
// those of T. Yokota, K. Ohkawa, K. Ootsu and T. Baba, flow limiting, section 4.4.
// Cost: O(reachable states × hops) once, then O(different waits) for each round. With
// gates by flit also a set of VCs for each state of a destination.

// Gating is a gate rule with the sizes of packets and buffers.
type Gating struct {
	Rule   gate.Rule
	Packet int // flits of every packet
	Buffer int // flits that fit into a buffer
}

// exclusion is the state of the rounds.
type exclusion struct {
	taken, set    []bool         // by VC, not excluded yet: its first packet is stopped; its buffer is nearly full
	passing       []origins      // by VC: origins of packets that pass through it
	arriving      [][]model.VCID // by endpoint: origins of partly arrived packets that keep its ejection channel
	ranks, clear  []int32        // by VC: the round that excluded it
	closed        []bool         // by VC: its gate is closed in the last round
	closedIfEmpty []bool         // by VC: its gate is closed even if a packet passes through it
}

// origins is a set of VCs from which packets come, as far as the rules need it.
type origins struct {
	from     model.VCID
	hasOne   bool // the set is not empty; from is in it
	hasOther bool // the set has a VC other than from
}

// includesOther reports whether the set has a VC other than v.
func (h origins) includesOther(v model.VCID) bool { return h.hasOther || h.hasOne && h.from != v }

func (h *origins) add(from model.VCID) {
	switch {
	case !h.hasOne:
		h.from, h.hasOne = from, true
	case h.from != from:
		h.hasOther = true
	}
}

// exclude runs all rounds. Only the VCs in only may be taken, and only their bits in bits may be
// set. If only or bits is nil, all are allowed.
func (g *gatedWaits) exclude(only, bits []bool) *exclusion {
	r := &exclusion{taken: make([]bool, g.size), set: make([]bool, g.size), ranks: make([]int32, g.size), clear: make([]int32, g.size),
		passing: make([]origins, g.size), arriving: make([][]model.VCID, g.n.NumEndpoints()), closed: make([]bool, g.size), closedIfEmpty: make([]bool, g.size)}
	for v := range r.taken {
		r.taken[v] = only == nil || only[v]
		r.set[v] = r.taken[v] && (bits == nil || bits[v])
	}
	for k := int32(1); g.runRound(r, k); k++ {
	}
	return r
}

// runRound runs round k and reports whether it excluded anything.
func (g *gatedWaits) runRound(r *exclusion, k int32) (more bool) {
	for w := range r.closed {
		r.closed[w] = g.isClosed(model.VCID(w), r.set, 0)
		r.closedIfEmpty[w] = r.closed[w] && (!g.isEmptied() || g.isClosed(model.VCID(w), r.set, g.seen(model.VCID(w), model.VCID(w))))
	}
	isShut := g.closedPassages(r)
	waits, stops := make([]bool, g.size), make([]bool, g.size)
	clear(r.passing)
	for _, h := range g.hops {
		if g.n.IsLinkVC(h.in) && (r.closedIfEmpty[h.out] && h.arrives || r.closed[h.out] && !g.direct) {
			stops[h.in] = true
		}
		if h.arrives && r.closedIfEmpty[h.out] {
			r.passing[h.out].add(h.in)
		}
	}
	if !g.direct {
		findOrigins(g.entries, isShut, func(v int, from model.VCID) { r.passing[v].add(from) })
	}
	clear(r.arriving)
	if !g.building {
		findOrigins(g.ejectionEntries, isShut, func(h int, from model.VCID) { r.arriving[h] = append(r.arriving[h], from) })
	}
	for i, v := range g.At {
		waits[v] = waits[v] || g.isBlocked(r, i)
	}
	nearly := g.sizes.Buffer - g.sizes.Rule.Level
	for v := range r.taken {
		taken := waits[v] || stops[v]
		set := waits[v] && g.whole >= nearly || stops[v] && g.passing >= nearly ||
			r.passing[v].hasOne && g.sizes.Rule.Buffer == gate.Reserved && g.sizes.Packet >= nearly // a passing packet is alone
		if r.taken[v] && !taken {
			r.taken[v], r.ranks[v], more = false, k, true
		}
		if r.set[v] && !set {
			r.set[v], r.clear[v], more = false, k, true
		}
	}
	return more
}

// isBlocked reports whether each hop of wait i is blocked.
func (g *gatedWaits) isBlocked(r *exclusion, i int) bool {
	for j, w := range g.Next[i] {
		if c, _ := g.n.Channel(w); !g.n.IsLinkVC(w) {
			if g.building || !g.isKept(r.arriving[g.n.HostOf(c)], g.At[i]) {
				return false
			}
			continue
		}
		if !r.taken[w] && !r.passing[w].includesOther(g.At[i]) && !(g.gated[i][j] && r.closed[w]) {
			return false
		}
	}
	return true
}

// isKept reports whether packets from a list of VCs can keep all of an ejection channel from a packet on VC v. Two packets
// that wait at gates come from different VCs.
func (g *gatedWaits) isKept(from []model.VCID, v model.VCID) bool {
	others := len(from)
	if slices.Contains(from, v) {
		others--
	}
	return others >= g.n.VCs()
}

// isClosed reports whether the set bits close the gate of VC w. Bits of VCs that are among the empty ones, as in passage, do
// not count.
func (g *gatedWaits) isClosed(w model.VCID, set []bool, empty uint64) bool {
	c, index := g.n.Channel(w)
	info := uint64(0)
	for i := 0; i < len(g.gates.Weights) && c != model.NoChannel; i++ {
		count, own := 0, false
		for k := range g.n.VCs() {
			if at := i*g.n.VCs() + k; set[g.n.VC(c, k)] && (at >= 64 || empty>>at&1 == 0) {
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

// countLeft returns the number of VCs that are not excluded.
func (r *exclusion) countLeft() (count int) {
	for v := range r.taken {
		if r.taken[v] || r.set[v] {
			count++
		}
	}
	return count
}

// decideByGates decides deadlock-free for a routing with gates. accepted reports whether the
// checker accepts a refutation.
func decideByGates(ctx context.Context, rep *Report, o *Gating, accepted func(cert.Claim) bool) (cert.Claim, error) {
	claim := &rep.DeadlockFree
	g, err := collectGated(ctx, rep.Relation, o)
	if err != nil {
		return cert.Claim{}, err
	}
	r := g.exclude(nil, nil)
	claim.Premises = append(claim.Premises, fmt.Sprintf("all packets have %d flits, and a buffer has room for %d", o.Packet, o.Buffer))
	if r.countLeft() == 0 {
		claim.Theorem = theoremGatedOrder
		claim.Premises = append(claim.Premises, "control information arrives in finite time, and a gate that no blocked packet "+
			"keeps closed opens while a packet waits")
		return cert.Claim{Evidence: cert.EvidenceGatedOrder, Ranks: (*cert.Ints)(&r.ranks), Clear: (*cert.Ints)(&r.clear)}, nil
	}
	config, err := g.configuration(ctx, rep.Relation, func(c *gatedConfiguration) bool {
		return c.sortByArrival(g) && accepted(c.claim())
	})
	if err != nil {
		return cert.Claim{}, err
	}
	if config == nil {
		return decideByStates(ctx, rep, g, r)
	}
	claim.Verdict, claim.Theorem = Refuted, theoremGatedConfiguration
	claim.Premises = append(claim.Premises, "a packet may stay where it is while others arrive")
	claim.Reason = fmt.Sprintf("%d packets can be placed such that none of their flits can move", len(config.packets))
	rep.Configuration, rep.Flits = config.packets, config.flits
	return config.claim(), nil
}

// decideByStates decides by all states of the network, if they are few enough.
func decideByStates(ctx context.Context, rep *Report, g *gatedWaits, r *exclusion) (cert.Claim, error) {
	claim := &rep.DeadlockFree
	run, known, err := g.search(ctx, rep.Relation, r)
	switch {
	case err != nil:
		return cert.Claim{}, err
	case !known:
		claim.Verdict = Undecided
		claim.Reason = fmt.Sprintf("%d virtual channels may be blocked for ever, but no reachable configuration was found in which they are", r.countLeft())
		return cert.Claim{}, nil
	case run == nil:
		claim.Theorem = theoremGatedStates
		claim.Premises = append(claim.Premises, "a gate sees at once how full the buffers ahead are, and a flit leaves a "+
			"buffer and enters the next one at the same time")
		for v := range r.ranks {
			if r.taken[v] {
				r.ranks[v] = -1
			}
			if r.set[v] {
				r.clear[v] = -1
			}
		}
		return cert.Claim{Evidence: cert.EvidenceGatedStates, Ranks: (*cert.Ints)(&r.ranks), Clear: (*cert.Ints)(&r.clear)}, nil
	}
	run.sortByLastHop()
	claim.Verdict, claim.Theorem = Refuted, theoremGatedRun
	claim.Premises = append(claim.Premises, "a packet may stay where it is while others arrive")
	placed := fmt.Sprintf("%d packets such that none of their flits", len(run.packets))
	if len(run.packets) == 1 {
		placed = "1 packet such that none of its flits"
	}
	claim.Reason = fmt.Sprintf("%d moves of flits from the empty network place %s can move", len(run.moves)/2, placed)
	reached := true
	rep.Configuration, rep.Flits, rep.Reached = run.packets, run.flits, &reached
	return run.claim(), nil
}

// claim returns the configuration as a claim for the checker.
func (c *gatedConfiguration) claim() cert.Claim {
	var flits cert.Ints
	for _, list := range c.flits {
		for _, k := range list {
			flits = append(flits, int32(k))
		}
	}
	return cert.Claim{Claim: cert.ClaimDeadlockFree, Verdict: cert.Refuted, Evidence: cert.EvidenceGatedConfiguration,
		Packets: encode.Packets(c.packets), Flits: &flits}
}
