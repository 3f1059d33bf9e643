package control

import (
	"fmt"
	"slices"
)

// This file has the switches and the result that all protocols share.

// Network is what a control plane knows. Switches are 0, 1, 2, ...
type Network struct {
	Near  [][]int  // by switch: the neighbours with a cable that is up, ascending, each once
	AS    []uint32 // by switch: the number of its autonomous system, for BGP
	Level []int    // by switch: its level, for UpDown; a cable joins two levels
}

// Routes are the routes to one prefix.
type Routes struct {
	Next [][]int // by switch: the neighbours that are next hops, ascending; nil if there is no route, or at an origin
	// Unsure says why the protocol does not determine the routes, or is empty.
	Unsure string
	// Mute are the silent switches of which no neighbour would use the route if they announced it.
	Mute []int
}

// Prefix is a prefix that switches announce.
type Prefix struct {
	Origins []int
	// Silent are switches that do not announce it: they announce a shorter prefix that contains it (aggregate-address ... summary-only).
	// OSPF has none.
	Silent []int
	// Reject has pairs of a switch and a neighbour from which it does not accept the prefix. Only BGP has them.
	Reject map[[2]int]bool
}

// Protocol is a control plane: it computes the routes to a prefix. Origins have no next hops.
type Protocol func(n *Network, p Prefix) Routes

// OSPF returns the shortest paths, if all interfaces have the same cost (RFC 2328, section 16): a switch uses all neighbours on one.
// Cost: O(switches + cables).
func OSPF(n *Network, p Prefix) Routes {
	far := make([]int, len(n.Near))
	for u := range far {
		far[u] = -1
	}
	todo := slices.Clone(p.Origins)
	for _, u := range todo {
		far[u] = 0
	}
	for k := 0; k < len(todo); k++ {
		u := todo[k]
		for _, v := range n.Near[u] {
			if far[v] < 0 {
				far[v] = far[u] + 1
				todo = append(todo, v)
			}
		}
	}
	r := Routes{Next: make([][]int, len(n.Near))}
	all := make([]int, 0, 4*len(n.Near))
	for u, near := range n.Near {
		from := len(all)
		for _, v := range near {
			if far[v] >= 0 && far[v] == far[u]-1 {
				all = append(all, v)
			}
		}
		if len(all) > from {
			r.Next[u] = all[from:len(all):len(all)]
		}
	}
	return r
}

// UpDown returns the shortest paths that do not go up after they have come down. BGP computes them if each switch announces to those
// above only what it originates or has heard from below. Cost: O(switches + cables).
func UpDown(n *Network, p Prefix) Routes {
	far, below, above := make([]int, len(n.Near)), make([]bool, len(n.Near)), make([]bool, len(n.Near))
	for u := range far {
		far[u] = -1
	}
	r := Routes{Next: make([][]int, len(n.Near))}
	todo := slices.Clone(p.Origins)
	for _, u := range todo {
		far[u], below[u] = 0, true
	}
	isUsed := func(v, u int) bool { return (far[u] < 0 || far[u] > far[v]) && (n.Level[u] < n.Level[v] || below[v]) }
	for k := 0; k < len(todo); k++ {
		v := todo[k]
		if slices.Contains(p.Silent, v) {
			continue
		}
		for _, u := range n.Near[v] {
			if !isUsed(v, u) {
				continue
			}
			goesUp := n.Level[u] > n.Level[v]
			if goesUp && above[v] && r.Unsure == "" {
				r.Unsure = "a switch has equal paths from above and from below, and announces one of them"
			}
			if far[u] < 0 {
				far[u] = far[v] + 1
				todo = append(todo, u)
			}
			below[u], above[u] = below[u] || goesUp, above[u] || !goesUp
			r.Next[u] = append(r.Next[u], v)
		}
	}
	for _, next := range r.Next {
		slices.Sort(next)
	}
	for _, v := range p.Silent {
		if far[v] >= 0 && !slices.ContainsFunc(n.Near[v], func(u int) bool { return isUsed(v, u) }) {
			r.Mute = append(r.Mute, v)
		}
	}
	return r
}

// CheckLevels returns an error if a cable joins two switches of one level, or of none.
func (n *Network) CheckLevels(name func(u int) string) error {
	for u, near := range n.Near {
		for _, v := range near {
			if u < v && n.Level[u] == n.Level[v] {
				return fmt.Errorf("a cable joins %s and %s, both at level %d; want levels that differ by one for paths up and down",
					name(u), name(v), n.Level[u])
			}
		}
	}
	return nil
}
