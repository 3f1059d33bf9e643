package route

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// This file implements d-mod-k and s-mod-k routing on fat trees: one path for each pair.
//
// A packet goes up until its switch is above the destination, then down. Going up from level l, a packet of number j takes the up
// port ⌊j/(w1*...*wl)⌋ mod w(l+1), where
// wi is the number of up ports of level i-1 and j is the host of the destination (d-mod-k) or of the source (s-mod-k). Packets to one host meet on
// few links of the tree, so that d-mod-k balances shift permutations. Going down, a packet takes the lowest port that leads to the destination.
// Paths have no up link after a down link, so the graph has no cycle.
//
// Source: Zahavi, D-Mod-K routing providing non-blocking traffic for shift permutations on real life fat trees, Technion CCIT report
// 776, 2010; Leiserson et al., The network
// architecture of the Connection Machine CM-5, SPAA 1992 (routing by the source); Rodriguez et al., Oblivious routing schemes in
// extended generalized fat tree networks,
// CLUSTER 2009 (D-mod-k, S-mod-k). Premises: hosts at one level, links between neighbouring levels only, the same number of up ports for all switches of a
// level. A failed link makes the routing unconnected. Class: for s-mod-k the source.

type modK struct {
	net      *model.Network
	level    []int32             // by switch: distance from the leaves
	ups      [][]model.ChannelID // by switch: channels to the level above, by port
	divisor  []int               // by level: w1*...*wl
	down     *rowCache           // by leaf and switch: 1 + the channel down to the leaf, or 0
	bySource bool
}

func newModK(name string, bySource bool) func(*model.Network, Options) (model.Relation, error) {
	return func(n *model.Network, _ Options) (model.Relation, error) {
		r := &modK{net: n, bySource: bySource}
		if err := r.readTree(name); err != nil {
			return nil, err
		}
		r.down = newRowCache(n.NumSwitches(), n.NumSwitches(), r.fill)
		list := relation{rule: r, net: n}
		if bySource {
			list.classes = n.NumHosts()
		}
		return &modKRelation{list}, nil
	}
}

// modKRelation gives the rule the host of the destination.
type modKRelation struct{ relation }

// SwitchRouted implements model.SwitchRouted: d-mod-k tells the hosts of a switch apart.
func (r *modKRelation) SwitchRouted() bool { return r.rule.(*modK).bySource }

// Inject implements model.Relation.
func (r *modKRelation) Inject(h model.HostID, _ model.DestID, buf []model.Class) []model.Class {
	if !r.rule.(*modK).bySource {
		h = 0
	}
	return append(buf, model.Class(h))
}

// Next implements model.Relation.
func (r *modKRelation) Next(s model.State, buf []model.Hop) []model.Hop {
	k, in := r.rule.(*modK), model.ChannelID(0)
	if in, _ = r.net.Channel(s.VC); r.net.Head(in) == model.NoSwitch || r.net.Head(in) == r.net.Host(r.DestinationHost(s.Dest)).Switch {
		return r.relation.Next(s, buf)
	}
	j := int(s.Dest)
	if k.bySource {
		j = int(s.Class)
	}
	return k.hops(r.net.Head(in), r.net.Host(r.DestinationHost(s.Dest)).Switch, j, s.Class, buf)
}

// readTree finds the levels and the up ports. It fails if n is no tree of levels.
func (r *modK) readTree(name string) error {
	n := r.net
	r.level, r.ups = make([]int32, n.NumSwitches()), make([][]model.ChannelID, n.NumSwitches())
	for u := range r.level {
		r.level[u] = -1
	}
	var queue []model.SwitchID
	for h := range model.HostID(n.NumHosts()) {
		if u := n.Host(h).Switch; r.level[u] < 0 {
			r.level[u] = 0
			queue = append(queue, u)
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		for _, c := range n.Out(queue[0]) {
			if v := n.Head(c); v != model.NoSwitch && r.level[v] < 0 {
				r.level[v] = r.level[queue[0]] + 1
				queue = append(queue, v)
			}
		}
	}
	var width []int // by level: up ports
	for u := range model.SwitchID(n.NumSwitches()) {
		l := int(r.level[u])
		for _, c := range n.Out(u) {
			switch v := n.Head(c); {
			case v == model.NoSwitch:
			case l < 0 || r.level[v] == r.level[u]:
				return fmt.Errorf("route: %s needs a fat tree; switches %s and %s are linked and of one level", name, n.SwitchName(u), n.SwitchName(v))
			case r.level[v] > r.level[u]:
				r.ups[u] = append(r.ups[u], c)
			}
		}
		for len(width) <= l {
			width = append(width, 0)
		}
		if l >= 0 {
			width[l] = max(width[l], len(r.ups[u]))
		}
	}
	r.divisor = []int{1}
	for l, w := range width {
		r.divisor = append(r.divisor, min(r.divisor[l]*max(w, 1), 1<<40))
	}
	return nil
}

// fill finds the switches above leaf v, and their channels down.
func (r *modK) fill(v model.SwitchID) []uint32 {
	row := make([]uint32, r.net.NumSwitches())
	if r.level[v] != 0 {
		return row
	}
	for queue := []model.SwitchID{v}; len(queue) > 0; queue = queue[1:] {
		for _, c := range r.ups[queue[0]] {
			back := r.net.Reverse(c)
			w := r.net.Head(c)
			if row[w] == 0 {
				queue = append(queue, w)
			}
			if row[w] == 0 || r.net.TailPort(back) < r.net.TailPort(model.ChannelID(row[w]-1)) {
				row[w] = 1 + uint32(back)
			}
		}
	}
	return row
}

// hops appends the hop of a packet of number j at u to switch v.
func (r *modK) hops(u, v model.SwitchID, j int, class model.Class, buf []model.Hop) []model.Hop {
	if c := r.down.to(v)[u]; c > 0 {
		return hop(r.net, model.ChannelID(c-1), all(r.net), class, buf)
	}
	if ups := r.ups[u]; len(ups) > 0 {
		return hop(r.net, ups[j/r.divisor[r.level[u]]%len(ups)], all(r.net), class, buf)
	}
	return buf
}

func (r *modK) group(in model.ChannelID, _ int) int { return int(r.net.Head(in)) }

// next is not reached: modKRelation knows the host of the destination.
func (r *modK) next(_ place, buf []model.Hop) []model.Hop { return buf }
