package engine

import "slices"

// This file says where the packets in the network are, and how far their flits can follow their heads. See frozen.go.

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

// gather lists the packets in the network by their numbers.
func (r *reduction) gather() {
	s := r.kernel
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
	if s.endpoints != nil {
		s.endpoints.unsent(unsent)
	}
}

// order sorts the VCs of a packet from tail to head: the output of each VC but the last is the
// next one. If the head has returned to the VC of the tail, this VC is first and last.
func (s *state) order(x *standing) {
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

// isStuck reports whether a gate keeps flits of x from following the head.
func (x *standing) isStuck() bool { return x.stuckFrom(0) }

// stuckFrom reports whether a gate at index k or later of x.on keeps flits of x from following the
// head.
func (x *standing) stuckFrom(k int) bool {
	for _, stuck := range x.stuck[k:] {
		if stuck {
			return true
		}
	}
	return false
}
