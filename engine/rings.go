package engine

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/bubble"
)

// This file keeps rings of VCs from filling up: a packet enters a ring only if room for another one is left.
//
// Method: package bubble finds the rings and their entries. An entry needs room for two packets in the next
// buffer (bubble), or a number of packets in the ring (critical-bubble, worm-bubble). A packet counts from
// the clock in which it gets a VC of the ring until it gets a VC outside of the ring; a worm until its tail has left the
// VCs of the ring that it entered there. So a worm that enters a ring again counts twice until then: a switch counts
// entries, and does not know which worm comes. Every switch knows these numbers at once. A head that the rule
// holds back asks again in each clock.

// rings is the state of the flow control.
type rings struct {
	*bubble.Rings
	limits bubble.Limits
	ring   []int32 // by VC: its ring, or -1
	count  []int32 // by ring: the packets in it
	worms  bool
}

// newRings returns the flow control of s, or nil.
func newRings(s *kernel) (mechanism, error) {
	rule := s.o.Flow
	if rule == nil {
		return nil, nil
	}
	if !rule.Takes(s.o.Switching) {
		return nil, fmt.Errorf("engine: %s needs %s switching, got %s", rule.Kind, rule.Switching(), s.o.Switching)
	}
	r := s.rel
	if s.o.Permitted != nil {
		r = s.o.Permitted
	}
	found, err := rule.On(r)
	if err != nil {
		return nil, fmt.Errorf("engine: %w", err)
	}
	x := &rings{Rings: found, ring: make([]int32, len(s.vc)), count: make([]int32, len(found.List)),
		worms: rule.Kind == bubble.Worm}
	x.limits = found.Limits(s.o.MaxFlits, func(v model.VCID) int { return int(s.buffer[s.vc[s.ofModel(v)].in]) })
	for v := range x.ring {
		x.ring[v] = x.Of(s.modelVC(int32(v)))
	}
	return x, nil
}

// guards reports whether the rule applies to the hop from v to w.
func (x *rings) guards(s *kernel, v, w int32) bool {
	return x.ring[w] >= 0 && x.ring[w] != x.ring[v] && x.IsGuarded(s.modelVC(v), s.modelVC(w))
}

// admits implements closer: it reports whether the rule lets the head of v have w now.
func (x *rings) admits(s *kernel, v, w int32) bool {
	if !x.guards(s, v, w) {
		return true
	}
	if !x.worms && int(s.vc[w].credits) < x.limits.Room {
		return false
	}
	r := x.ring[w]
	return int(x.count[r]) <= x.limits.Most[r]
}

// open implements closer.
func (x *rings) open(s *kernel, v, o int32, mask uint64) uint64 {
	for m := mask; m != 0; m &= m - 1 {
		if i := bits.TrailingZeros64(m); !x.admits(s, v, o*int32(s.vcs)+int32(i)) {
			mask &^= 1 << i
		}
	}
	return mask
}

// grant implements granter: it counts the packet of v, which gets w.
func (x *rings) grant(_ *kernel, v int32, _ *vc, w int32) {
	from, to := x.ring[v], x.ring[w]
	if from == to {
		return
	}
	if to >= 0 {
		x.count[to]++
	}
	if from >= 0 && !x.worms {
		x.count[from]--
	}
}

// tail implements tailer: it counts a worm, whose tail leaves v.
func (x *rings) tail(_ *kernel, v int32, y *vc) {
	if from := x.ring[v]; from >= 0 && x.worms && x.ring[y.target] != from {
		x.count[from]--
	}
}

// drop implements dropper.
func (x *rings) drop(_ *kernel, v int32, y *vc) {
	if from := x.ring[v]; from >= 0 && y.left == 0 {
		x.count[from]--
	}
}

// place implements placer.
func (x *rings) place(s *kernel, list []Placed) {
	for i := range list {
		p, last := &list[i], int32(-1)
		for k, v := range p.On {
			r := x.ring[s.ofModel(v)]
			if r >= 0 && r != last && (x.worms || k == len(p.On)-1 && !p.Arrived) {
				x.count[r]++
			}
			last = r
		}
	}
}

// recount implements checker: it compares the numbers of packets in rings with the packets there. A packet counts at the foremost VC of
// those that it holds one after the other in a ring.
func (x *rings) recount(s *kernel, bad func(string, ...any)) {
	there := make([]int32, len(x.count))
	for v := range int32(len(s.vc)) {
		y := &s.vc[v]
		for i := range y.packets {
			granted := i == 0 && (y.state == active || y.state == ending) && y.target >= 0
			to := int32(-1)
			if granted {
				to = x.ring[y.target]
			}
			r := x.ring[v]
			if granted && y.fresh && to >= 0 && to != r {
				there[to]++
			}
			left := granted && to != r && (!x.worms || y.state == ending)
			if r >= 0 && !left && (to != r || y.fresh) {
				there[r]++
			}
		}
	}
	for r, k := range there {
		if s.o.Timing != Paper && k != x.count[r] {
			bad("ring %d has %d packets, %d are counted", r, k, x.count[r])
		}
	}
}

func (x *rings) clone() mechanism {
	y := *x
	y.count = slices.Clone(x.count)
	return &y
}

// frozenRings says what flow control refuses in a deadlock.
type frozenRings struct {
	noObstacle
	*rings
	r *reduction
}

// freeze implements freezer.
func (x *rings) freeze(r *reduction) obstacle { return &frozenRings{rings: x, r: r} }

// admits implements obstacle: it reports whether flow control lets the head of v have w once the removed packets are gone.
func (x *frozenRings) admits(v, w int32) bool {
	r := x.r
	if !x.guards(r.kernel, v, w) {
		return true
	}
	if !x.worms && !r.hasRoom(w, int32(x.limits.Room)) {
		return false
	}
	inside := 0
	for i := range r.all {
		if y := &r.all[i]; !y.gone {
			inside += x.countIn(y, x.ring[w])
		}
	}
	return inside <= x.limits.Most[x.ring[w]]
}

// countIn returns how often packet y counts for a ring: once, or for a worm once for each of its entries whose VCs still
// have flits of it.
func (x *frozenRings) countIn(y *standing, ring int32) (count int) {
	r, on, last := x.r, y.on, int32(-1)
	if v := &r.vc[y.head()]; v.state == active && v.fresh && r.front(y.head()) == y.p {
		on = append(on[:len(on):len(on)], v.target)
	}
	for i, v := range on {
		isHeld := i == len(on)-1 || x.worms && y.upTo(i) > 0
		if isHeld && x.ring[v] == ring && last != ring {
			count++
		}
		last = x.ring[v]
		if !isHeld {
			last = -1
		}
	}
	return count
}
