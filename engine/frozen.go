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

// reduction is the state of Frozen.
type reduction struct {
	*kernel
	all       []standing
	number    []int32 // by PacketID: its index in all
	obstacles []obstacle
}

// freezer is a mechanism that holds packets back for other reasons than full buffers.
type freezer interface {
	freeze(r *reduction) obstacle
}

// obstacle is what a mechanism holds back during a reduction. At first it holds back all that it could.
type obstacle interface {
	// lift is called when flits have settled. It opens what no remaining packet keeps closed, and reports whether it opened anything.
	lift() bool
	// flows reports whether flits that have VC w may at some time move from v to w.
	flows(v, w int32) bool
	// admits reports whether the head of v may at some time get VC w.
	admits(v, w int32) bool
	// receives reports whether VC w to a host is free, or gets free.
	receives(w int32) bool
	// consumes reports whether the host at port o at some time has what packet x needs there.
	consumes(x *standing, o int32) bool
	// explain adds to d what its packets wait for.
	explain(d *Deadlock)
}

// noObstacle holds nothing back.
type noObstacle struct{}

func (noObstacle) lift() bool                     { return false }
func (noObstacle) flows(int32, int32) bool        { return true }
func (noObstacle) admits(int32, int32) bool       { return true }
func (noObstacle) receives(int32) bool            { return true }
func (noObstacle) consumes(*standing, int32) bool { return true }
func (noObstacle) explain(*Deadlock)              {}

// allow reports whether all obstacles meet a condition.
func (r *reduction) allow(is func(o obstacle) bool) bool {
	return !slices.ContainsFunc(r.obstacles, func(o obstacle) bool { return !is(o) })
}

// Frozen returns the packets that can never move again, or nil.
func (s *Sim) Frozen() []Blocked { return s.reduce().packets() }

// reduce removes the packets that can move, until all others are frozen.
func (s *kernel) reduce() *reduction {
	r := &reduction{kernel: s}
	r.gather()
	for _, m := range s.mechanisms {
		if f, ok := m.(freezer); ok {
			r.obstacles = append(r.obstacles, f.freeze(r))
		}
	}
	for more := true; more; {
		r.settle()
		more = false
		for _, o := range r.obstacles {
			more = o.lift() || more
		}
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

// couldMove reports whether the head of x could take a step if the removed packets were gone.
func (r *reduction) couldMove(x *standing) bool {
	head := x.head()
	v := &r.vc[head]
	if r.isBehind(x) || x.round() && x.isStuck() {
		return false
	}
	front := r.front(head) == x.p && !x.round() // otherwise the head is not routed yet
	if front && v.state == active {
		return r.port[v.port].eject || r.hasRoom(v.target, r.packet[x.p].flits) && r.allow(func(o obstacle) bool { return o.flows(head, v.target) })
	}
	if r.isDropped(x, front) {
		return true
	}
	could, some, refused := false, false, false
	r.eachAsked(x, front, func(w int32) {
		some = true
		if o := r.vc[w].in; r.port[o].eject {
			could = could || r.allow(func(b obstacle) bool { return b.receives(w) })
			refused = refused || !r.isConsumed(x, o)
			return
		}
		could = could || r.unheld(w) && r.hasRoom(w, r.packet[x.p].flits) && r.allow(func(o obstacle) bool { return o.admits(head, w) })
	})
	return could && !refused || !some && r.keeper == nil // without a permitted VC the packet is dropped
}

// isDropped reports whether the switch drops x, or may do so when it routes the head.
func (r *reduction) isDropped(x *standing, front bool) bool {
	head := x.head()
	switch v := &r.vc[head]; {
	case front && v.state == dropping:
		return true
	case front && v.state == waiting:
		return false
	}
	c := find[*changing](&r.hooks)
	return c != nil && c.drops(model.State{VC: r.asksAt(head), Dest: r.packet[x.p].dest, Class: model.Class(r.packet[x.p].class)})
}

// isConsumed reports whether the host at port o consumes packet x at some time.
func (r *reduction) isConsumed(x *standing, o int32) bool {
	return r.allow(func(b obstacle) bool { return b.consumes(x, o) })
}

// waitsForHost reports whether the head of x waits for room at its host.
func (r *reduction) waitsForHost(x *standing) (waits bool) {
	if len(r.obstacles) == 0 {
		return false
	}
	r.eachHost(x, func(o int32) { waits = waits || !r.isConsumed(x, o) })
	return waits
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
	routes, changes := cmp.Or(r.allowed, r.routes), find[*changing](&r.hooks)
	if changes != nil {
		routes = cmp.Or(r.allowed, changes.any) // when the head is routed, any of these may be there
	}
	answer := routes.of(&r.state, head, p.dest, p.class)
	sets := routes.sets[answer]
	if f := find[*flows](&r.hooks); f != nil && changes == nil {
		if one, is := f.chosen(r.kernel, routes, answer, head, p); is {
			sets = []hopSet{one}
		}
	}
	switch y := &r.vc[head]; {
	case r.allowed != nil || !front || y.state != waiting:
	case y.answer == 0:
		mask, port := y.mask, r.port[y.port].index
		if r.byPlace {
			mask >>= port * int16(r.vcs)
		}
		sets = []hopSet{{mask: mask, port: port}} // the set may have been drawn
	case changes != nil:
		sets = r.routes.sets[-1-y.answer]
	}
	for _, set := range sets {
		o := r.outs[in.outBase+int32(set.port)]
		for m := set.mask; m != 0; m &= m - 1 {
			f(o*int32(r.vcs) + int32(bits.TrailingZeros64(m)))
		}
	}
}

// eachHost calls f for the ports to hosts that the head of x may ask for.
func (r *reduction) eachHost(x *standing, f func(o int32)) {
	head := x.head()
	front := r.front(head) == x.p && !x.round()
	if r.isBehind(x) || front && r.vc[head].state == active {
		return
	}
	r.eachAsked(x, front, func(w int32) {
		if o := r.vc[w].in; r.port[o].eject {
			f(o)
		}
	})
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
