package vlan

import "github.com/turnproof/turnproof/model"

// This file implements the routing relation of a set. Class: the index of the VLAN in the set.

type relation struct{ *Set }

// Relation returns the routing of frames. The VC on a channel is that of the VLAN's priority. A
// pair that uses no VLAN has no route.
//
// Premise: switches have static entries for the addresses of all members of a VLAN that receive
// frames in it; see Flooding.
func (s *Set) Relation() model.Relation { return &relation{s} }

// Of returns the set of a relation that Set.Relation returned, or nil for other relations.
func Of(r model.Relation) *Set {
	if v, ok := r.(*relation); ok {
		return v.Set
	}
	return nil
}

// Classes implements model.Relation.
func (r *relation) Classes() int { return max(1, len(r.list)) }

// Sources implements model.Relation.
func (r *relation) Sources() int { return r.net.NumHosts() }

// Destinations implements model.Relation.
func (r *relation) Destinations() int { return r.net.NumHosts() }

// DestinationHost implements model.Relation.
func (r *relation) DestinationHost(d model.DestID) model.HostID { return model.HostID(d) }

// Inject implements model.Relation.
func (r *relation) Inject(h model.HostID, d model.DestID, buf []model.Class) []model.Class {
	if k := r.Use(h, model.HostID(d)); k != None {
		buf = append(buf, model.Class(k))
	}
	return buf
}

// Next implements model.Relation. It appends one hop, or none if the frame is dropped.
func (r *relation) Next(s model.State, buf []model.Hop) []model.Hop {
	in, _ := r.net.Channel(s.VC)
	u := r.net.Head(in)
	if u == model.NoSwitch {
		return buf
	}
	out := r.Set.Next(int(s.Class), u, model.HostID(s.Dest))
	if out == model.NoChannel || out == r.net.Reverse(in) {
		return buf
	}
	vc := 0
	if r.net.Kind(out) == model.SwitchToSwitch {
		vc = r.vc[s.Class]
	}
	return append(buf, model.Hop{VC: r.net.VC(out, vc), Class: s.Class})
}
