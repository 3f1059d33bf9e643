package relations

import (
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/transition"
)

// This file finds the packets of a cycle, and whether they can meet their entries.

// packet is a packet with the entries that can give its hops.
type packet struct {
	*cdg.Packet
	sets []transition.Entries // by hop; with a last one if the packet is stranded
}

// packetsOf returns a packet for each dependency of a cycle. If oldFirst is true, their paths have few hops that only new entries give.
func (c *Change) packetsOf(cycle []model.VCID, v view, oldFirst bool) []*packet {
	found := make([]*packet, len(cycle))
	wanted := map[model.VCID]int{}
	for i, vc := range cycle {
		wanted[vc] = i
	}
	for d := model.DestID(0); int(d) < c.NumDestinations() && slices.Contains(found, nil); d++ {
		t := c.treeOf(d, v, oldFirst)
		for _, at := range t.order {
			i, ok := wanted[c.states[at.state].vc]
			if !ok || found[i] != nil {
				continue
			}
			to := cycle[(i+1)%len(cycle)]
			if set := c.endsIn(at, d, v, to); set != 0 {
				found[i] = t.packet(at, to, set)
			}
		}
	}
	return found
}

// endsIn returns the entries by which a packet of a node waits for a VC, or is stranded on that VC.
func (c *Change) endsIn(at node, d model.DestID, v view, to model.VCID) (set transition.Entries) {
	stranded := c.states[at.state].vc == to
	c.eachSide(at, d, v, func(side int, list []model.VCID, _ []int32) {
		if stranded && len(list) == 0 || !stranded && slices.Contains(list, to) && c.waitsFor(list) {
			set |= entriesOf(side)
		}
	})
	return set
}

// tree is paths from sources to the nodes of a destination.
type tree struct {
	c     *Change
	d     model.DestID
	v     view
	from  map[node]node
	order []node
}

// treeOf returns shortest paths. If oldFirst is true, a hop that only a new entry gives counts, and others do not.
func (c *Change) treeOf(d model.DestID, v view, oldFirst bool) *tree {
	t := &tree{c: c, d: d, v: v, from: map[node]node{}}
	links := model.VCID(c.net.NumLinkVCs())
	queue := []node{}
	for i := c.first[d+1] - 1; i >= c.first[d] && c.states[i].vc >= links; i-- {
		t.from[node{i, false}] = node{-1, false}
		queue = append(queue, node{i, false})
	}
	var later []node // those one counted hop farther
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		t.order = append(t.order, at)
		c.eachSide(at, d, v, func(side int, _ []model.VCID, next []int32) {
			for _, to := range next {
				n := node{to, v.late && side == after}
				if to < 0 {
					continue
				}
				if _, ok := t.from[n]; ok {
					continue
				}
				if oldFirst && side == after {
					later = append(later, at, n)
					continue
				}
				t.from[n] = at
				queue = append(queue, n)
			}
		})
		for len(queue) == 0 && len(later) > 0 {
			if _, ok := t.from[later[1]]; !ok {
				t.from[later[1]] = later[0]
				queue = append(queue, later[1])
			}
			later = later[2:]
		}
	}
	return t
}

// packet returns the packet that reaches a node and then waits for a VC by the entries of last. If it is on that VC, it is stranded.
func (t *tree) packet(at node, to model.VCID, last transition.Entries) *packet {
	c := t.c
	var nodes []node
	for n := at; n.state >= 0; n = t.from[n] {
		nodes = append(nodes, n)
	}
	slices.Reverse(nodes)
	p := &packet{Packet: &cdg.Packet{Dest: t.d}}
	in, _ := c.net.Channel(c.states[nodes[0].state].vc)
	p.Source = c.net.HostOf(in)
	for i, n := range nodes {
		s := c.states[n.state]
		p.Path = append(p.Path, model.State{VC: s.vc, Dest: t.d, Class: s.class})
		if i > 0 {
			var set transition.Entries
			c.eachSide(nodes[i-1], t.d, t.v, func(side int, _ []model.VCID, next []int32) {
				if slices.Contains(next, n.state) && n.late == (t.v.late && side == after) {
					set |= entriesOf(side)
				}
			})
			p.sets = append(p.sets, set)
		}
	}
	if p.sets = append(p.sets, last); c.states[at.state].vc != to {
		p.Path = append(p.Path, model.State{VC: to, Dest: t.d, Class: c.states[at.state].class})
	}
	return p
}

// inOrder reports whether some order of lookups and changes lets each packet meet its entries.
func (c *Change) inOrder(packets []*packet, part transition.Part) bool {
	var list [][]transition.Lookup
	for _, p := range packets {
		var lookups []transition.Lookup
		for i, set := range p.sets {
			in, _ := c.net.Channel(p.Path[i].VC)
			lookups = append(lookups, transition.Lookup{Part: transition.PartOf(part, p.Dest, c.net.Head(in)), Set: set})
		}
		list = append(list, lookups)
	}
	return transition.InOrder(list)
}
