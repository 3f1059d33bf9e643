package hv

import "github.com/turnproof/turnproof/model"

// This file computes distances and central switches. Roots that depend on prohibited turns are
// computed in synth.

// Far is the distance of a switch that cannot be reached.
const Far = ^uint32(0)

// Hops returns for each switch the number of channels on a shortest path to v, or Far if there
// is no path. Cost: O(channels).
func Hops(n *model.Network, v model.SwitchID) []uint32 {
	dist := make([]uint32, n.NumSwitches())
	for u := range dist {
		dist[u] = Far
	}
	dist[v] = 0
	for queue := []model.SwitchID{v}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		for _, c := range n.Out(at) {
			if w := n.Head(c); w != model.NoSwitch && dist[w] == Far && !n.Absent(n.Reverse(c)) {
				dist[w] = dist[at] + 1
				queue = append(queue, w)
			}
		}
	}
	return dist
}

// Center returns the switch of least eccentricity in the component of u. If there are several,
// it returns the smallest ID.
//
// A search from one switch gives lower bounds on the eccentricity of all others: their distance
// to that switch, and its eccentricity minus this distance (F. Takes and W. Kosters, Algorithms
// 6(1), 2013). A switch whose bound exceeds the best eccentricity needs no search. Cost:
// O(channels) per search; few searches on irregular networks, up to half the switches on
// symmetric networks.
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
