package route

import (
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
)

// This file implements unrestricted minimal adaptive routing: every shortest path, on any
// network, on any VC.
//
// Source: folklore. Papers call this routing "fully adaptive" if they do not mention VCs. It is
// free of deadlock only on trees and on a few small networks, such as a ring of three switches.
// Premises: none. Distances are computed on the links that exist. Class: none.

type minimal struct {
	net  *model.Network
	dist *rowCache
}

func newMinimal(n *model.Network, _ Options) (model.Relation, error) {
	r := &minimal{net: n}
	r.dist = newRowCache(n.NumSwitches(), n.NumSwitches(), func(v model.SwitchID) []uint32 { return hv.Hops(n, v) })
	return &relation{rule: r, net: n}, nil
}

func (r *minimal) group(in model.ChannelID, _ int) int { return int(r.net.Head(in)) }

// keeps: shortest paths depend on the network only.
func (r *minimal) keeps(*model.Automorphism) bool { return true }

func (r *minimal) next(p place, buf []model.Hop) []model.Hop {
	dist := r.dist.to(p.v)
	for _, c := range r.net.Out(p.u) {
		if w := r.net.Head(c); w != model.NoSwitch && !r.net.Absent(c) && dist[p.u] != unreachable && dist[w]+1 == dist[p.u] {
			buf = hop(r.net, c, all(r.net), p.class, buf)
		}
	}
	return buf
}
