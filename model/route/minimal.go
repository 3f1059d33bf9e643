package route

import (
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
)

// This file is unrestricted minimal adaptive routing: every shortest path, on
// any network, on any VC.
//
// Source: folklore; it is what "fully adaptive" means where nothing is said of
// VCs. Deadlock-free on trees and a few small networks only (a ring of three).
// Premises: none. Distances are those of the links that are there.
// Class: none.

type minimal struct {
	net  *model.Network
	dist *rows
}

func newMinimal(n *model.Network, _ Options) (model.Relation, error) {
	r := &minimal{net: n}
	r.dist = newRows(n.NumSwitches(), n.NumSwitches(), func(v model.SwitchID) []uint32 { return hv.Hops(n, v) })
	return &relation{rule: r, net: n}, nil
}

func (r *minimal) next(p place, buf []model.Hop) []model.Hop {
	dist := r.dist.to(p.v)
	for _, c := range r.net.Out(p.u) {
		if w := r.net.Head(c); w != model.NoSwitch && dist[p.u] != far && dist[w]+1 == dist[p.u] {
			buf = hop(r.net, c, all(r.net), p.class, buf)
		}
	}
	return buf
}
