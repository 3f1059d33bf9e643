package relations

import (
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/transition"
)

// This file finds packets that circle, if next hops depend on switch and destination only.
//
// A cycle of dependencies may be one whose packets would have to meet the new entry of a switch first and the old one then. Such a packet
// passes the switch twice. So some path leads round, and a shortest one that does visits each of its switches once, with one entry each. Its
// packets block each other.

// place is a switch, and whether the packet has met a new entry, in a view where that matters.
type place struct {
	u    model.SwitchID
	late bool
}

// chosen is the next hop that packets take at a place.
type chosen struct {
	place
	set transition.Entries
	vc  model.VCID
}

// circle returns a cycle of dependencies of packets that circle, with a packet for each dependency, or nil.
func (c *Change) circle(v view) ([]model.VCID, []*packet) {
	links := model.VCID(c.net.NumLinkVCs())
	for d := range model.DestID(c.NumDestinations()) {
		x := &circling{c: c, d: d, v: v, closed: map[place]bool{}}
		for i := c.first[d+1] - 1; i >= c.first[d] && c.states[i].vc >= links; i-- {
			if x.path = nil; x.visit(node{i, false}) {
				return x.packets(c.states[i])
			}
		}
	}
	return nil, nil
}

// circling is a search for a path to d that leads round.
type circling struct {
	c      *Change
	d      model.DestID
	v      view
	path   []chosen
	back   int // the place in path to which its last hop leads
	closed map[place]bool
}

// visit searches from a node, depth first. It reports whether a path leads round.
func (x *circling) visit(at node) bool {
	p := place{x.c.at(at.state), at.late}
	if i := slices.IndexFunc(x.path, func(c chosen) bool { return c.place == p }); i >= 0 {
		x.back = i
		return true
	}
	if x.closed[p] {
		return false
	}
	found := false
	x.c.eachSide(at, x.d, x.v, func(side int, list []model.VCID, next []int32) {
		for i, to := range next {
			if found || to < 0 || !x.c.waitsFor(list) {
				continue // a packet that chooses may take another hop
			}
			x.path = append(x.path, chosen{p, entriesOf(side), list[i]})
			if found = x.visit(node{to, x.v.late && side == after}); !found {
				x.path = x.path[:len(x.path)-1]
			}
		}
	})
	if !found {
		x.closed[p] = true
	}
	return found
}

// packets returns the cycle, with its smallest VC first, and its packets. They begin in a state on an injection channel.
func (x *circling) packets(first onVC) (cycle []model.VCID, list []*packet) {
	in, _ := x.c.net.Channel(first.vc)
	add := func(p *packet, hop chosen) {
		p.Path = append(p.Path, model.State{VC: hop.vc, Dest: x.d, Class: first.class})
		p.sets = append(p.sets, hop.set)
	}
	for i := x.back; i < len(x.path); i++ {
		p := &packet{Packet: &cdg.Packet{Source: x.c.net.HostOf(in), Dest: x.d, Path: []model.State{{VC: first.vc, Dest: x.d, Class: first.class}}}}
		for _, hop := range x.path[:min(i+2, len(x.path))] {
			add(p, hop)
		}
		if i == len(x.path)-1 {
			add(p, x.path[x.back])
		}
		cycle, list = append(cycle, x.path[i].vc), append(list, p)
	}
	k := slices.Index(cycle, slices.Min(cycle))
	return slices.Concat(cycle[k:], cycle[:k]), slices.Concat(list[k:], list[:k])
}
