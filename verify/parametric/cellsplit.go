package parametric

// This file chooses the condition that divides cells (cells.go).

// gain is what a condition does to the cells of a component that is not ranked.
type gain struct {
	condition int
	hops      int // fewer hops in components that are not ranked
	pairs     int // fewer pairs of spots in cells with a hop between them
	cells     int // cells that are added
}

// isBetter reports whether x is better than y for each cell: by hops, or by pairs.
func (x gain) isBetter(y gain, byPairs bool) bool {
	a, b := x.hops, y.hops
	if byPairs {
		a, b = x.pairs, y.pairs
	}
	return a > 0 && (y.cells == 0 || a*y.cells > b*x.cells)
}

// divideBest divides a cell, or all cells of a component, by the best condition on the place: that which ranks most hops or, if
// byPairs is true, makes the graph sparsest. It returns false if no condition does.
func (g *cells) divideBest(components [][]int, byPairs bool) bool {
	var best []int
	var most gain
	for _, list := range components {
		p := g.newPart(list)
		for c := range g.conditions {
			if !g.isOnPlace(c) {
				continue
			}
			for k := -1; k < len(list); k++ {
				x, divided := p.gain(k, c)
				if x.isBetter(most, byPairs) {
					most, best = x, divided
				}
			}
		}
	}
	for _, i := range best {
		g.divide(i, most.condition)
	}
	return best != nil
}

// part is a component that is not ranked.
type part struct {
	*cells
	list  []int
	place map[int]int // of each cell in list
	inner []joint
	of    [][]int // by place: joints
	spots [][]int // by place
	whole *cellGraph
	pairs int
}

func (g *cells) newPart(list []int) *part {
	n := len(list)
	p := &part{cells: g, list: list, place: map[int]int{}, of: make([][]int, n), spots: make([][]int, n), whole: newCellGraph(n, len(g.sums))}
	for k, i := range list {
		p.place[i] = k
	}
	for _, j := range g.joints {
		a, inA := p.place[g.of[j.from]]
		b, inB := p.place[g.of[j.to]]
		if !inA || !inB {
			continue
		}
		p.whole.link(a, b).join(j.change)
		p.of[a] = append(p.of[a], len(p.inner))
		if a != b {
			p.of[b] = append(p.of[b], len(p.inner))
		}
		p.inner = append(p.inner, j)
	}
	sizes := make([]int, n)
	for i, c := range g.of {
		if k, in := p.place[c]; in {
			p.spots[k] = append(p.spots[k], i)
			sizes[k]++
		}
	}
	p.pairs = p.whole.pairs(sizes)
	return p
}

// gain returns what a condition does if it divides cell k of the list, or all cells if k < 0; and the cells that it divides.
func (p *part) gain(k, condition int) (x gain, divided []int) {
	n := len(p.list)
	sizes, other := make([]int, 2*n), make([]int, n) // other: the place of the spots that do not satisfy the condition
	for i, spots := range p.spots {
		sizes[i], other[i] = len(spots), i
		if k >= 0 && i != k {
			continue
		}
		holds := 0
		for _, s := range spots {
			if p.cells.spots[s].has(condition) {
				holds++
			}
		}
		if holds > 0 && holds < len(spots) {
			other[i] = n + len(divided)
			sizes[i], sizes[other[i]] = holds, len(spots)-holds
			divided = append(divided, p.list[i])
		}
	}
	if divided == nil {
		return gain{}, nil
	}
	h := p.divided(k, n+len(divided), func(spot int) int {
		i := p.place[p.cells.of[spot]]
		if !p.cells.spots[spot].has(condition) {
			return other[i]
		}
		return i
	})
	fewer := p.pairs - h.pairs(sizes)
	h.rank(h.all(), 0, nil)
	return gain{condition, len(p.inner) - h.left, fewer, len(divided)}, divided
}

// divided returns the graph after cell k of the list, or all cells, were divided. place returns the cell of a spot.
func (p *part) divided(k, cells int, place func(spot int) int) *cellGraph {
	h := newCellGraph(cells, len(p.sums))
	if k < 0 {
		for _, j := range p.inner {
			h.link(place(j.from), place(j.to)).join(j.change)
		}
		return h
	}
	for a := range p.list {
		for b := range p.list {
			if a != k && b != k {
				*h.link(a, b) = *p.whole.link(a, b)
			}
		}
	}
	for _, e := range p.of[k] {
		j := p.inner[e]
		h.link(place(j.from), place(j.to)).join(j.change)
	}
	return h
}

// divideAll divides cells while this ranks more hops. It returns the number of hops that are not ranked.
func (g *cells) divideAll() (left int) {
	for {
		h := g.ranked()
		if h.left == 0 || len(g.cells) >= maxCells || g.ctx.Err() != nil || !g.divideBest(h.unranked, false) {
			return h.left
		}
	}
}
