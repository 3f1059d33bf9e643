package hv

import "github.com/turnproof/turnproof/model"

// This file measures distances and finds central switches. Roots that depend on
// what a method prohibits are found in synth.

// Far is the distance of what cannot be reached.
const Far = ^uint32(0)

// Hops returns, by switch, the fewest channels on a way to v, Far where there
// is none. Cost: O(channels).
func Hops(n *model.Network, v model.SwitchID) []uint32 {
	dist := make([]uint32, n.NumSwitches())
	for u := range dist {
		dist[u] = Far
	}
	dist[v] = 0
	for queue := []model.SwitchID{v}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		for _, c := range n.Out(at) { // a cable has both directions
			if w := n.Head(c); w != model.NoSwitch && dist[w] == Far {
				dist[w] = dist[at] + 1
				queue = append(queue, w)
			}
		}
	}
	return dist
}

// Center returns the switch of least eccentricity, of several the one of
// smallest ID, in the part of the network that u is in.
//
// Every search from a switch bounds the eccentricity of all others from below,
// by their distance to it and by its eccentricity less that distance (F. Takes
// and W. Kosters, Algorithms 6(1), 2013); what is bounded above the best needs
// no search. Cost: O(channels) a search; few on irregular networks, up to half
// the switches on symmetric ones.
func Center(n *model.Network, u model.SwitchID) model.SwitchID {
	bound := make([]uint32, n.NumSwitches())
	done := make([]bool, n.NumSwitches())
	for v, d := range Hops(n, u) {
		done[v] = d == Far
	}
	best, least := model.NoSwitch, Far
	for {
		next := model.NoSwitch
		for v := range model.SwitchID(len(bound)) {
			if !done[v] && (bound[v] < least || bound[v] == least && v < best) && (next < 0 || bound[v] < bound[next]) {
				next = v
			}
		}
		if next < 0 {
			return best
		}
		done[next] = true
		dist := Hops(n, next)
		ecc := uint32(0)
		for _, d := range dist {
			if d != Far {
				ecc = max(ecc, d)
			}
		}
		if ecc < least || ecc == least && next < best {
			best, least = next, ecc
		}
		for v, d := range dist {
			if d != Far {
				bound[v] = max(bound[v], d, ecc-d)
			}
		}
	}
}
