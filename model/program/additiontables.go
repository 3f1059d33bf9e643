package program

import (
	"fmt"
	"math/rand/v2"
)

// This file makes the tables of turn addition (Nakashima, Naruse, Sumimoto and Kumon, IPSJ Trans. ACS 4(4), 2011), with the turns of a
// spanning tree as the base set.
//
//	base(u, d)         the number of the next switch from u on the base path to d
//	turn(u, s, t)      1 if the set has the turn at s from u to t, else 0
//	rank(u, v)         the place of the channel from u to v in an order in which all turns of the set go upwards
//	reaches(u, s, d)   1 if turns of the set lead from the channel from u to s to d, else 0
//	after(u, s, v, w)  1 if turns of base paths lead from the channel from u to s to that from v to w, or these are equal, else 0
//
// The base paths are those of the breadth-first spanning tree with root 0. Then the other turns are added in pairs, a turn and its reverse,
// in ascending order of their switches. A pair that closes a cycle with the turns of the set is refused.

// turnAddition is the state of turn addition.
type turnAddition struct {
	n      int
	near   [][]int    // by switch: its neighbours
	base   [][]int    // by switch and destination: the next switch
	first  layerOrder // the turns of base paths
	set    layerOrder
	marked map[[3]int]bool // channels and destinations that they reach
	random *rand.Rand      // nil for the tables of the documentation
}

// The ways in which random tables are made. From addAll on they are wrong.
const (
	addPairs  = iota
	addSingle // turns without their reverse, and not all that close no cycle
	addAll    // all turns
	addAlone  // all turns that close no cycle with those of base paths
	addNoBase // no base paths
	addMarks  // some marks are wrong
	addCoarse // channels have one rank in twos or threes
	addLoss   // one switch loses its turns
	addBase   // base paths are others, and no channel has a mark
	addWays
)

// additionTables makes the tables.
func additionTables(v *view, _, variant int) (tablesOf, error) {
	x := &turnAddition{n: v.net.NumSwitches(), first: newLayerOrder(), set: newLayerOrder(), marked: map[[3]int]bool{}}
	for u := range x.n {
		var near []int
		for _, s := range v.neighbours[u] {
			near = append(near, int(s.(node).u))
		}
		x.near = append(x.near, near)
	}
	way := addPairs
	if variant > 0 {
		x.random, way = rand.New(rand.NewPCG(uint64(variant), 11)), (variant-1)%addWays
	}
	if err := x.tree(); err != nil {
		return nil, err
	}
	x.begin(way)
	for _, t := range x.turns() {
		x.try(way, t)
	}
	x.set.sort()
	if way == addLoss {
		x.lose()
	}
	x.mark()
	coarse := x.spoil(way)
	bit := map[bool]int{true: 1}
	return tablesOf{
		"base":    {2, 0, func(a []int) int { return x.base[a[0]][a[1]] }},
		"turn":    {3, 0, func(a []int) int { return bit[x.set.next[[2]int{a[0], a[1]}][[2]int{a[1], a[2]}]] }},
		"rank":    {2, 0, func(a []int) int { return x.set.rank[[2]int{a[0], a[1]}] / coarse }},
		"reaches": {3, 0, func(a []int) int { return bit[x.marked[[3]int{a[0], a[1], a[2]}]] }},
		"after":   {4, 0, func(a []int) int { return bit[x.first.leads([2]int{a[0], a[1]}, [2]int{a[2], a[3]})] }},
	}, nil
}

// tree finds the base paths: those of the breadth-first spanning tree with root 0, or of a random one.
func (x *turnAddition) tree() error {
	links, open, in := make([][]int, x.n), [][2]int{{0, 0}}, map[int]bool{}
	for len(open) > 0 {
		k := 0
		if x.random != nil {
			k = x.random.IntN(len(open))
		}
		u, s := open[k][0], open[k][1]
		if open = append(open[:k], open[k+1:]...); in[s] {
			continue
		}
		if in[s] = true; u != s {
			links[u], links[s] = append(links[u], s), append(links[s], u)
		}
		for _, t := range x.near[s] {
			open = append(open, [2]int{s, t})
		}
	}
	if len(in) < x.n {
		return fmt.Errorf("switch 0 has paths to %d of %d switches", len(in)-1, x.n-1)
	}
	for u := range x.n {
		x.base = append(x.base, make([]int, x.n))
		x.base[u][u] = u
	}
	var visit func(u, from, d int)
	visit = func(u, from, d int) {
		for _, s := range links[u] {
			if s != from {
				x.base[s][d] = u
				visit(s, u, d)
			}
		}
	}
	for d := range x.n {
		visit(d, d, d)
	}
	return nil
}

// begin adds all channels and the turns of base paths.
func (x *turnAddition) begin(way int) {
	for u := range x.n {
		for _, s := range x.near[u] {
			x.first.add([][2]int{{u, s}})
			x.set.add([][2]int{{u, s}})
		}
	}
	for u := range x.n {
		for d := range x.n {
			if s := x.base[u][d]; s != d {
				x.first.put([3]int{u, s, x.base[s][d]})
				if way != addNoBase {
					x.set.put([3]int{u, s, x.base[s][d]})
				}
			}
		}
	}
}

// turns lists the turns of the network, in ascending order of the switches or in random order.
func (x *turnAddition) turns() (list [][3]int) {
	for s := range x.n {
		for _, u := range x.near[s] {
			for _, t := range x.near[s] {
				if u != t {
					list = append(list, [3]int{u, s, t})
				}
			}
		}
	}
	if x.random != nil {
		x.random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	}
	return list
}

// try adds a turn, in most ways with its reverse, if it closes no cycle.
func (x *turnAddition) try(way int, t [3]int) {
	reverse := [3]int{t[2], t[1], t[0]}
	switch way {
	case addAll:
		x.set.put(t)
	case addAlone:
		if !x.first.closes(t) {
			x.set.put(t)
		}
	case addSingle:
		if x.random.IntN(2) == 0 && !x.set.closes(t) {
			x.set.put(t)
		}
	default:
		if x.set.has(t) || x.set.closes(t) {
			return
		}
		if x.set.put(t); x.set.closes(reverse) {
			delete(x.set.next[[2]int{t[0], t[1]}], [2]int{t[1], t[2]})
			return
		}
		x.set.put(reverse)
	}
}

// put adds a turn.
func (g *layerOrder) put(t [3]int) { g.next[[2]int{t[0], t[1]}][[2]int{t[1], t[2]}] = true }

// has reports whether a turn has been added.
func (g *layerOrder) has(t [3]int) bool { return g.next[[2]int{t[0], t[1]}][[2]int{t[1], t[2]}] }

// closes reports whether a turn closes a cycle.
func (g *layerOrder) closes(t [3]int) bool { return g.leads([2]int{t[1], t[2]}, [2]int{t[0], t[1]}) }

// leads reports whether dependencies lead from a channel to another one, or these are equal.
func (g *layerOrder) leads(from, to [2]int) bool {
	seen, list := map[[2]int]bool{from: true}, [][2]int{from}
	for len(list) > 0 && !seen[to] {
		c := list[len(list)-1]
		list = list[:len(list)-1]
		for e := range g.next[c] {
			if !seen[e] {
				seen[e] = true
				list = append(list, e)
			}
		}
	}
	return seen[to]
}

// mark finds the channels that reach each destination.
func (x *turnAddition) mark() {
	before := map[[2]int][][2]int{}
	for c, next := range x.set.next {
		for e := range next {
			before[e] = append(before[e], c)
		}
	}
	for d := range x.n {
		var list [][2]int
		add := func(c [2]int) {
			if at := [3]int{c[0], c[1], d}; !x.marked[at] && c[0] != d {
				x.marked[at] = true
				list = append(list, c)
			}
		}
		for _, u := range x.near[d] {
			add([2]int{u, d})
		}
		for len(list) > 0 {
			c := list[len(list)-1]
			list = list[:len(list)-1]
			for _, b := range before[c] {
				add(b)
			}
		}
	}
}

// lose removes the turns at one switch.
func (x *turnAddition) lose() {
	u := x.random.IntN(x.n)
	for _, s := range x.near[u] {
		clear(x.set.next[[2]int{s, u}])
	}
}

// spoil makes tables wrong. It returns the number of channels of a rank.
func (x *turnAddition) spoil(way int) (coarse int) {
	switch way {
	case addAll, addAlone:
		if x.random.IntN(2) == 0 {
			return 1 << 20
		}
	case addMarks:
		for range 3 {
			x.marked[[3]int{x.random.IntN(x.n), x.random.IntN(x.n), x.random.IntN(x.n)}] = true
		}
	case addCoarse:
		return 2 + x.random.IntN(2)
	case addBase:
		for range 3 {
			x.base[x.random.IntN(x.n)][x.random.IntN(x.n)] = x.random.IntN(x.n)
		}
		clear(x.marked)
	}
	return 1
}
