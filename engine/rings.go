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
// ring. Every switch knows these numbers at once. A head that the rule holds back asks again in each clock.

// rings is the state of the flow control.
type rings struct {
	*bubble.Rings
	limits bubble.Limits
	ring   []int32 // by VC: its ring, or -1
	count  []int32 // by ring: the packets in it
	worms  bool
}

// newRings returns the flow control of s, or nil.
func newRings(s *Sim) (*rings, error) {
	rule := s.o.Flow
	if rule == nil {
		return nil, nil
	}
	if want := rule.Switching(); want != s.o.Switching {
		return nil, fmt.Errorf("engine: %s needs %s switching, got %s", rule.Kind, want, s.o.Switching)
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
func (x *rings) guards(s *Sim, v, w int32) bool {
	return x.ring[w] >= 0 && x.ring[w] != x.ring[v] && x.IsGuarded(s.modelVC(v), s.modelVC(w))
}

// admits reports whether the rule lets the head of v have w now.
func (x *rings) admits(s *Sim, v, w int32) bool {
	if !x.guards(s, v, w) {
		return true
	}
	if !x.worms && int(s.vc[w].credits) < x.limits.Room {
		return false
	}
	r := x.ring[w]
	return int(x.count[r]) <= x.limits.Most[r]
}

// closes removes from mask the VCs of port o that the rule does not let v have. It reports whether mask became
// empty.
func (x *rings) closes(s *Sim, v, o int32, mask *uint64) bool {
	if x == nil || *mask == 0 {
		return false
	}
	for m := *mask; m != 0; m &= m - 1 {
		if i := bits.TrailingZeros64(m); !x.admits(s, v, o*int32(s.vcs)+int32(i)) {
			*mask &^= 1 << i
		}
	}
	return *mask == 0
}

// take counts the packet of v, which gets w.
func (x *rings) take(v, w int32) {
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

// leave counts the packet of v, whose tail has left for w. If w is negative, the packet was dropped.
func (x *rings) leave(v, w int32) {
	if from := x.ring[v]; from >= 0 && (w < 0 || x.worms && x.ring[w] != from) {
		x.count[from]--
	}
}

// place counts a placed packet.
func (x *rings) place(s *Sim, p *Placed) {
	last := int32(-1)
	for k, v := range p.On {
		r := x.ring[s.ofModel(v)]
		if r >= 0 && r != last && (x.worms || k == len(p.On)-1 && !p.Arrived) {
			x.count[r]++
			last = r
		}
	}
}

// recount compares the numbers of packets in rings with the packets there.
func (x *rings) recount(s *Sim, bad func(string, ...any)) {
	there := make([]map[PacketID]bool, len(x.count))
	for r := range there {
		there[r] = map[PacketID]bool{}
	}
	for v := range int32(len(s.vc)) {
		y := &s.vc[v]
		for i := range y.packets {
			granted := i == 0 && (y.state == active || y.state == ending) && y.target >= 0
			if granted && y.fresh && x.ring[y.target] >= 0 {
				there[x.ring[y.target]][s.front(v)] = true
			}
			left := granted && x.ring[y.target] != x.ring[v] && (!x.worms || y.state == ending)
			if r := x.ring[v]; r >= 0 && !left {
				there[r][s.nth(v, i)] = true
			}
		}
	}
	for r := range there {
		if s.o.Timing != Paper && len(there[r]) != int(x.count[r]) {
			bad("ring %d has %d packets, %d are counted", r, len(there[r]), x.count[r])
		}
	}
}

func (x *rings) clone() *rings {
	if x == nil {
		return nil
	}
	y := *x
	y.count = slices.Clone(x.count)
	return &y
}

// admits reports whether flow control lets the head of v have w once the removed packets are gone.
func (r *reduction) admits(v, w int32) bool {
	x := r.rings
	if x == nil || !x.guards(r.Sim, v, w) {
		return true
	}
	if !x.worms && !r.hasRoom(w, int32(x.limits.Room)) {
		return false
	}
	inside := 0
	for i := range r.all {
		if y := &r.all[i]; !y.gone && r.isInRing(y, x.ring[w]) {
			inside++
		}
	}
	return inside <= x.limits.Most[x.ring[w]]
}

// isInRing reports whether packet y counts for a ring.
func (r *reduction) isInRing(y *standing, ring int32) bool {
	x, head := r.rings, y.head()
	if x.worms {
		return slices.ContainsFunc(y.on, func(v int32) bool { return x.ring[v] == ring })
	}
	at := head
	if v := &r.vc[head]; v.state == active && v.fresh && r.front(head) == y.p {
		at = v.target
	}
	return x.ring[at] == ring
}
