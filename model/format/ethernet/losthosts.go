package ethernet

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/ethernet/dumps"
)

// This file follows frames to hosts whose switches have failed, in the moment before a routing protocol reacts. No route delivers them, but shorter
// prefixes can lead them on, such as default routes, and in a circle.

// lostFrames returns doubts if frames to the hosts of failed switches circle, or if their dependencies close a circle with those of the others. All
// frames are taken to be in one priority.
//
// Cost: O(lost prefixes × (switches + cables)), and as much for each class of destinations if such frames pass two cables.
func (b *builder) lostFrames(whole *builder, x Down) []model.Doubt {
	deps := map[[2]end]bool{}
	var example dumps.Key
	for _, a := range whole.atoms {
		if slices.ContainsFunc(whole.hosts[a.host].homes, func(u int) bool { return !slices.Contains(x.Switches, u) }) {
			continue
		}
		before := len(deps)
		b.follow(nil, deps, func(u int) []end {
			set := []int32{-1}
			if b.fibs[u].longest([]atom{{key: a.key}}, set); set[0] < 0 {
				return nil
			}
			return b.fibs[u].hops[set[0]].ports
		})
		if len(deps) > before {
			example = a.key
		}
	}
	if len(deps) == 0 {
		return nil
	}
	claims := []string{model.ClaimDeadlockFree}
	if hasCircle(successors(deps)) {
		claims = append(claims, model.ClaimLivelockFree)
	}
	for c := range b.rows {
		b.follow(b.hosts[b.host[c]].homes, deps, func(u int) []end { return b.hopsAt(int32(c), u).ports })
	}
	if !hasCircle(successors(deps)) {
		return nil
	}
	return []model.Doubt{{Premise: premiseRerouting, Firm: true, Against: model.AgainstProof, Claims: claims, Reason: fmt.Sprintf(
		"frames to hosts of switches that fail, such as %s, go on by other routes, and can close a circle: they are not followed", example.Prefix())}}
}

// follow adds the dependencies of frames from all hosts but those at some switches: pairs of ports that a frame leaves by, one after the other.
func (b *builder) follow(but []int, deps map[[2]end]bool, next func(u int) []end) {
	seen := make([]bool, len(b.switches))
	var todo []int
	add := func(u int) {
		if !seen[u] {
			seen[u] = true
			todo = append(todo, u)
		}
	}
	for _, h := range b.hosts {
		for _, u := range h.homes {
			if !slices.Contains(but, u) {
				add(u)
			}
		}
	}
	for len(todo) > 0 {
		u := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, e := range next(u) {
			v := b.peer[e].sw
			add(v)
			for _, f := range next(v) {
				deps[[2]end{e, f}] = true
			}
		}
	}
}

// successors returns a graph by its edges.
func successors(edges map[[2]end]bool) map[end][]end {
	next := map[end][]end{}
	for e := range edges {
		next[e[0]] = append(next[e[0]], e[1])
	}
	return next
}
