package bubbles

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file judges whether packets can fill a ring so that none of them can move in it.
//
// A packet waits in a state if no hop of the state leads to a greater rank, or with waiting one, if some hop leads to none.
// An entry is free if it is off, or if the rule
// leaves no slot by rule 3; such a packet costs 0, others cost 1. In a full ring the first packet of each VC waits.
//
// Bubble: the last slot of a ring goes to a packet that comes by a free entry. In a full ring this packet is the last one
// of its VC. If a VC holds one packet, it is also the first, and waits where it enters. If there is no VC for
// such a packet, or a VC in which no packet waits, then the ring cannot be full.
//
// Critical bubble and worm-bubble: of the packets in a full ring, the last one of cost 1 to enter found all others of cost 1
// in the ring. So the packets cost no more than the rule admits. If the packets of every full ring cost more, the
// ring cannot be full. Critical bubble: Buffer/Packet packets are in each VC. Worm-bubble: let no flit be able to
// move. Then the VCs of each worm in the ring are a tile: the worm fills Packet/Buffer VCs, rounded up, or
// all VCs back to its entry if these are fewer. Tiles cover the ring once.
//
// Cost: O(states × L) for the tiles and O(VCs of the ring × L²) for the least cost, L the VCs of the longest tile.

// mostTiling bounds the steps that the least cost of one ring may take.
const mostTiling = 1 << 26

// never is the cost of a tile that does not exist.
const never = 1 << 30

// tiling has the costs of packets in rings.
type tiling struct {
	b       *bubbled
	ranks   []int32
	isTight bool    // guarded entries of kind bubble need not leave a slot
	waits   [][]int // by VC: the least cost of a packet that waits there, by the number of VCs of the ring that it fills
	passes  []int   // by VC: the least cost of a packet that comes there
	enters  []int   // by VC: the same of a packet that enters the ring there
	stays   []int   // by VC: the same of a packet that enters the ring there and waits there
}

// newTiling finds the packets that can be in the rings.
func newTiling(b *bubbled, claim string, ranks []int32) (*tiling, error) {
	n := b.LinkVCs()
	t := &tiling{b: b, ranks: ranks, isTight: b.Kind == local && !b.leavesSlot(), waits: make([][]int, n)}
	for _, list := range []*[]int{&t.passes, &t.enters, &t.stays} {
		*list = slices.Repeat([]int{never}, n)
	}
	for r, ring := range b.members {
		longest := t.longest(r)
		if longest*longest > mostTiling/len(ring) {
			return nil, cert.Reject(claim, "ring %d has %d VCs, and worms fill %d: too many to judge", r, len(ring), longest)
		}
		for _, v := range ring {
			t.waits[v] = slices.Repeat([]int{never}, longest+1)
		}
	}
	for d := range b.destinations() {
		t.addPackets(d)
	}
	return t, nil
}

// longest returns the most VCs of ring r that a packet fills.
func (t *tiling) longest(r int) int { return min(t.b.each, len(t.b.members[r])) }

// placed is a state on a ring, the number of VCs of the ring that a packet fills there, and the cost of the packet.
type placed struct{ state, fills, cost int }

// addPackets adds the packets to a destination.
func (t *tiling) addPackets(d int) {
	b := t.b
	lo, hi := b.StatesTo(d)
	seen := map[placed]bool{}
	var list []placed
	visit := func(to cert.State, fills, cost int) {
		if p := (placed{b.Find(lo, hi, to), fills, cost}); p.state >= 0 && !seen[p] {
			seen[p] = true
			list = append(list, p)
		}
	}
	for i := lo; i < hi; i++ {
		v, hops := b.State(i).VC, b.Hops(i)
		for j := 0; j < len(hops); j += 2 {
			if !b.isEntry(v, hops[j]) {
				continue
			}
			cost := 0
			if b.isGuarded(v, hops[j]) && !t.isTight {
				cost = 1
			}
			to := cert.State{VC: hops[j], Class: hops[j+1]}
			visit(to, 1, cost)
			lower(&t.enters[to.VC], cost)
			if t.isWaiting(b.Find(lo, hi, to)) {
				lower(&t.stays[to.VC], cost)
			}
		}
	}
	for k := 0; k < len(list); k++ {
		p := list[k]
		v, hops := b.State(p.state).VC, b.Hops(p.state)
		lower(&t.passes[v], p.cost)
		if t.isWaiting(p.state) {
			lower(&t.waits[v][p.fills], p.cost)
		}
		for j := 0; j < len(hops); j += 2 {
			if w := hops[j]; int(w) < b.LinkVCs() && b.ring[w] == b.ring[v] {
				visit(cert.State{VC: w, Class: hops[j+1]}, min(p.fills+1, t.longest(int(b.ring[v]))), p.cost)
			}
		}
	}
}

func lower(x *int, to int) { *x = min(*x, to) }

// isWaiting reports whether a packet waits in state i.
func (t *tiling) isWaiting(i int) bool {
	v, hops := t.b.State(i).VC, t.b.Hops(i)
	rising := 0
	for j := 0; j < len(hops); j += 2 {
		if t.b.rises(v, hops[j], t.ranks) {
			rising += 2
		}
	}
	return rising == 0 && len(hops) > 0 || t.b.one && rising < len(hops)
}

// whyFull says how ring r can be full, or returns "".
func (t *tiling) whyFull(r int) string {
	cost, slots := 0, t.b.Buffer/t.b.Packet
	last := int32(-1)
	for _, v := range t.b.members[r] {
		cost = min(never, cost+t.waits[v][1]+min(never, (slots-1)*t.passes[v]))
		if slots > 1 && t.enters[v] == 0 || slots == 1 && t.stays[v] == 0 {
			last = v
		}
	}
	if t.b.Kind == worm {
		cost = t.least(r)
	}
	switch {
	case t.b.Kind == local && cost < never && last >= 0:
		return fmt.Sprintf("a packet that enters at VC %d may take its last slot", last)
	case t.b.Kind != local && cost <= t.b.most[r]+1:
		return fmt.Sprintf("packets may fill it, of which %d enter by the rule, which admits %d", cost, t.b.most[r]+1)
	}
	return ""
}

// least returns the least cost of tiles that cover ring r, or never.
func (t *tiling) least(r int) int {
	ring, longest := t.b.members[r], t.longest(r)
	m, best := len(ring), never
	sum := make([]int, m+1)               // by place: the least cost of tiles from place end to before it
	for end := 1; end <= longest; end++ { // the tile over place 0 ends before place end
		for p := range sum {
			sum[p] = never
		}
		sum[end] = 0
		for p := end; p < m; p++ {
			for fills := 1; fills <= longest && p+fills <= m; fills++ {
				sum[p+fills] = min(sum[p+fills], sum[p]+t.waits[ring[p+fills-1]][fills])
			}
		}
		for fills := end; fills <= longest; fills++ {
			if begin := m + end - fills; begin >= end {
				best = min(best, sum[begin]+t.waits[ring[end-1]][fills])
			}
		}
	}
	return best
}

// keepSlots judges rule 2: no ring can be full.
func (b *bubbled) keepSlots(claim string, ranks []int32) error {
	t, err := newTiling(b, claim, ranks)
	if err != nil {
		return err
	}
	for r := range b.members {
		if why := t.whyFull(r); why != "" {
			return cert.Reject(claim, "ring %d: %s", r, why)
		}
	}
	return nil
}
