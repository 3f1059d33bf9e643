package family

import (
	"context"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
	"github.com/turnproof/turnproof/model/space"
)

// This file lists small networks on their canonical trees: by ascending size, all
// trees whose switches are numbered as a breadth-first search finds them, with one
// to four links more. Such a link joins switches of the same depth, or a switch with
// one above it to the right of its parent: any other would change the tree.
//
// Number: the trees of n switches are the Catalan number of n-1; with 7 switches
// 132, and some 50,000 networks.

// mostCanonical bounds the size.
const mostCanonical = 8

// refuteCanonical returns the first of them on which the set's turns close a cycle
// that the routing by shortest paths has, too.
func (d *Decider) refuteCanonical(ctx context.Context, set space.Set) (found *Witness, err error) {
	var may [4][4]bool
	for _, e := range d.space.Steps(set) {
		may[e.From][e.To] = true
	}
	for switches := 3; switches <= mostCanonical; switches++ {
		eachTree(switches, func(parent, depth []int) bool {
			if err = ctx.Err(); err != nil {
				return false
			}
			spread := preorder(parent)
			links := [][2]int{}
			for v := 1; v < switches; v++ {
				links = append(links, [2]int{parent[v], v})
			}
			return eachChoice(moreLinks(parent, depth), 4, links, func(links [][2]int) bool {
				if !closes(links, spread, depth, &may, d.space.UTurns) {
					return true
				}
				found, err = d.looked(ctx, set, switches, links)
				return found == nil && err == nil
			})
		})
		if found != nil || err != nil {
			break
		}
	}
	return found, err
}

// looked makes a witness of a network, nil if the routing does not have the cycle.
func (d *Decider) looked(ctx context.Context, set space.Set, switches int, links [][2]int) (*Witness, error) {
	n, err := network(switches, links)
	if err != nil {
		return nil, err
	}
	m, err := canonicalMember(d.space, n)
	if err != nil {
		return nil, err
	}
	if used, err := m.Used(ctx, set); err != nil || !used {
		return nil, err
	}
	return m.cycle(ctx, set)
}

// canonicalMember puts a network on its canonical tree from switch 0.
func canonicalMember(s *space.Space, n *model.Network) (*Member, error) {
	t, err := hv.NewTree(n, 0, hv.Options{})
	if err != nil {
		return nil, err
	}
	at := make([][]int, n.NumSwitches())
	for u := range at {
		at[u] = []int{int(t.Spread[u]), int(t.Depth[u])}
	}
	return treeMember(s, n, at), nil
}

// eachTree calls f with the parents and depths of all trees, switch 0 the root and
// parents ascending, until it returns false.
func eachTree(switches int, f func(parent, depth []int) bool) {
	parent, depth := make([]int, switches), make([]int, switches)
	var grow func(v int) bool
	grow = func(v int) bool {
		if v == switches {
			return f(parent, depth)
		}
		for p := parent[v-1]; p < v; p++ {
			parent[v], depth[v] = p, depth[p]+1
			if !grow(v + 1) {
				return false
			}
		}
		return true
	}
	grow(1)
}

// preorder numbers the switches of a tree, children ascending.
func preorder(parent []int) []int {
	number, count := make([]int, len(parent)), 0
	var visit func(u int)
	visit = func(u int) {
		number[u] = count
		count++
		for v := max(u+1, 1); v < len(parent); v++ {
			if parent[v] == u {
				visit(v)
			}
		}
	}
	visit(0)
	return number
}

// moreLinks are the links that leave a tree what it is.
func moreLinks(parent, depth []int) (links [][2]int) {
	for v := range parent {
		for u := range v {
			if depth[u] == depth[v] || depth[u] == depth[v]-1 && u > parent[v] {
				links = append(links, [2]int{u, v})
			}
		}
	}
	return links
}

// eachChoice calls f with the links that are there and each choice of one to most
// others, until it returns false.
func eachChoice(others [][2]int, most int, links [][2]int, f func([][2]int) bool) bool {
	for i, l := range others {
		with := append(links[:len(links):len(links)], l)
		if !f(with) || most > 1 && !eachChoice(others[i+1:], most-1, with, f) {
			return false
		}
	}
	return true
}

// closes reports whether allowed turns close a cycle: what no turn leads to is taken
// away until nothing is left, or something that stays.
func closes(links [][2]int, spread, depth []int, may *[4][4]bool, uTurns bool) bool {
	type channel struct{ from, to, dir int }
	var all []channel
	for _, l := range links {
		for _, c := range [][2]int{l, {l[1], l[0]}} {
			all = append(all, channel{c[0], c[1], int(hv.DirBetween(int32(spread[c[0]]), int32(depth[c[0]]), int32(spread[c[1]]), int32(depth[c[1]])))})
		}
	}
	for again := true; again; {
		again = false
		for i := 0; i < len(all); i++ {
			reached := false
			for _, a := range all {
				if a.to == all[i].from && (uTurns || a.from != all[i].to) && may[a.dir][all[i].dir] {
					reached = true
					break
				}
			}
			if !reached {
				all[i] = all[len(all)-1]
				all, again = all[:len(all)-1], true
				i--
			}
		}
	}
	return len(all) > 0
}
