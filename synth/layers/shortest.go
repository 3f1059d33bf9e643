package layers

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// This file makes forwarding tables of shortest paths, the usual start for layers.

// Shortest returns tables of shortest paths. Of several shortest paths, a packet uses the one
// whose channel has the least load so far, counted in pairs of hosts. The method is single-source
// shortest paths with loads as weights (T. Hoefler, T. Schneider and A. Lumsdaine, Optimized
// routing for large-scale InfiniBand networks, HOTI 2009). There a path may become longer to avoid
// load; here it may not. Shortest fails if the network is not connected. Cost: channels ×
// destination switches.
func Shortest(n *model.Network) (*model.Table, error) {
	n = n.WithVCs(1)
	dests := model.AllAddresses(n)
	byswitch := make([][]model.DestID, n.NumSwitches())
	hosts := make([]int64, n.NumSwitches())
	for h := range model.HostID(n.NumHosts()) {
		hosts[n.Host(h).Switch]++
	}
	for d, dest := range dests {
		u := n.Host(dest.Host).Switch
		byswitch[u] = append(byswitch[u], model.DestID(d))
	}
	t := model.NewTable(n, dests)
	load := make([]int64, n.NumChannels())
	dist, flow := make([]int, n.NumSwitches()), make([]int64, n.NumSwitches())
	for v, list := range byswitch {
		for _, d := range list {
			order := search(n, model.SwitchID(v), dist)
			copy(flow, hosts)
			for i := len(order) - 1; i > 0; i-- { // the farthest switches first, so that flows add up
				u := order[i]
				best := model.NoChannel
				for _, c := range n.Out(u) {
					if n.Kind(c) == model.SwitchToSwitch && dist[n.Head(c)] == dist[u]-1 && (best == model.NoChannel || load[c] < load[best]) {
						best = c
					}
				}
				t.SetPort(u, d, n.TailPort(best))
				if !n.Host(dests[d].Host).Management {
					load[best] += flow[u]
					flow[n.Head(best)] += flow[u]
				}
			}
			if len(order) < n.NumSwitches() {
				return nil, fmt.Errorf("layers: the network is not connected: no path leads to %s from some switch", n.SwitchName(model.SwitchID(v)))
			}
			t.SetPort(model.SwitchID(v), d, n.TailPort(n.EjectChannel(dests[d].Host)))
		}
	}
	return t, nil
}

// search computes distances to switch v, and returns the switches by ascending distance.
func search(n *model.Network, v model.SwitchID, dist []int) []model.SwitchID {
	for u := range dist {
		dist[u] = -1
	}
	dist[v] = 0
	order := []model.SwitchID{v}
	for i := 0; i < len(order); i++ {
		for _, c := range n.Out(order[i]) {
			if n.Kind(c) != model.SwitchToSwitch {
				continue
			}
			if u := n.Head(c); dist[u] < 0 {
				dist[u] = dist[order[i]] + 1
				order = append(order, u)
			}
		}
	}
	return order
}
