package control

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// This file models BGP between neighbours with different AS numbers (RFC 4271, RFC 7938), as FRR configures it with
// "bestpath as-path multipath-relax": a switch prefers the shortest AS path, uses all neighbours whose paths are as short, and announces one
// of these paths. It rejects paths with its own AS number.

// mostPaths limits the AS paths of a switch that are distinguished.
const mostPaths = 64

// speaker is a switch that speaks BGP.
type speaker struct {
	far   int      // the length of its AS path; -1 if it has no route yet
	paths []string // the sets of numbers on its best paths that several switches have, sorted; it announces one of the paths
}

// BGP returns the routes of eBGP. If AS numbers are all different, they are the shortest paths. Otherwise it depends on the path that a
// switch announces who rejects it. FRR announces the oldest of several equal paths; if that makes a difference, Unsure says so.
// It fails if neighbours have the same number, since the model has no iBGP.
// Cost: O(switches + cables) for each set of numbers on paths, of which there are few in fabrics with tiers.
func BGP(n *Network, p Prefix) Routes {
	shared := n.shared()
	if len(shared) == 0 && len(p.Silent) == 0 && len(p.Reject) == 0 {
		return OSPF(n, p)
	}
	list := make([]speaker, len(n.Near))
	for u := range list {
		list[u].far = -1
	}
	r := Routes{Next: make([][]int, len(n.Near))}
	for _, u := range p.Origins {
		list[u] = speaker{0, []string{""}}
	}
	for front := slices.Clone(p.Origins); len(front) > 0; {
		front = slices.DeleteFunc(front, func(v int) bool { return slices.Contains(p.Silent, v) })
		front = n.spread(list, front, shared, p.Reject, &r)
	}
	for _, next := range r.Next {
		slices.Sort(next)
	}
	isUsed := func(v, u int) bool {
		heard, rejected := list[v].heardBy(n.AS[u], n.AS[v], shared)
		return len(heard) > 0 && !rejected && (list[u].far < 0 || list[u].far > list[v].far)
	}
	for _, v := range p.Silent {
		if list[v].far >= 0 && !slices.ContainsFunc(n.Near[v], func(u int) bool { return isUsed(v, u) }) {
			r.Mute = append(r.Mute, v)
		}
	}
	return r
}

// spread gives routes to the switches that hear of the prefix from those in front, which have paths of equal length. It returns them.
func (n *Network) spread(list []speaker, front []int, shared map[uint32]bool, reject map[[2]int]bool, r *Routes) (next []int) {
	for _, v := range front {
		for _, u := range n.Near[v] {
			if list[u].far >= 0 && list[u].far <= list[v].far || reject[[2]int{u, v}] {
				continue
			}
			heard, rejected := list[v].heardBy(n.AS[u], n.AS[v], shared)
			if len(heard) > 0 && rejected && r.Unsure == "" {
				r.Unsure = fmt.Sprintf("AS %d is on some of the equal paths of a switch of AS %d, which announces one of them", n.AS[u], n.AS[v])
			}
			if len(heard) == 0 {
				continue
			}
			if list[u].far < 0 {
				next = append(next, u)
			}
			list[u].far = list[v].far + 1
			for _, p := range heard {
				if !slices.Contains(list[u].paths, p) {
					list[u].paths = append(list[u].paths, p)
				}
			}
			if len(list[u].paths) > mostPaths && r.Unsure == "" {
				r.Unsure = fmt.Sprintf("a switch of AS %d has more than %d different equal paths", n.AS[u], mostPaths)
				list[u].paths = list[u].paths[:mostPaths]
			}
			r.Next[u] = append(r.Next[u], v)
		}
	}
	return next
}

// heardBy returns the paths of a switch of AS own as a neighbour of AS as hears them, and whether the neighbour rejects some.
func (s *speaker) heardBy(as, own uint32, shared map[uint32]bool) (heard []string, rejected bool) {
	for _, p := range s.paths {
		if shared[own] {
			p = with(p, own)
		}
		if shared[as] && has(p, as) {
			rejected = true
			continue
		}
		heard = append(heard, p)
	}
	return heard, rejected
}

// has reports whether a set contains an AS number. A set is the numbers in big-endian order, ascending.
func has(set string, as uint32) bool {
	for ; set != ""; set = set[4:] {
		if binary.BigEndian.Uint32([]byte(set)) == as {
			return true
		}
	}
	return false
}

// with returns a set with an AS number.
func with(set string, as uint32) string {
	number := string(binary.BigEndian.AppendUint32(nil, as))
	k := 0
	for k < len(set) && set[k:k+4] < number {
		k += 4
	}
	if k < len(set) && set[k:k+4] == number {
		return set
	}
	return set[:k] + number + set[k:]
}

// shared returns the AS numbers that several switches have.
func (n *Network) shared() map[uint32]bool {
	seen, shared := map[uint32]bool{}, map[uint32]bool{}
	for _, as := range n.AS {
		if seen[as] {
			shared[as] = true
		}
		seen[as] = true
	}
	return shared
}

// CheckAS returns an error if a switch has no AS number, or two neighbours have the same, so that their session is iBGP.
func (n *Network) CheckAS(name func(u int) string) error {
	for u, near := range n.Near {
		if n.AS[u] == 0 {
			return fmt.Errorf("%s has no AS number", name(u))
		}
		for _, v := range near {
			if u < v && n.AS[u] == n.AS[v] {
				return fmt.Errorf("the neighbours %s and %s are both in AS %d; want different numbers, since the model has no iBGP", name(u), name(v), n.AS[u])
			}
		}
	}
	return nil
}
