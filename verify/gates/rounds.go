package gates

import (
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/gate"
)

// This file excludes, in rounds, VCs that cannot stay taken for ever and bits that cannot stay set for ever.
//
// The rounds start with all VCs taken and all gate bits set. If nothing is left, no deadlock exists, and the rounds are
// the evidence. Package verify/cert/gates has the rules and their proof.
//
// Cost: O(different waits) for each round.

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
func (g *subject) exclude(only, bits []bool) *exclusion {
	r := &exclusion{taken: make([]bool, g.size), set: make([]bool, g.size), ranks: make([]int32, g.size), clear: make([]int32, g.size),
		passing: make([]origins, g.size), arriving: make([][]model.VCID, g.n.NumEndpoints()), closed: make([]bool, g.size), closedIfEmpty: make([]bool, g.size)}
	for v := range r.taken {
		r.taken[v] = only == nil || only[v]
		r.set[v] = r.taken[v] && !g.counted && (bits == nil || bits[v])
	}
	for k := int32(1); g.runRound(r, k); k++ {
	}
	return r
}

// runRound runs round k and reports whether it excluded anything.
func (g *subject) runRound(r *exclusion, k int32) (more bool) {
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
func (g *subject) isBlocked(r *exclusion, i int) bool {
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
func (g *subject) isKept(from []model.VCID, v model.VCID) bool {
	others := len(from)
	if slices.Contains(from, v) {
		others--
	}
	return others >= g.n.VCs()
}

// isClosed reports whether the set bits close the gate of VC w. Bits of VCs that are among the empty ones, as in passage, do
// not count.
func (g *subject) isClosed(w model.VCID, set []bool, empty uint64) bool {
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
