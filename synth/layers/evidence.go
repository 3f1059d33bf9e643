package layers

import (
	"context"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/cert"
)

// This file writes the evidence that some paths need a number of VCs, in the form of verify/cert/vccount.go.

// Core says which paths or pairs need how many VCs. Paths has indexes of Routes.Paths or Routes.Turns.
type Core struct {
	Mode  Mode
	Bound int
	Paths []int32
}

// Evidence returns the claim that the paths of a core need Bound VCs. rel is a relation of the routes, with VCs;
// choices is the result of CollectPaths, or nil. Evidence returns nil if ctx ends before.
func Evidence(ctx context.Context, rel model.Relation, r *Routes, choices []Choice, c Core) (*cert.Claim, error) {
	var packets []cert.Packet
	var list []demand
	var of []int // by packet: its demand
	for _, p := range c.Paths {
		shown, d, err := r.show(rel, choices, p)
		if err != nil {
			return nil, err
		}
		if c.Mode.byHop() {
			d = demand{path: r.Paths[p]}
		}
		for range shown {
			of = append(of, len(list))
		}
		packets, list = append(packets, shown...), append(list, d)
	}
	x := &decider{net: r.Net, mode: c.Mode, demands: list}
	all := make([]int, len(list))
	for i := range all {
		all[i] = i
	}
	needed, steps := x.shrink(ctx, c.Bound-1, all)
	if steps == nil {
		return nil, nil
	}
	bound, numbers := int64(c.Bound), cert.Ints(steps)
	claim := &cert.Claim{Claim: cert.ClaimLowerBound, Verdict: cert.Proved, Evidence: c.Mode.evidence(), Bound: &bound, Steps: &numbers}
	for i, p := range packets {
		if slices.Contains(needed, of[i]) {
			claim.Packets = append(claim.Packets, p)
		}
	}
	return claim, nil
}

// show returns packets of rel that have the dependencies of a path or pair, and these dependencies in the order of the
// packets.
func (r *Routes) show(rel model.Relation, choices []Choice, p int32) (packets []cert.Packet, d demand, err error) {
	if r.Paths == nil {
		return r.showPair(rel, p)
	}
	d.turns = slices.Collect(dependencies(r.Paths[p]))
	var h, to model.HostID
	if choices != nil {
		i := slices.IndexFunc(choices, func(x Choice) bool { return x.Path == p })
		h, to = choices[i].Source, choices[i].Dest
	} else {
		from, dest := r.PairOf(p)
		h, to = from, rel.DestinationHost(dest)
	}
	for dest := range model.DestID(rel.Destinations()) {
		if rel.DestinationHost(dest) != to {
			continue
		}
		for _, k := range rel.Inject(h, dest, nil) {
			if path := along(rel, model.InjectState(rel, h, dest, k), r.Paths[p]); path != nil {
				return []cert.Packet{packetOf(h, path)}, d, nil
			}
		}
	}
	return nil, d, fmt.Errorf("layers: internal error: no packet from %s to %s takes its path", r.Net.HostLabel(h), r.Net.HostLabel(to))
}

// along returns the states of a packet that takes some channels first, or nil.
func along(rel model.Relation, s model.State, channels []model.ChannelID) []model.State {
	if len(channels) == 0 {
		return []model.State{s}
	}
	for _, hop := range rel.Next(s, nil) {
		if c, _ := rel.Network().Channel(hop.VC); c == channels[0] {
			if rest := along(rel, model.State{VC: hop.VC, Dest: s.Dest, Class: hop.Class}, channels[1:]); rest != nil {
				return append([]model.State{s}, rest...)
			}
		}
	}
	return nil
}

// showPair is show for a pair: one packet after the other, until all dependencies are shown.
func (r *Routes) showPair(rel model.Relation, p int32) (packets []cert.Packet, d demand, err error) {
	h, to := r.PairOf(p)
	shown := map[model.Turn]bool{}
	for _, t := range r.Turns[p] {
		if shown[t] {
			continue
		}
		path, err := through(rel, h, to, t)
		if err != nil {
			return nil, d, err
		}
		var channels []model.ChannelID
		for _, s := range path[1:] {
			c, _ := rel.Network().Channel(s.VC)
			channels = append(channels, c)
		}
		for t := range dependencies(channels) {
			if !shown[t] {
				shown[t] = true
				d.turns = append(d.turns, t)
			}
		}
		packets = append(packets, packetOf(h, path))
	}
	return packets, d, nil
}

// through returns the states of a packet whose last hop is a dependency of channels.
func through(rel model.Relation, h model.HostID, d model.DestID, t model.Turn) (path []model.State, err error) {
	n := rel.Network()
	by := map[model.State]model.State{}
	err = eachStep(rel, h, d, func(s model.State, hop model.Hop) bool {
		next := model.State{VC: hop.VC, Dest: d, Class: hop.Class}
		in, _ := n.Channel(s.VC)
		out, _ := n.Channel(hop.VC)
		if in == model.ChannelID(t.In) && out == model.ChannelID(t.Out) {
			path = []model.State{next, s}
			return false
		}
		if _, ok := by[next]; !ok {
			by[next] = s
		}
		return true
	})
	if err != nil || path == nil {
		return nil, fmt.Errorf("layers: internal error: no packet has a dependency of its pair: %v", err)
	}
	for s := path[1]; ; path = append(path, s) {
		c, _ := n.Channel(s.VC)
		if n.Kind(c) == model.Inject {
			break
		}
		s = by[s]
	}
	slices.Reverse(path)
	return path, nil
}

// packetOf returns a packet with its path.
func packetOf(h model.HostID, path []model.State) cert.Packet {
	p := cert.Packet{Source: int(h), Destination: int(path[0].Dest), Class: int(path[0].Class)}
	for _, s := range path {
		p.Path = append(p.Path, int32(s.VC), int32(s.Class))
	}
	return p
}
