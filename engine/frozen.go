package engine

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file finds deadlocks: packets that can never move again.
//
// Definition: the greatest set of packets whose heads can never take a step. The head of each is
// behind another packet of the set in a buffer, or waits for VCs that packets of the set hold or
// fill. A packet waits for any VC that its relation permits, or for the one that was chosen
// (Options.Waiting). So no packet of the set moves before another one does.
//
// Method: reduction. Remove each packet whose head could take a step if the removed packets were
// gone, until no packet can be removed (J. Duato, IEEE TPDS 7(8), 1996, for the configurations;
// the reduction is the usual one for OR waiting). First the flits behind the heads advance as far
// as there is room. Their order does not matter, since a buffer takes flits of one packet at a
// time. A part of the network may be frozen while the rest moves. Packets without a permitted VC
// are dropped and are never in the set. Cost: O(packets in the network × VCs that they may ask
// for) for each round of the reduction. There are at most as many rounds as packets.
//
// Gates (frozengates.go) also hold back packets, and flits in the middle of a packet. Flits behind
// such a gate stay even if the head moves on. If the head is at a host, the packet then keeps a VC of
// the channel to the host.

// Blocked is a packet of a deadlock.
type Blocked struct {
	Packet
	Class model.Class
	// On are the VCs that hold flits of the packet, from tail to head.
	On []model.VCID
	// Waits are the VCs that the head may ask for, or the full VC that it has. Empty if the head
	// is behind another packet of the deadlock.
	Waits []model.VCID
	// Gated are VCs of On before which a gate holds back flits of the packet. If the head has
	// moved on or has arrived, the packet waits for nothing else.
	Gated []model.VCID
	// Entry is true if the head waits for an entry of its host, see Deadlock.Queues. Waits are
	// then the VCs to the host.
	Entry bool
	// Behind is true if another packet of the deadlock is ahead in the buffer of the head.
	Behind bool
}

// standing records where a packet is.
type standing struct {
	p    PacketID
	on   []int32 // VCs from its tail to its head
	have []int   // flits in each VC of on, once settled
	home int     // flits that the host has not sent
	gone bool

	free  bool   // whether the head can move on
	stuck []bool // by index in on: whether a gate keeps flits from the next VC
	now   []int  // flits in each VC of on, before they settle
}

func (x *standing) head() int32 { return x.on[len(x.on)-1] }

// upTo returns the number of flits of x that are at the host or in x.on[0] to x.on[i].
func (x *standing) upTo(i int) int {
	sum := x.home
	for _, k := range x.have[:i+1] {
		sum += k
	}
	return sum
}

// flitsOn returns the number of flits of x on v, once settled.
func (x *standing) flitsOn(v int32) (sum int) {
	for i, w := range x.on {
		if w == v {
			sum += x.have[i]
		}
	}
	return sum
}

// round reports whether the head of x has returned to the VC of its tail.
func (x *standing) round() bool { return len(x.on) > 1 && x.on[0] == x.head() }

// reduction is the state of Frozen.
type reduction struct {
	*Sim
	all    []standing
	number []int32      // by PacketID: its index in all
	gates  *frozenGates // nil if there are no gates

	atHosts *frozenHosts // nil without a protocol
}

// Frozen returns the packets that can never move again, or nil.
func (s *Sim) Frozen() []Blocked { return s.reduce().packets() }

// reduce removes the packets that can move, until all others are frozen.
func (s *Sim) reduce() *reduction {
	r := &reduction{Sim: s}
	r.gather()
	r.prepareGates()
	for more := true; more; {
		r.settle()
		r.freezeHosts()
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
	return r
}

// packets returns the remaining packets.
func (r *reduction) packets() (list []Blocked) {
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

// gather lists the packets in the network by their numbers.
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
				continue // the packet has left
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
	unsent := func(v, left int32) {
		if v >= 0 {
			r.all[r.number[s.nth(v, s.vc[v].packets-1)]].home = int(left)
		}
	}
	for h := range s.hosts {
		unsent(s.hosts[h].vc, s.hosts[h].left)
	}
	if s.messages != nil {
		for i := range s.messages.sends {
			unsent(s.messages.sends[i].vc, s.messages.sends[i].left)
		}
	}
}

// order sorts the VCs of a packet from tail to head: the output of each VC but the last is the
// next one. If the head has returned to the VC of the tail, this VC is first and last.
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

// settle advances the flits of the remaining packets as far as possible. Removed packets take no
// room.
func (r *reduction) settle() {
	taken := make([]int, len(r.vc)) // by VC: flits of remaining packets
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
				x.have[k] = 0 // the head moves on
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

// beyond reports whether flits of x have left its last VC: they are at the host or in transit to
// it.
func (r *reduction) beyond(x *standing) bool {
	y := &r.vc[x.head()]
	return !x.round() && y.state == active && !y.fresh && r.front(x.head()) == x.p
}

// stillOn returns the number of flits of x in x.on[k] or in transit to it.
func (r *reduction) stillOn(x *standing, k int) int {
	v := x.on[k]
	flits := int(r.vc[v].left) // x is the front packet of v and has not left it
	if k > 0 {
		return flits - int(r.vc[x.on[k-1]].left)
	}
	return flits - x.home
}

// forward moves the flits of x forward within its VCs. It reports whether any flit moved.
func (r *reduction) forward(x *standing, taken []int) (moved bool) {
	for k := len(x.on) - 1; k >= 0; k-- {
		room := int(r.buffer[r.vc[x.on[k]].in]) - taken[x.on[k]]
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

// couldMove reports whether the head of x could take a step if the removed packets were gone.
func (r *reduction) couldMove(x *standing) bool {
	head := x.head()
	v := &r.vc[head]
	if r.isBehind(x) || x.round() && x.isStuck() {
		return false
	}
	front := r.front(head) == x.p && !x.round() // otherwise the head is not routed yet
	if front && v.state == active {
		return r.port[v.port].eject || r.hasRoom(v.target, r.packet[x.p].flits) && (r.gates == nil || !r.control.byFlit || r.opens(head, v.target))
	}
	could, some, refused := false, false, false
	r.eachAsked(x, front, func(w int32) {
		some = true
		if o := r.vc[w].in; r.port[o].eject {
			could, refused = could || r.gates == nil || r.receives(w), refused || !r.consumes(x, o)
			return
		}
		could = could || r.unheld(w) && r.hasRoom(w, r.packet[x.p].flits) && r.opens(head, w) && r.admits(head, w)
	})
	return could && !refused || !some // without a permitted VC the packet is dropped
}

// isBehind reports whether a remaining packet is ahead of x in the buffer of its head.
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

// eachAsked calls f for the VCs that the head of x may ask for.
func (r *reduction) eachAsked(x *standing, front bool, f func(w int32)) {
	head := x.head()
	in := &r.port[r.vc[head].in]
	p := &r.packet[x.p]
	routes := cmp.Or(r.allowed, r.routes)
	answer := routes.of(r.Sim, head, p.dest, p.class)
	sets := routes.sets[answer]
	if r.commits != nil {
		if one, is := r.chosen(routes, answer, head, p); is {
			sets = []hopSet{one}
		}
	}
	if y := &r.vc[head]; r.allowed == nil && front && y.state == waiting && y.answer == 0 {
		mask, port := y.mask, r.port[y.port].index
		if r.byRouter() {
			mask >>= port * int16(r.vcs)
		}
		sets = []hopSet{{mask: mask, port: port}} // the set may have been drawn
	}
	for _, set := range sets {
		o := r.outs[in.outBase+int32(set.port)]
		for m := set.mask; m != 0; m &= m - 1 {
			f(o*int32(r.vcs) + int32(bits.TrailingZeros64(m)))
		}
	}
}

// unheld reports whether no remaining packet holds VC w.
func (r *reduction) unheld(w int32) bool {
	o := r.vc[w].owner
	if o < 0 || r.vc[o].target != w || r.vc[o].state != active {
		return true
	}
	y := &r.all[r.number[r.front(o)]]
	return y.gone || !r.vc[o].fresh && y.upTo(slices.Index(y.on, o)) == 0
}

// hasRoom reports whether VC w gets room for the head of a packet of the given length once the removed packets are gone and
// the others have settled.
func (r *reduction) hasRoom(w, flits int32) bool {
	taken, slots := 0, int(r.buffer[r.vc[w].in])
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
		return taken+int(flits) <= slots
	}
	return taken < slots
}

// blocked returns where a packet of the deadlock is and what it waits for.
func (r *reduction) blocked(x *standing) Blocked {
	p := &r.packet[x.p]
	head := x.head()
	b := Blocked{Packet: r.sent(p), Class: p.class, Behind: r.isBehind(x), Entry: r.waitsForHost(x)}
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
