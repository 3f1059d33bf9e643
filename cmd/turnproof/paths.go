package main

import (
	"iter"

	"turnproof/model"
)

// way is what becomes of a packet.
type way struct {
	class model.Class // -1: none to send with
	path  []model.State
	end   string // "delivered", or how it is lost
}

// paths yields the ways from an endpoint to a destination that is not its own,
// one for each class that may be used.
func (in *input) paths(from model.HostID, d model.DestID) iter.Seq[way] {
	return func(yield func(way) bool) {
		t := in.table
		if !model.Sends(t, from, d) {
			return
		}
		classes := t.Inject(from, d, nil)
		if len(classes) == 0 {
			yield(way{-1, nil, "no service level"})
		}
		for _, k := range classes {
			path, end := walk(t, from, d, k)
			if !yield(way{k, path, end}) {
				return
			}
		}
	}
}

// walk follows a packet through the tables to its end.
func walk(t *model.Table, from model.HostID, d model.DestID, k model.Class) ([]model.State, string) {
	n := t.Network()
	s := model.InjectState(t, from, d, k)
	var path []model.State
	var hops []model.Hop
	for range n.NumSwitches() + 2 {
		path = append(path, s)
		c, _ := n.Channel(s.VC)
		if h := n.HostOf(c); n.Kind(c) == model.Eject {
			if h == t.DestinationHost(d) {
				return path, "delivered"
			}
			return path, "wrong host"
		}
		if hops = t.Next(s, hops[:0]); len(hops) == 0 {
			return path, "dropped"
		}
		s = model.State{VC: hops[0].VC, Dest: d, Class: hops[0].Class}
	}
	return path, "forwarding loop"
}
