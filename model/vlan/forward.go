package vlan

import (
	"iter"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file is what switches do with a frame: address entries, and the way in the tree
// where there is none.

// entry is what a switch looks up: a VLAN by its place, and an address.
type entry struct {
	vlan int32
	at   model.SwitchID
	to   model.HostID
}

// fixed is an entry that leads off the tree.
type fixed struct {
	out  model.ChannelID // NoChannel: frames are dropped
	port model.Port
}

// Next returns the channel by which switch u forwards the frames of VLAN k to
// host h: what SetEntry said, else the way in the tree. NoChannel: there is none.
func (s *Set) Next(k int, u model.SwitchID, h model.HostID) model.ChannelID {
	if e, ok := s.fixed[entry{int32(k), u, h}]; ok {
		return e.out
	}
	return s.treeNext(k, u, h)
}

func (s *Set) treeNext(k int, u model.SwitchID, h model.HostID) model.ChannelID {
	v := s.net.Host(h).Switch
	switch {
	case u == v && !s.Member(k, h):
		return model.NoChannel
	case u == v:
		return s.net.EjectChannel(h)
	}
	return s.tree[k].next(s.net, u, v)
}

// SetEntry makes switch u forward the frames of VLAN k to host h by port p, as a
// static address entry does. It reports whether the way in the tree leads
// elsewhere; then frames are lost, since a switch never forwards one by the
// port that it came by, nor by a port that is no member.
func (s *Set) SetEntry(k int, u model.SwitchID, h model.HostID, p model.Port) (elsewhere bool) {
	c := s.net.OutAt(u, p)
	if c == s.treeNext(k, u, h) && c != model.NoChannel {
		delete(s.fixed, entry{int32(k), u, h})
		return false
	}
	if c != model.NoChannel && !s.carries(k, c) {
		c = model.NoChannel
	}
	s.fixed[entry{int32(k), u, h}] = fixed{c, p}
	return true
}

// Misled calls visit for the entries of VLAN k that lead off its tree, in no order.
func (s *Set) Misled(k int, visit func(u model.SwitchID, h model.HostID, p model.Port)) {
	for at, e := range s.fixed {
		if at.vlan == int32(k) {
			visit(at.at, at.to, e.port)
		}
	}
}

// Entries visits what switches must know of VLAN k: for each switch on the way of
// frames that some host sends in it the channel towards the host that they are
// for. Hosts ascend; the switches of one come from each sender's on.
// Cost: the lengths of the ways, each switch and host once, and the pairs of hosts.
func (s *Set) Entries(k int) iter.Seq2[model.HostID, model.ChannelID] {
	return func(yield func(model.HostID, model.ChannelID) bool) {
		seen := make([]model.HostID, s.net.NumSwitches())
		for u := range seen {
			seen[u] = model.NoHost
		}
		for _, to := range s.list[k].Hosts {
			for _, from := range s.list[k].Hosts {
				if s.Use(from, to) != k {
					continue
				}
				for u := s.net.Host(from).Switch; u != model.NoSwitch && seen[u] != to; {
					seen[u] = to
					c := s.Next(k, u, to)
					if c == model.NoChannel {
						break
					}
					if !yield(to, c) {
						return
					}
					u = s.net.Head(c)
				}
			}
		}
	}
}

// carries reports whether channel c's cable belongs to VLAN k.
func (s *Set) carries(k int, c model.ChannelID) bool {
	if h := s.net.HostOf(c); h != model.NoHost {
		return int(h) < s.net.NumHosts() && s.Member(k, h)
	}
	_, ok := slices.BinarySearch(s.list[k].Links, model.LinkID(c/2))
	return ok
}
