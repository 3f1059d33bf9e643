package figure

import (
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file chooses the dependencies that a drawing of a large graph shows (dependencies.go).

// busiest returns the vertex with the most dependencies.
func (d *depGraph) busiest() model.VCID {
	count := make(map[model.VCID]int)
	best := d.vertices[0]
	for _, t := range d.deps {
		count[t.In]++
		count[t.Out]++
	}
	for _, v := range d.vertices {
		if count[v] > count[best] {
			best = v
		}
	}
	return best
}

// maxAbreast is the largest number of vertices of a level that are drawn, if only part of a graph
// is drawn.
const maxAbreast = 6

// grow adds neighbours to seeds until there are limit vertices. It prefers neighbours with many
// dependencies on vertices that are already chosen.
func (d *depGraph) grow(seeds []model.VCID, limit int) []model.VCID {
	in := make(map[model.VCID]bool)
	for _, v := range seeds {
		in[v] = true
	}
	shown := slices.Clone(seeds)
	abreast := make(map[int]int)
	for _, v := range seeds {
		abreast[d.level[v]]++
	}
	for len(shown) < limit {
		count := make(map[model.VCID]int)
		for _, t := range d.deps {
			if in[t.In] && !in[t.Out] {
				count[t.Out]++
			}
			if in[t.Out] && !in[t.In] {
				count[t.In]++
			}
		}
		var next []model.VCID
		for _, v := range d.vertices {
			if count[v] > 0 && (d.level == nil || abreast[d.level[v]] < maxAbreast) {
				next = append(next, v)
			}
		}
		if len(next) == 0 {
			break
		}
		slices.SortStableFunc(next, func(v, w model.VCID) int { return count[w] - count[v] })
		for _, v := range next {
			if len(shown) < limit && (d.level == nil || abreast[d.level[v]] < maxAbreast) {
				in[v] = true
				abreast[d.level[v]]++
				shown = append(shown, v)
			}
		}
	}
	slices.Sort(shown)
	return shown
}

func compareTurns(a, b model.Turn) int {
	if a.In != b.In {
		return int(a.In) - int(b.In)
	}
	return int(a.Out) - int(b.Out)
}

// choose returns the vertices to draw, ascending.
func (d *depGraph) choose(limit int) []model.VCID {
	if len(d.cycle) == 0 {
		switch {
		case len(d.vertices) <= limit:
			return d.vertices
		case d.level == nil:
			return d.grow([]model.VCID{d.busiest()}, limit)
		}
		d.chain = d.longest()
		d.chain = d.chain[:min(len(d.chain), max(limit/2, 2))]
		return d.grow(d.chain, limit)
	}
	if near := d.connected(); len(near) <= limit {
		return near
	}
	d.partial = true
	from, to := make(map[model.VCID]bool), make(map[model.VCID]bool)
	for _, t := range d.deps {
		if d.on[t.In] && !d.on[t.Out] {
			from[t.Out] = true
		}
		if d.on[t.Out] && !d.on[t.In] {
			to[t.In] = true
		}
	}
	shown := slices.Compact(slices.Sorted(slices.Values(d.cycle)))
	pick := func(want func(model.VCID) bool) {
		for _, v := range d.vertices {
			if len(shown) < limit && !d.on[v] && want(v) {
				shown = append(shown, v)
			}
		}
	}
	pick(func(v model.VCID) bool { return from[v] && to[v] })
	pick(func(v model.VCID) bool { return from[v] && !to[v] })
	pick(func(v model.VCID) bool { return to[v] && !from[v] })
	slices.Sort(shown)
	return shown
}

// connected returns the vertices that are connected with the cycle, ascending. The rest of the
// graph does not affect the cycle.
func (d *depGraph) connected() []model.VCID {
	next := make(map[model.VCID][]model.VCID)
	for _, t := range d.deps {
		next[t.In] = append(next[t.In], t.Out)
		next[t.Out] = append(next[t.Out], t.In)
	}
	seen := make(map[model.VCID]bool)
	var found []model.VCID
	for queue := slices.Clone(d.cycle); len(queue) > 0; queue = queue[1:] {
		if v := queue[0]; !seen[v] {
			seen[v] = true
			found = append(found, v)
			queue = append(queue, next[v]...)
		}
	}
	slices.Sort(found)
	return found
}

// visible returns the nodes at the ends of a dependency, if the dependency is drawn. If only part
// of the graph is drawn around a cycle, dependencies among neighbours are not drawn, because they
// would hide it.
func (d *depGraph) visible(t model.Turn, node map[model.VCID]int) (from, to int, ok bool) {
	from, in := node[t.In]
	to, out := node[t.Out]
	return from, to, in && out && (!d.partial || d.on[t.In] || d.on[t.Out])
}
