package gates

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/internal/encode"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/gate"
	"github.com/turnproof/turnproof/verify/cert"
)

// This file builds a deadlock of a routing with gates from the VCs that the rounds do not
// exclude.
//
// Method: remove VCs one by one while some VC still cannot be excluded. Then fill each
// remaining VC with packets in one of three ways, in this order. (1) A packet enters through a
// closed gate, and its head has passed on and arrived; only for VCs that nothing else can
// fill. (2) Whole packets wait. (3) A packet leaves through a closed gate, with other
// packets behind it. The checker judges the whole configuration. If the parts do not
// fit together, there is no verdict.

// configuration is a list of packets, and the flits of each by place of its path.
type configuration struct {
	packets []*cdg.Packet
	flits   [][]int
}

// Limits: orders of removal that are tried, and VCs that each order tries to remove.
const (
	orders      = 8
	shrinkTries = 4096
)

// configure returns a configuration that accepted accepts. If the parts never fit together,
// it returns nil.
func (g *subject) configure(ctx context.Context, rel model.Relation, accepted func(*configuration) bool) (*configuration, error) {
	g.building = true
	random := rand.New(rand.NewPCG(1, 1))
	order := make([]int, g.size)
	for i := range order {
		order[i] = i
	}
	for _, way := range []struct {
		direct bool
		vcs    gate.VCs
	}{{true, gate.Own}, {true, g.sizes.Rule.VCs}, {false, g.sizes.Rule.VCs}} {
		if way.vcs == gate.Own && g.sizes.Rule.VCs == gate.All {
			continue // a gate that its own bit closes may need all bits
		}
		g.direct, g.vcs = way.direct, way.vcs
		all := g.exclude(nil, nil)
		for range orders {
			if all.countLeft() == 0 {
				break
			}
			r, err := g.shrink(ctx, all, order)
			if err != nil {
				return nil, err
			}
			for _, few := range []bool{false, true} {
				if c := g.build(rel, r, few); c != nil && accepted(c) {
					return c, nil
				}
			}
			random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		}
	}
	return nil, nil
}

// shrink removes VCs in the given order while some VC is left after the rounds.
func (g *subject) shrink(ctx context.Context, r *exclusion, order []int) (*exclusion, error) {
	tries := 0
	for _, v := range order {
		if !r.taken[v] || tries == shrinkTries {
			continue
		}
		tries++
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		only := slices.Clone(r.taken)
		only[v] = false
		if less := g.exclude(only, r.set); less.countLeft() > 0 {
			r = less
		}
	}
	return r, nil
}

// build fills the VCs that are left in r. If the parts do not fit together, it returns nil. If few is
// true, it puts no more packets behind a leaving packet than the bit requires.
func (g *subject) build(rel model.Relation, r *exclusion, few bool) *configuration {
	for r.countLeft() > 0 {
		b := &builder{subject: g, rel: rel, r: r, few: few, c: &configuration{}, by: make([]occupancy, g.n.NumVCs()),
			arriving: map[model.HostID]int{}}
		for _, w := range b.passingVCs() {
			if b.by[w] == unoccupied {
				b.fillEntering(w)
			}
		}
		for _, build := range []func(v model.VCID) bool{b.fillWaiting, b.fillLeaving} {
			for v := range model.VCID(g.size) {
				if r.taken[v] && b.by[v] == unoccupied {
					build(v)
				}
			}
		}
		taken, set, fits := b.result()
		if fits {
			return b.c
		}
		r = g.exclude(taken, set) // the rounds without the VCs that could not be filled
	}
	return nil
}

// result returns by VC which are taken and which bits are set, and whether these are all that
// r requires.
func (b *builder) result() (taken, set []bool, fits bool) {
	nearly := b.sizes.Buffer - b.sizes.Rule.Level
	passing := b.takenSlots(b.leavingFlits())
	taken, set, fits = make([]bool, b.size), make([]bool, b.size), true
	for v := range taken {
		by := b.by[v]
		if by == waiting && !b.isSupported(model.VCID(v)) {
			by = unoccupied
		}
		taken[v] = b.r.taken[v] && (by == waiting || by == leaving)
		set[v] = b.r.set[v] && (by == waiting && b.whole >= nearly || by == leaving && passing >= nearly)
		fits = fits && taken[v] == b.r.taken[v] && set[v] == b.r.set[v]
	}
	return taken, set, fits
}

// occupancy says which packets fill a VC.
type occupancy uint8

const (
	unoccupied occupancy = iota
	entering             // a packet that enters
	waiting              // whole packets
	leaving              // a packet that leaves, and those behind it
)

type builder struct {
	*subject
	rel      model.Relation
	r        *exclusion
	few      bool
	c        *configuration
	by       []occupancy
	arriving map[model.HostID]int // by host: number of partly arrived packets
}

// blockedWait returns a wait on v whose hops are all blocked, with the shortest path, or -1.
func (b *builder) blockedWait(v model.VCID) int {
	best := -1
	for i, at := range b.At {
		if at == v && (best < 0 || len(b.Packet[i].Path) < len(b.Packet[best].Path)) && b.isBlocked(b.r, i) {
			best = i
		}
	}
	return best
}

// passingVCs returns the VCs that waiting packets need occupied, although no packet stays on them.
func (b *builder) passingVCs() (list []model.VCID) {
	for v := range model.VCID(b.size) {
		if i := b.blockedWait(v); b.r.taken[v] && i >= 0 {
			for j, w := range b.Next[i] {
				if !b.r.taken[w] && !(b.gated[i][j] && b.r.closed[w]) {
					list = append(list, w)
				}
			}
		}
	}
	return list
}

// isSupported reports whether each VC that packets on v wait for is occupied or behind a closed gate.
func (b *builder) isSupported(v model.VCID) bool {
	i := b.blockedWait(v)
	for j, w := range b.Next[i] {
		if b.by[w] == unoccupied && !(b.gated[i][j] && b.r.closed[w]) {
			return false
		}
	}
	return true
}

// fillEntering fills v with a packet that enters. It reports whether this was possible.
func (b *builder) fillEntering(v model.VCID) bool {
	for _, direct := range []bool{true, false} {
		for i := range b.hops {
			h := &b.hops[i]
			if !b.r.closedIfEmpty[h.out] || direct && (h.out != v || !h.arrives) || !direct && !b.hasEntry(v, h.out) {
				continue
			}
			if b.addPassing(h, v) {
				return true
			}
		}
	}
	return false
}

// hasEntry reports whether packets that passed the gate of w enter v.
func (b *builder) hasEntry(v, w model.VCID) bool {
	return slices.ContainsFunc(b.entries[v], func(e entry) bool {
		return slices.ContainsFunc(e.passages, func(k int32) bool { return b.passages[k].gate == w })
	})
}

// fillWaiting fills v with whole packets. It reports whether this was possible.
func (b *builder) fillWaiting(v model.VCID) bool {
	i := b.blockedWait(v)
	if i < 0 {
		return false
	}
	for range b.sizes.Buffer / b.sizes.Packet {
		b.addWhole(b.Packet[i])
	}
	b.by[v] = waiting
	return true
}

// fillLeaving fills v with a packet that leaves. It reports whether this was possible.
func (b *builder) fillLeaving(v model.VCID) bool {
	for i := range b.hops {
		if h := &b.hops[i]; h.in == v && b.r.closedIfEmpty[h.out] && b.addPassing(h, h.out) {
			return true
		}
	}
	return false
}

// addWhole adds a packet all of whose flits are at the end of its path.
func (b *builder) addWhole(p *cdg.Packet) {
	flits := make([]int, len(p.Path))
	flits[len(flits)-1] = b.sizes.Packet
	b.c.packets, b.c.flits = append(b.c.packets, p), append(b.c.flits, flits)
}

// addPassing adds a packet that is stopped within hop h, has passed VC over and arrived, and
// packets behind it. If its path is occupied, it returns false.
func (b *builder) addPassing(h *gatedHop, over model.VCID) bool {
	to := b.rel.DestinationHost(h.packet.Dest)
	if b.by[h.in] != unoccupied || b.arriving[to] == b.n.VCs() {
		return false
	}
	path, ok := b.extendPath(h.packet, over)
	if !ok {
		return false
	}
	tail := len(h.packet.Path) - 2
	for _, s := range path[tail+1 : len(path)-1] {
		if b.by[s.VC] != unoccupied {
			return false
		}
	}
	for _, s := range path[tail+1 : len(path)-1] {
		b.by[s.VC] = entering
	}
	b.arriving[to]++
	first, behind := b.sizes.Packet-1, 0 // flits in front of the gate
	if b.by[h.in] = leaving; b.n.IsLinkVC(h.in) {
		first, behind = b.leavingFlits()
	}
	flits := make([]int, len(path))
	flits[tail] = first
	b.c.packets = append(b.c.packets, &cdg.Packet{Source: h.packet.Source, Dest: h.packet.Dest, Path: path})
	b.c.flits = append(b.c.flits, flits)
	for range behind {
		b.addWhole(&cdg.Packet{Source: h.packet.Source, Dest: h.packet.Dest, Path: path[:tail+1]})
	}
	return true
}

// leavingFlits returns how many flits of a leaving packet are left in its VC, and how many
// packets are behind it: as many as fit or, if b.few, as few as set the bit.
func (b *builder) leavingFlits() (first, behind int) {
	most, nearly := 0, b.sizes.Buffer-b.sizes.Rule.Level
	for k := 1; k < b.sizes.Packet; k++ {
		if b.few && b.takenSlots(k, 0) >= nearly {
			return k, 0
		}
		if n := (b.sizes.Buffer - k) / b.sizes.Packet; k+n*b.sizes.Packet > most {
			most, first, behind = k+n*b.sizes.Packet, k, n
		}
	}
	return first, behind
}

// takenSlots returns the slots taken by the first flits and the packets behind them.
func (b *builder) takenSlots(first, behind int) int {
	if b.sizes.Rule.Buffer == gate.Reserved {
		first = b.sizes.Packet
	}
	return first + behind*b.sizes.Packet
}

// extendPath extends the path of p by a shortest path over VC over to its destination. If there
// is none, it returns false.
func (b *builder) extendPath(p *cdg.Packet, over model.VCID) ([]model.State, bool) {
	type place struct {
		s    model.State
		over bool
		from int
	}
	last := p.Path[len(p.Path)-1]
	queue := []place{{last, last.VC == over, -1}}
	seen := map[place]bool{}
	for at := 0; at < len(queue); at++ {
		x := queue[at]
		if c, _ := b.n.Channel(x.s.VC); b.n.Kind(c) == model.Eject {
			if !x.over || b.n.HostOf(c) != b.rel.DestinationHost(p.Dest) {
				continue
			}
			var rest []model.State
			for i := at; i > 0; i = queue[i].from {
				rest = append(rest, queue[i].s)
			}
			slices.Reverse(rest)
			return append(slices.Clone(p.Path), rest...), true
		}
		for _, h := range b.rel.Next(x.s, nil) {
			next := place{model.State{VC: h.VC, Dest: p.Dest, Class: h.Class}, x.over || h.VC == over, 0}
			if !seen[next] {
				seen[next] = true
				next.from = at
				queue = append(queue, next)
			}
		}
	}
	return nil, false
}

// claim returns the configuration as a claim for the checker.
func (c *configuration) claim() cert.Claim {
	var flits cert.Ints
	for _, list := range c.flits {
		for _, k := range list {
			flits = append(flits, int32(k))
		}
	}
	return cert.Claim{Claim: cert.ClaimDeadlockFree, Verdict: cert.Refuted, Evidence: cert.EvidenceGatedConfiguration,
		Packets: encode.Packets(c.packets), Flits: &flits}
}
