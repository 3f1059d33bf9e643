package family

import (
	"context"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
	"github.com/turnproof/turnproof/model/space"
)

// This file enumerates small networks with canonical trees, by ascending size: all trees
// whose switches are numbered in breadth-first order, with one to four more links.
// Such a link joins switches of the same depth, or a switch with one above it that is to
// the right of its parent. Any other link would change the tree.
//
// Number: n switches have as many trees as the Catalan number of n-1. With 7 switches there are
// 132 trees and some 50,000 networks.

// mostCanonical bounds the number of switches.
const mostCanonical = 8

// refuteCanonical returns the first network on which the allowed turns close a cycle and the
// routing by shortest paths deadlocks. If there is none up to mostCanonical, it returns nil.
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
				if !hasCycle(links, spread, depth, &may, d.space.UTurns) {
					return true
				}
				found, err = d.makeWitness(ctx, set, switches, links)
				return found == nil && err == nil
			})
		})
		if found != nil || err != nil {
			break
		}
	}
	return found, err
}

// makeWitness returns a witness on a network. If the routing does not deadlock, it returns nil.
func (d *Decider) makeWitness(ctx context.Context, set space.Set, switches int, links [][2]int) (*Witness, error) {
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

// canonicalMember returns a network with its canonical tree from switch 0.
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

// eachTree calls f with the parents and depths of each tree until f returns false. Switch 0
// is the root, and parents are ascending.
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

// preorder returns the preorder number of each switch of a tree, children ascending.
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

// moreLinks returns the links that can be added without changing the tree.
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

// eachChoice calls f with links and each choice of one to most of the others, until f
// returns false.
func eachChoice(others [][2]int, most int, links [][2]int, f func([][2]int) bool) bool {
	for i, l := range others {
		with := append(links[:len(links):len(links)], l)
		if !f(with) || most > 1 && !eachChoice(others[i+1:], most-1, with, f) {
			return false
		}
	}
	return true
}

// hasCycle reports whether the allowed turns close a cycle. It removes channels that no
// allowed turn leads to until nothing changes.
func hasCycle(links [][2]int, spread, depth []int, may *[4][4]bool, uTurns bool) bool {
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
