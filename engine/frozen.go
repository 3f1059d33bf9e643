package engine

import (
	"slices"

	"turnproof/model"
)

// This file finds deadlocks: packets that can never move again.
//
// Definition: the greatest set of packets each of which stands behind another of
// the set in a buffer, or whose head waits for VCs all of which are held, or full, by
// packets of the set. A packet waits for any VC that its relation permits, and keeps
// asking; so none of the set moves before another does. It is found by reduction:
// packets whose heads could take a step, if those that are gone were not there, are
// taken away until none is left to take (J. Duato, IEEE TPDS 7(8), 1996, for the
// configurations; the reduction is the usual one for OR waiting). A part of the network
// may be frozen while the rest goes on. Packets without a permitted VC are
// dropped, so they never are of the set.
// Cost: O(packets in the network × VCs that they may ask for), as often as one
// round of reduction asks for another: at most as many rounds as packets.

// Blocked is a packet of a deadlock.
type Blocked struct {
	Packet
	Class model.Class
	// On are the VCs that the packet has flits in, from its tail to its head.
	On []model.VCID
	// Waits are the VCs that its head may ask for, or has and finds full; empty
	// where it stands behind another packet of the deadlock.
	Waits []model.VCID
	// Behind: it is not at the front of the buffer that its head is in.
	Behind bool
}

// standing is where a packet's head is.
type standing struct {
	p     PacketID
	head  int32 // VC; the farthest that the packet is in
	place int   // in its ring
	gone  bool
	on    []int32
}

// Frozen returns the packets that can never move again, nil if there are none.
func (s *Sim) Frozen() []Blocked {
	all, number := s.standings()
	for more := true; more; {
		more = false
		for i := range all {
			if x := &all[i]; !x.gone && s.couldMove(x, all, number) {
				x.gone, more = true, true
			}
		}
	}
	var list []Blocked
	for i := range all {
		if !all[i].gone {
			list = append(list, s.blocked(&all[i]))
		}
	}
	slices.SortFunc(list, func(a, b Blocked) int { return int(a.On[len(a.On)-1] - b.On[len(b.On)-1]) })
	return list
}

// standings lists the packets in the network, and their numbers in the list.
func (s *Sim) standings() ([]standing, map[PacketID]int) {
	var all []standing
	number := map[PacketID]int{}
	from := map[PacketID][]int32{}
	for v := range int32(len(s.vc)) {
		x := &s.vc[v]
		for i := range x.packets {
			p := s.ring[int(v)*(int(s.mask)+1)+int((x.first+i)&s.mask)]
			from[p] = append(from[p], v)
		}
	}
	ids := make([]PacketID, 0, len(from))
	for p := range from {
		ids = append(ids, p)
	}
	slices.Sort(ids)
	for _, p := range ids {
		on := s.inOrder(from[p])
		head := on[len(on)-1]
		x, place := &s.vc[head], 0
		for i := range x.packets {
			if s.ring[int(head)*(int(s.mask)+1)+int((x.first+i)&s.mask)] == p {
				place = int(i)
			}
		}
		number[p] = len(all)
		all = append(all, standing{p: p, head: head, place: place, on: on})
	}
	return all, number
}

// inOrder puts the VCs that a packet is in from tail to head: each but the last
// has the next as its output.
func (s *Sim) inOrder(on []int32) []int32 {
	before := map[int32]int32{}
	last := int32(-1)
	for _, v := range on {
		if w := s.vc[v].target; w >= 0 && slices.Contains(on, w) && !s.vc[v].fresh {
			before[w] = v
			continue
		}
		last = v
	}
	list := []int32{last}
	for v, ok := before[last]; ok; v, ok = before[v] {
		list = append(list, v)
	}
	slices.Reverse(list)
	return list
}

// couldMove reports whether the head of x could take a step if the packets that
// are gone were not there.
func (s *Sim) couldMove(x *standing, all []standing, number map[PacketID]int) bool {
	v := &s.vc[x.head]
	for i := range x.place {
		ahead := s.ring[int(x.head)*(int(s.mask)+1)+(int(v.first)+i)&int(s.mask)]
		if !all[number[ahead]].gone {
			return false
		}
	}
	if x.place == 0 && v.state == active {
		return s.at[v.target].eject || s.room(v.target, all, number)
	}
	sets := s.waitsFor(x)
	if len(sets) == 0 {
		return true // dropped
	}
	for _, set := range sets {
		for w := set.lo; w < set.lo+int32(set.n); w++ {
			if s.at[w].eject || s.unheld(w, all, number) && s.room(w, all, number) {
				return true
			}
		}
	}
	return false
}

// waitsFor returns what the head of x may ask for.
func (s *Sim) waitsFor(x *standing) []hopSet {
	if v := &s.vc[x.head]; x.place == 0 && v.state == waiting {
		return s.routes.sets(s.asks[x.head])
	}
	p := &s.packet[x.p]
	return s.routes.sets(s.routes.of(s, x.head, p.dest, p.class))
}

// unheld reports whether nobody holds VC w but packets that are gone.
func (s *Sim) unheld(w int32, all []standing, number map[PacketID]int) bool {
	o := s.vc[w].owner
	return o < 0 || s.vc[o].target != w || all[number[s.front(o)]].gone
}

// room reports whether VC w has a slot that no packet has but those that are gone.
func (s *Sim) room(w int32, all []standing, number map[PacketID]int) bool {
	taken := 0
	for p, flits := range s.flitsOf(w) {
		if !all[number[p]].gone {
			taken += flits
		}
	}
	return taken < s.o.BufferFlits
}

// flitsOf yields the packets of VC w with how many flits of each are in it or
// on their way to it.
func (s *Sim) flitsOf(w int32) func(func(PacketID, int) bool) {
	return func(yield func(PacketID, int) bool) {
		x := &s.vc[w]
		for i := range x.packets {
			p := s.ring[int(w)*(int(s.mask)+1)+int((x.first+i)&s.mask)]
			flits := int(s.packet[p].flits)
			if i == 0 && x.state >= waiting {
				flits = int(x.left)
			}
			if i == x.packets-1 { // the last one may not be here in whole
				flits -= s.behind(w, p)
			}
			if !yield(p, flits) {
				return
			}
		}
	}
}

// behind returns how many flits of packet p have not yet left for VC w.
func (s *Sim) behind(w int32, p PacketID) int {
	x := &s.vc[w]
	c := model.ChannelID(s.at[w].ch)
	if s.net.Kind(c) == model.Inject {
		if h := &s.hosts[s.net.HostOf(c)]; h.vc == w {
			return int(h.left)
		}
		return 0
	}
	if x.owner >= 0 && s.vc[x.owner].target == w && !s.vc[x.owner].fresh && s.front(x.owner) == p {
		return int(s.vc[x.owner].left)
	}
	return 0
}

// blocked tells what a packet of the deadlock is on and waits for.
func (s *Sim) blocked(x *standing) Blocked {
	p := &s.packet[x.p]
	b := Blocked{Packet: Packet{p.created, p.source, p.dest, int(p.flits), p.id}, Class: p.class, Behind: x.place > 0}
	for _, v := range x.on {
		b.On = append(b.On, model.VCID(v))
	}
	if v := &s.vc[x.head]; x.place == 0 && v.state == active {
		b.Waits = []model.VCID{model.VCID(v.target)}
	} else if x.place == 0 {
		for _, set := range s.waitsFor(x) {
			for w := set.lo; w < set.lo+int32(set.n); w++ {
				b.Waits = append(b.Waits, model.VCID(w))
			}
		}
	}
	return b
}
