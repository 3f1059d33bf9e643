package vlan

import "github.com/turnproof/turnproof/model"

// This file is a set as a routing relation.
// Class: the VLAN, by its place in the set.

type relation struct{ *Set }

// Relation returns how frames are routed. The VC on a channel is that of the
// VLAN's priority; a pair that uses no VLAN has no route.
//
// Premise: switches know the addresses of all members of a VLAN that frames are
// sent to in it, by static entries; see Flooding.
func (s *Set) Relation() model.Relation { return &relation{s} }

// Of returns the set that a relation is of, nil if it is of none.
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

// Next implements model.Relation: one hop, none where the frame is dropped.
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
