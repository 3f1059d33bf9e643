package engine

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file finds deadlocks: packets that can never move again.
//
// Definition: the greatest set of packets whose heads can never take a step. The
// head of each stands behind another of the set in a buffer, or waits for VCs all of
// which are held, or have no room for it, by packets of the set. A packet waits for
// any VC that its relation permits, and keeps asking, or for the one that was chosen
// (Options.Waiting); so none of the set moves before another does. It is found by reduction: packets whose heads could take a step, if
// those that are gone were not there, are taken away until none is left to take
// (J. Duato, IEEE TPDS 7(8), 1996, for the configurations; the reduction is the usual
// one for OR waiting). The flits behind the heads go on as far as there is room before
// they count: that is settled first, and which of them goes first does not matter,
// since a buffer takes flits from one packet at a time. A part of the network may be
// frozen while the rest goes on. Packets without a permitted VC are dropped, so they
// never are of the set.
// Cost: O(packets in the network × VCs that they may ask for), as often as one
// round of reduction asks for another: at most as many rounds as packets.
//
// Gates (frozengates.go) hold packets back, too, and flits in the middle of one: what is
// behind such a place stays, even where the head gets away.

// Blocked is a packet of a deadlock.
type Blocked struct {
	Packet
	Class model.Class
	// On are the VCs that the packet has flits in, from its tail to its head.
	On []model.VCID
	// Waits are the VCs that its head may ask for, or has and finds full; empty
	// where it stands behind another packet of the deadlock.
	Waits []model.VCID
	// Gated are VCs of On before which a gate holds back flits of the packet; where its
	// head has got away, or has arrived, there is nothing else that it waits for.
	Gated []model.VCID
	// Behind: another packet of the deadlock is ahead of it in the buffer that its
	// head is in.
	Behind bool
}

// standing is where a packet is.
type standing struct {
	p    PacketID
	on   []int32 // VCs from its tail to its head
	have []int   // flits in each, once settled
	home int     // flits that its host has not sent
	gone bool

	free  bool   // its head gets away
	stuck []bool // by place in on: a gate keeps its flits from going on to the next
	now   []int  // flits in each VC, before they settle
}

func (x *standing) head() int32 { return x.on[len(x.on)-1] }

// behind returns the flits of x that are not beyond place i of x.on.
func (x *standing) upTo(i int) int {
	sum := x.home
	for _, k := range x.have[:i+1] {
		sum += k
	}
	return sum
}

// flitsOn returns the flits of x on v, once settled.
func (x *standing) flitsOn(v int32) (sum int) {
	for i, w := range x.on {
		if w == v {
			sum += x.have[i]
		}
	}
	return sum
}

// round reports whether the head of x has come to the VC that its tail is on.
func (x *standing) round() bool { return len(x.on) > 1 && x.on[0] == x.head() }

// reduction is the work of Frozen.
type reduction struct {
	*Sim
	all    []standing
	number []int32      // by PacketID: its place in all
	gates  *frozenGates // nil: there are none
}

// Frozen returns the packets that can never move again, nil if there are none.
func (s *Sim) Frozen() []Blocked {
	r := &reduction{Sim: s}
	r.gather()
	r.prepareGates()
	for more := true; more; {
		r.settle()
		more = r.lift()
		for i := range r.all {
			if x := &r.all[i]; !x.gone && !x.free && r.couldMove(x) {
				x.free, more = true, true
			}
		}
		for i := range r.all {
			if x := &r.all[i]; x.free && !x.gone && !x.isStuck() {
				x.gone, more = true, true
			}
		}
	}
	var list []Blocked
	for i := range r.all {
		if !r.all[i].gone {
			list = append(list, r.blocked(&r.all[i]))
		}
	}
	slices.SortFunc(list, func(a, b Blocked) int {
		x, y := a.On[len(a.On)-1], b.On[len(b.On)-1]
		if x != y {
			return int(x - y)
		}
		return int(a.Source - b.Source)
	})
	return list
}

// gather lists the packets in the network, in the order of their numbers.
func (r *reduction) gather() {
	s := r.Sim
	r.number = make([]int32, len(s.packet))
	for i := range r.number {
		r.number[i] = -1
	}
	for v := range int32(len(s.vc)) {
		x := &s.vc[v]
		for i := range x.packets {
			if i == 0 && x.state == ending {
				continue // it has left
			}
			p := s.nth(v, i)
			if r.number[p] < 0 {
				r.number[p] = int32(len(r.all))
				r.all = append(r.all, standing{p: p})
			}
			y := &r.all[r.number[p]]
			y.on = append(y.on, v)
		}
	}
	for i := range r.all {
		x := &r.all[i]
		s.order(x)
		x.have, x.now, x.stuck = make([]int, len(x.on)), make([]int, len(x.on)), make([]bool, len(x.on))
	}
	for h := range s.hosts {
		if y := &s.hosts[h]; y.vc >= 0 {
			x := &s.vc[y.vc]
			r.all[r.number[s.nth(y.vc, x.packets-1)]].home = int(y.left)
		}
	}
}

// order puts the VCs that a packet is on from tail to head: each but the last
// has the next as its output. Where the head has come to the VC that the tail is on, that
// is the first and the last.
func (s *Sim) order(x *standing) {
	before := map[int32]int32{}
	last := int32(-1)
	for _, v := range x.on {
		if y := &s.vc[v]; y.state == active && !y.fresh && s.front(v) == x.p && slices.Contains(x.on, y.target) {
			before[y.target] = v
			if i := slices.Index(x.on, v); slices.Contains(x.on[i+1:], v) {
				last = v
			}
			continue
		}
		last = v
	}
	list := []int32{last}
	for v, ok := before[last]; ok && len(list) < len(x.on); v, ok = before[v] {
		list = append(list, v)
	}
	slices.Reverse(list)
	x.on = list
}

// settle moves the flits of the packets that are left as far as they go, those
// that are gone being away.
func (r *reduction) settle() {
	taken := make([]int, len(r.vc)) // flits of packets that are left, by VC
	for i := range r.all {
		x := &r.all[i]
		if x.gone {
			continue
		}
		rest := int(r.packet[x.p].flits) - x.home
		for k := range x.on {
			left := rest
			if k+1 < len(x.on) || r.beyond(x) {
				left = r.stillOn(x, k)
			}
			x.have[k], x.now[k] = left, left
			rest -= left
			if x.free && !x.stuckFrom(k) {
				x.have[k] = 0 // it gets away
			}
			taken[x.on[k]] += x.have[k]
		}
	}
	for more := true; more; {
		more = false
		for i := range r.all {
			if !r.all[i].gone && r.forward(&r.all[i], taken) {
				more = true
			}
		}
	}
}

// beyond reports whether flits of x have left the last VC that it is on: they are
// at its host or on their way there.
func (r *reduction) beyond(x *standing) bool {
	y := &r.vc[x.head()]
	return !x.round() && y.state == active && !y.fresh && r.front(x.head()) == x.p
}

// stillOn is how many flits of x are on place k of its VCs or on their way to it.
func (r *reduction) stillOn(x *standing, k int) int {
	v := x.on[k]
	flits := int(r.vc[v].left) // they have not left v; it is the front packet there
	if k > 0 {
		return flits - int(r.vc[x.on[k-1]].left)
	}
	return flits - x.home
}

// forward moves the flits of x on within its VCs; false: none could.
func (r *reduction) forward(x *standing, taken []int) (moved bool) {
	for k := len(x.on) - 1; k >= 0; k-- {
		room := r.o.BufferFlits - taken[x.on[k]]
		for i := k - 1; i >= -1 && room > 0 && !(i >= 0 && x.stuck[i]); i-- { // the nearest flits behind
			from := &x.home
			if i >= 0 {
				from = &x.have[i]
			}
			m := min(room, *from)
			if *from -= m; i >= 0 {
				taken[x.on[i]] -= m
			}
			x.have[k] += m
			taken[x.on[k]] += m
			room -= m
			moved = moved || m > 0
		}
	}
	return moved
}

// couldMove reports whether the head of x could take a step if the packets that
// are gone were not there.
func (r *reduction) couldMove(x *standing) bool {
	head := x.head()
	v := &r.vc[head]
	if r.isBehind(x) || x.round() && x.isStuck() {
		return false
	}
	front := r.front(head) == x.p && !x.round() // else it has yet to be routed
	if front && v.state == active {
		return r.port[v.port].eject || r.hasRoom(v.target, x) && (r.gates == nil || !r.control.byFlit || r.opens(head, v.target))
	}
	could, some := false, false
	r.eachAsked(x, front, func(w int32) {
		some = true
		could = could || r.port[r.vc[w].in].eject || r.unheld(w) && r.hasRoom(w, x) && r.opens(head, w)
	})
	return could || !some // dropped
}

// isBehind reports whether a packet that is left is ahead of x for ever.
func (r *reduction) isBehind(x *standing) bool {
	head := x.head()
	for i := range r.vc[head].packets {
		p := r.nth(head, i)
		if p == x.p {
			return false
		}
		if i == 0 && r.vc[head].state == ending {
			continue
		}
		if y := &r.all[r.number[p]]; !y.gone && y.upTo(slices.Index(y.on, head)) > 0 {
			return true
		}
	}
	return false
}

// eachAsked goes through the VCs that the head of x may ask for.
func (r *reduction) eachAsked(x *standing, front bool, f func(w int32)) {
	head := x.head()
	in := &r.port[r.vc[head].in]
	p := &r.packet[x.p]
	routes := cmp.Or(r.allowed, r.routes)
	sets := routes.sets[routes.of(r.Sim, head, p.dest, p.class)]
	if r.commits != nil {
		if one, is := r.chosen(sets, head, p); is {
			sets = []hopSet{one}
		}
	}
	if y := &r.vc[head]; r.allowed == nil && front && y.state == waiting && y.answer == 0 {
		sets = []hopSet{{mask: y.mask, port: r.port[y.port].index}} // it may have been drawn
	}
	for _, set := range sets {
		o := r.outs[in.outBase+int32(set.port)]
		for m := set.mask; m != 0; m &= m - 1 {
			f(o*int32(r.vcs) + int32(bits.TrailingZeros64(m)))
		}
	}
}

// unheld reports whether nobody holds VC w for ever.
func (r *reduction) unheld(w int32) bool {
	o := r.vc[w].owner
	if o < 0 || r.vc[o].target != w || r.vc[o].state != active {
		return true
	}
	y := &r.all[r.number[r.front(o)]]
	return y.gone || !r.vc[o].fresh && y.upTo(slices.Index(y.on, o)) == 0
}

// hasRoom reports whether VC w gets room for the head of x, once those that are
// gone are away and the others have settled.
func (r *reduction) hasRoom(w int32, x *standing) bool {
	taken := 0
	for i := range r.vc[w].packets {
		if i == 0 && r.vc[w].state == ending {
			continue
		}
		if y := &r.all[r.number[r.nth(w, i)]]; !y.gone {
			taken += y.flitsOn(w)
		}
	}
	switch {
	case r.atomic:
		return taken == 0
	case r.whole:
		return taken+int(r.packet[x.p].flits) <= r.o.BufferFlits
	}
	return taken < r.o.BufferFlits
}

// blocked tells what a packet of the deadlock is on and waits for.
func (r *reduction) blocked(x *standing) Blocked {
	p := &r.packet[x.p]
	head := x.head()
	b := Blocked{Packet: Packet{p.created, p.source, p.dest, int(p.flits), p.id}, Class: p.class, Behind: r.isBehind(x)}
	for _, v := range x.on {
		b.On = append(b.On, r.modelVC(v))
	}
	front := r.front(head) == x.p && !x.round()
	for i := range x.on[:len(x.on)-1] {
		if x.stuck[i] {
			b.Gated = append(b.Gated, r.modelVC(x.on[i+1]))
		}
	}
	if x.free {
		return b
	}
	if v := &r.vc[head]; front && v.state == active {
		b.Waits = []model.VCID{r.modelVC(v.target)}
	} else if !b.Behind {
		r.eachAsked(x, front, func(w int32) { b.Waits = append(b.Waits, r.modelVC(w)) })
	}
	return b
}
