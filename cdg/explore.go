package cdg

import (
	"slices"

	"turnproof/model"
)

// This file enumerates the reachable states of a relation, one destination at
// a time: the ground that every claim about a relation stands on.
//
// Cost: one call of Relation.Next for each reachable state. Memory: eight
// bytes per VC and class, and the states of one destination.

// Explorer visits reachable states. It is not safe for concurrent use.
type Explorer struct {
	rel     model.Relation
	classes int
	stamp   []uint32 // by VC and class: 1 + destination that it was last seen with
	place   []int32  // by VC and class: its place in space.States
	space   Space
	inject  []model.Class
}

// Space holds the reachable states of one destination in breadth-first order,
// those on injection channels first, and what may follow each. States on
// ejection channels, where packets are consumed, are not among them.
type Space struct {
	Dest   model.DestID
	States []model.State
	From   []int32     // by state: the state that led to it first, -1 on an injection channel
	Start  []int32     // by state, into Hops and Next; one more at the end
	Hops   []model.Hop // permitted next hops
	Next   []int32     // by hop: the state that it leads to, or one of the two below
}

// Where a hop to an ejection channel leads.
const (
	Delivered int32 = -1 // to the destination's endpoint
	WrongHost int32 = -2 // to another endpoint
)

// NewExplorer returns an explorer of r.
func NewExplorer(r model.Relation) *Explorer {
	size := r.Network().NumVCs() * r.Classes()
	return &Explorer{rel: r, classes: r.Classes(), stamp: make([]uint32, size), place: make([]int32, size)}
}

// Explore returns the reachable states with destination d. They are valid
// until the next call.
func (x *Explorer) Explore(d model.DestID) *Space {
	s := x.begin(d)
	for i := 0; i < len(s.States); i++ {
		x.expand(i)
	}
	return s
}

// begin starts with the states on injection channels.
func (x *Explorer) begin(d model.DestID) *Space {
	s := &x.space
	s.Dest = d
	s.States, s.From, s.Hops, s.Next = s.States[:0], s.From[:0], s.Hops[:0], s.Next[:0]
	s.Start = append(s.Start[:0], 0)
	for h := range model.HostID(x.rel.Sources()) {
		if !model.Sends(x.rel, h, d) {
			continue
		}
		x.inject = x.rel.Inject(h, d, x.inject[:0])
		for _, k := range x.inject {
			x.push(model.InjectState(x.rel, h, d, k), -1)
		}
	}
	return s
}

// expand adds what may follow state i; states must be expanded in order.
func (x *Explorer) expand(i int) {
	s, n := &x.space, x.rel.Network()
	first := len(s.Hops)
	s.Hops = x.rel.Next(s.States[i], s.Hops)
	for _, h := range s.Hops[first:] {
		c, _ := n.Channel(h.VC)
		switch n.HostOf(c) {
		case model.NoHost:
			s.Next = append(s.Next, x.push(model.State{VC: h.VC, Dest: s.Dest, Class: h.Class}, int32(i)))
		case x.rel.DestinationHost(s.Dest):
			s.Next = append(s.Next, Delivered)
		default:
			s.Next = append(s.Next, WrongHost)
		}
	}
	s.Start = append(s.Start, int32(len(s.Hops)))
}

// push returns the place of a state, which is new if it was not seen yet.
func (x *Explorer) push(s model.State, from int32) int32 {
	at := int(s.VC)*x.classes + int(s.Class)
	if x.stamp[at] != uint32(s.Dest)+1 {
		x.stamp[at], x.place[at] = uint32(s.Dest)+1, int32(len(x.space.States))
		x.space.States = append(x.space.States, s)
		x.space.From = append(x.space.From, from)
	}
	return x.place[at]
}

// HopsOf returns the hops of state i and where they lead.
func (s *Space) HopsOf(i int) ([]model.Hop, []int32) {
	return s.Hops[s.Start[i]:s.Start[i+1]], s.Next[s.Start[i]:s.Start[i+1]]
}

// PathTo returns the states that led to state i first, from the injection
// channel on.
func (s *Space) PathTo(i int) []model.State {
	var p []model.State
	for ; i >= 0; i = int(s.From[i]) {
		p = append(p, s.States[i])
	}
	slices.Reverse(p)
	return p
}
