package vlan

import (
	"iter"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file forwards frames: by address entries, or along the tree if there is no entry.

// entry is the key of an address entry: VLAN index, switch and destination host.
type entry struct {
	vlan int32
	at   model.SwitchID
	to   model.HostID
}

// fixed is an address entry that leads off the tree.
type fixed struct {
	out  model.ChannelID // NoChannel if frames are dropped
	port model.Port
}

// Next returns the channel on which switch u forwards frames of VLAN k to host h: by the entry
// of SetEntry, or along the tree. It returns NoChannel if frames are dropped.
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

// SetEntry makes switch u forward frames of VLAN k to host h through port p, like a static
// address entry. It returns true if the path in the tree leads elsewhere. Frames are then lost,
// because a switch never sends a frame back through its arrival port or through a port that is
// not a member.
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

// Misled calls visit for the entries of VLAN k that lead off its tree, in no particular order.
func (s *Set) Misled(k int, visit func(u model.SwitchID, h model.HostID, p model.Port)) {
	for at, e := range s.fixed {
		if at.vlan == int32(k) {
			visit(at.at, at.to, e.port)
		}
	}
}

// Entries yields the address entries that VLAN k needs: for each switch on the path of a frame,
// the destination host and the channel towards it. Hosts ascend; the switches of one host
// follow the paths from each sender. Cost: the lengths of the paths, each switch and host once,
// and the pairs of hosts.
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

// carries reports whether the cable of channel c belongs to VLAN k.
func (s *Set) carries(k int, c model.ChannelID) bool {
	if h := s.net.HostOf(c); h != model.NoHost {
		return int(h) < s.net.NumHosts() && s.Member(k, h)
	}
	_, ok := slices.BinarySearch(s.list[k].Links, model.LinkID(c/2))
	return ok
}
