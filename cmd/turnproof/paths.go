package main

import (
	"iter"

	"turnproof/model"
)

// way is what becomes of a packet.
type way struct {
	source model.HostID
	dest   model.DestID
	class  model.Class // -1: none to send with
	path   []model.State
	end    string // "delivered", or how it is lost
}

// paths yields the ways from one endpoint to another: one for each of the
// destination's addresses and each class that may be used.
func (in *input) paths(from, to model.HostID) iter.Seq[way] {
	return func(yield func(way) bool) {
		t := in.table
		for d := range model.DestID(t.Destinations()) {
			if t.DestinationHost(d) != to || !model.Sends(t, from, d) {
				continue
			}
			classes := t.Inject(from, d, nil)
			if len(classes) == 0 && !yield(way{from, d, -1, nil, "no service level"}) {
				return
			}
			for _, k := range classes {
				path, end := walk(t, from, d, k)
				if !yield(way{from, d, k, path, end}) {
					return
				}
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
