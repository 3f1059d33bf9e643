package transition

import (
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
)

// This file finds packets that loop. The dependencies of old and new entries together may have a cycle on which a packet would have to meet
// the new entry of a switch first and the old one then. Such a packet loops, and a loop has a cycle of its own.

// realizable reports whether each packet can take its path while each entry changes once.
func (c *Change) realizable(packets []*cdg.Packet) bool {
	return !slices.ContainsFunc(packets, func(p *cdg.Packet) bool {
		late := map[model.SwitchID]bool{}
		for i, s := range p.Path[:len(p.Path)-1] {
			in, _ := c.net.Channel(s.VC)
			u, to := c.net.Head(in), p.Path[i+1].VC
			takes := func(t *model.Table) bool {
				return slices.ContainsFunc(t.Next(s, nil), func(h model.Hop) bool { return h.VC == to })
			}
			if !late[u] && takes(c.Old) {
				continue
			}
			if late[u] = takes(c.New); !late[u] {
				return true
			}
		}
		return false
	})
}

// loop returns a cycle of dependencies of packets that loop to one of the destinations, with a packet for each dependency. Each packet
// meets one entry of each switch. The cycle begins with its smallest VC.
func (c *Change) loop(dests []model.DestID) ([]model.VCID, []*cdg.Packet) {
	for _, d := range dests {
		for h := range model.HostID(c.Old.Sources()) {
			if c.Old.DestinationHost(d) == h || c.classesOf(h, d, BothEntries) == 0 {
				continue
			}
			chosen := c.lasso(d, c.net.Host(h).Switch)
			if chosen == nil {
				continue
			}
			for _, k := range c.inject(h, d, BothEntries, nil) {
				if cycle, packets := c.around(h, d, k, chosen); cycle != nil {
					return cycle, packets
				}
			}
		}
	}
	return nil, nil
}

// lasso returns tables of one entry for each switch by which a packet to d from a switch loops, or nil if there are none.
func (c *Change) lasso(d model.DestID, from model.SwitchID) map[model.SwitchID]*model.Table {
	const open, closed = 1, 2
	mark := make([]uint8, c.net.NumSwitches())
	chosen := map[model.SwitchID]*model.Table{}
	links := model.ChannelID(c.net.NumLinkChannels())
	var visit func(u model.SwitchID) bool
	visit = func(u model.SwitchID) bool {
		mark[u] = open
		for _, t := range []*model.Table{c.Old, c.New} {
			out := t.Row(d)[u]
			if out < 0 || out >= links {
				continue
			}
			chosen[u] = t
			if v := c.net.Head(out); mark[v] == open || mark[v] == 0 && visit(v) {
				return true
			}
		}
		delete(chosen, u)
		mark[u] = closed
		return false
	}
	if !visit(from) {
		return nil
	}
	return chosen
}

// around follows a packet by the chosen tables until it comes back to a state. It returns nil if the packet is dropped before.
func (c *Change) around(h model.HostID, d model.DestID, k model.Class, chosen map[model.SwitchID]*model.Table) ([]model.VCID, []*cdg.Packet) {
	path, seen := []model.State{model.InjectState(c.Old, h, d, k)}, map[model.VCID]int{}
	for {
		at := path[len(path)-1]
		in, _ := c.net.Channel(at.VC)
		t := chosen[c.net.Head(in)]
		if t == nil {
			return nil, nil
		}
		hops := t.Next(at, nil)
		if len(hops) == 0 {
			return nil, nil
		}
		next := model.State{VC: hops[0].VC, Dest: d, Class: hops[0].Class}
		path = append(path, next)
		first, ok := seen[next.VC]
		if !ok {
			seen[next.VC] = len(path) - 1
			continue
		}
		var cycle []model.VCID
		var packets []*cdg.Packet
		for i := first; i < len(path)-1; i++ {
			cycle = append(cycle, path[i].VC)
			packets = append(packets, &cdg.Packet{Source: h, Dest: d, Path: slices.Clone(path[:i+2])})
		}
		at0 := slices.Index(cycle, slices.Min(cycle))
		return slices.Concat(cycle[at0:], cycle[:at0]), slices.Concat(packets[at0:], packets[:at0])
	}
}
