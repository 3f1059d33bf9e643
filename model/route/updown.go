package route

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
)

// This file implements up*/down* routing on any network.
//
// Promise: a channel is up if it leads to a switch nearer to the root, or to the smaller ID at
// equal distance. A path has no up channel after a down channel. A packet may take every
// shortest such path from its switch, which can be longer than a shortest path of the network.
// Source: M. D. Schroeder et al., Autonet: a high-speed, self-configuring local area network
// using point-to-point links, IEEE JSAC 9(8), 1991. The paper builds a spanning tree by its own
// protocol. We use breadth-first distances from Options.Root. The default root is the switch of
// least eccentricity, smallest ID first. Premises: none. Each component of a network has its
// own root. Any number of VCs, all treated the same. Class: none; the channel of a packet shows
// whether the packet has gone down.

type upDown struct {
	relation
	up   []bool    // by channel between switches
	dist *rowCache // entry 2u: from switch u with up channels allowed; 2u+1: without
	// steps are the channels between switches by their tails, those of switch u from startOf[u].
	steps   []step
	startOf []int32
	// into are the entries of dist from which one hop leads to an entry, those of entry i from intoOf[i].
	into   []int32
	intoOf []int32
}

// step is a channel between switches, and the entry of dist after it.
type step struct {
	c  model.ChannelID
	to int32
}

func newUpDown(n *model.Network, o Options) (model.Relation, error) {
	depth, err := depths(n, o.Root)
	if err != nil {
		return nil, err
	}
	r := &upDown{relation: relation{net: n}, up: make([]bool, n.NumLinkChannels())}
	for c := range model.ChannelID(len(r.up)) {
		u, v := n.Tail(c), n.Head(c)
		r.up[c] = depth[v] < depth[u] || depth[v] == depth[u] && v < u
	}
	for u := range model.SwitchID(n.NumSwitches()) {
		r.startOf = append(r.startOf, int32(len(r.steps)))
		for _, c := range n.Out(u) {
			if n.Kind(c) != model.SwitchToSwitch {
				continue
			}
			to := 2 * int32(n.Head(c))
			if !r.up[c] {
				to++
			}
			r.steps = append(r.steps, step{c, to})
		}
	}
	r.startOf = append(r.startOf, int32(len(r.steps)))
	r.reverse()
	r.dist = newRowCache(n.NumSwitches(), 2*n.NumSwitches(), r.fill)
	r.relation = relation{rule: r, net: n}
	return r, nil
}

// Turns implements model.Restricted.
func (r *upDown) Turns() *model.TurnSet {
	set := model.NewTurnSet(r.net)
	for t := range model.Turns(r.net, false) {
		in, _ := r.net.Channel(t.In)
		out, _ := r.net.Channel(t.Out)
		if r.up[in] || !r.up[out] {
			set.Add(t)
		}
	}
	return set
}

// depths returns the distance of each switch from the root of its component.
func depths(n *model.Network, root *model.SwitchID) ([]uint32, error) {
	depth := make([]uint32, n.NumSwitches())
	for u := range depth {
		depth[u] = unreachable
	}
	addComponent := func(root model.SwitchID) {
		for u, d := range hv.Hops(n, root) {
			if d != unreachable {
				depth[u] = d
			}
		}
	}
	if root != nil {
		if *root < 0 || int(*root) >= n.NumSwitches() {
			return nil, fmt.Errorf("route: updown: no switch %d for the root; want 0 to %d", *root, n.NumSwitches()-1)
		}
		addComponent(*root)
	}
	for u := range depth {
		if depth[u] == unreachable {
			addComponent(hv.Center(n, model.SwitchID(u)))
		}
	}
	return depth, nil
}

// reverse fills into. The channel back along an up channel goes down, and the other way round. Before a down channel, up
// channels are allowed or not.
func (r *upDown) reverse() {
	for i := range int32(2 * len(r.startOf[1:])) {
		r.intoOf = append(r.intoOf, int32(len(r.into)))
		u, onlyDown := i/2, i%2 == 1
		for _, x := range r.steps[r.startOf[u]:r.startOf[u+1]] {
			switch up := x.to%2 == 0; {
			case up && onlyDown:
				r.into = append(r.into, x.to, x.to+1)
			case !up && !onlyDown:
				r.into = append(r.into, x.to-1)
			}
		}
	}
	r.intoOf = append(r.intoOf, int32(len(r.into)))
}

// fill computes the distances to v by a search backwards from v.
func (r *upDown) fill(v model.SwitchID) []uint32 {
	dist := make([]uint32, 2*r.net.NumSwitches())
	for i := range dist {
		dist[i] = unreachable
	}
	queue := make([]int32, 2, len(dist))
	queue[0], queue[1] = 2*int32(v), 2*int32(v)+1
	dist[2*v], dist[2*v+1] = 0, 0
	for i := 0; i < len(queue); i++ {
		at := queue[i]
		next := dist[at] + 1
		for _, j := range r.into[r.intoOf[at]:r.intoOf[at+1]] {
			if dist[j] == unreachable {
				dist[j] = next
				queue = append(queue, j)
			}
		}
	}
	return dist
}

func (r *upDown) group(in model.ChannelID, _ int) int {
	g := 2 * int(r.net.Head(in))
	if r.net.Kind(in) == model.SwitchToSwitch && !r.up[in] {
		g++
	}
	return g
}

// keeps: the paths depend on the network and the up channels only.
func (r *upDown) keeps(a *model.Automorphism) bool {
	for c, up := range r.up {
		if r.up[a.Channel(model.ChannelID(c))] != up {
			return false
		}
	}
	return true
}

// enters implements enterer: up channels are allowed on entering.
func (r *upDown) enters() {}

func (r *upDown) next(p place, buf []model.Hop) []model.Hop {
	dist, at := r.dist.to(p.v), 2*int(p.u)
	if p.in != model.NoChannel && r.net.Kind(p.in) == model.SwitchToSwitch && !r.up[p.in] {
		at++
	}
	if dist[at] == unreachable {
		return buf
	}
	vcs, wanted := r.net.VCs(), dist[at]-1
	for _, x := range r.steps[r.startOf[p.u]:r.startOf[p.u+1]] {
		if at&1 == 1 && x.to&1 == 0 {
			continue // up after down
		}
		if dist[x.to] != wanted {
			continue
		}
		for i := range vcs {
			buf = append(buf, model.Hop{VC: r.net.VC(x.c, i), Class: p.class})
		}
	}
	return buf
}
