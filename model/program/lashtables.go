package program

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file makes the tables of layered shortest path routing (LASH; Skeie, Lysne and Theiss, IPDPS 2002).
//
//	next(u, d)     the number of the next switch from u on the path to d; every path is a shortest one
//	layer(s, d)    the layer of the pair of source s and destination d
//	used(u, d, l)  1 if a path of layer l leads through u to d, else 0
//	rank(u, v, l)  the place of the channel from u to v in an order in which all paths of layer l go upwards
//
// Pairs are taken in ascending order. Each gets the first layer whose dependencies stay without cycle.

// lash is the state of the assignment.
type lash struct {
	n, layers int
	next      [][]int      // by switch and destination
	layer     [][]int      // by source and destination
	used      [][][]bool   // by layer, switch and destination
	graph     []layerOrder // by layer
	way       int          // of spoil
	single    bool         // random tables have one layer
}

// lashWays is the number of ways in which random tables are wrong.
const lashWays = 6

// lashTables makes the tables for vcs layers.
func lashTables(v *view, vcs, variant int) (tablesOf, error) {
	x := &lash{n: v.net.NumSwitches(), layers: vcs}
	var random *rand.Rand
	if k := variant - 1; k >= 0 {
		random = rand.New(rand.NewPCG(uint64(variant), 31))
		x.way, x.single = k%lashWays, k/lashWays%2 == 0
	}
	if err := x.paths(v, random); err != nil {
		return nil, err
	}
	for range vcs {
		x.graph = append(x.graph, newLayerOrder())
		x.used = append(x.used, make([][]bool, x.n))
		for u := range x.n {
			x.used[len(x.used)-1][u] = make([]bool, x.n)
		}
	}
	for s := range x.n {
		x.layer = append(x.layer, make([]int, x.n))
		for d := range x.n {
			if err := x.assign(s, d, random); err != nil {
				return nil, err
			}
		}
	}
	bit, coarse := map[bool]int{true: 1}, 1
	if random != nil {
		coarse = x.spoil(random)
	}
	inRange := func(l int, value func() int) int {
		if l >= vcs {
			return 0
		}
		return value()
	}
	return tablesOf{
		"next":  {2, 0, func(a []int) int { return x.next[a[0]][a[1]] }},
		"layer": {2, 0, func(a []int) int { return x.layer[a[0]][a[1]] }},
		"used":  {2, 1, func(a []int) int { return inRange(a[2], func() int { return bit[x.used[a[2]][a[0]][a[1]]] }) }},
		"rank": {2, 1, func(a []int) int {
			return inRange(a[2], func() int { return x.graph[a[2]].rank[[2]int{a[0], a[1]}] / coarse })
		}},
	}, nil
}

// paths chooses the next switches: the first one, or a random one if random is not nil.
func (x *lash) paths(v *view, random *rand.Rand) error {
	for u := range x.n {
		x.next = append(x.next, make([]int, x.n))
		for d := range x.n {
			if x.next[u][d] = u; u == d {
				continue
			}
			here, ok := v.distance(model.SwitchID(u), model.SwitchID(d))
			if !ok {
				return fmt.Errorf("no path leads from switch %d to switch %d", u, d)
			}
			var near []int
			for _, s := range v.neighbours[u] {
				s := s.(node).u
				if there, _ := v.distance(s, model.SwitchID(d)); there < here {
					near = append(near, int(s))
				}
			}
			slices.Sort(near)
			if x.next[u][d] = near[0]; random != nil {
				x.next[u][d] = near[random.IntN(len(near))]
			}
		}
	}
	return nil
}

// assign gives a pair its layer.
func (x *lash) assign(s, d int, random *rand.Rand) error {
	var channels [][2]int
	for u := s; u != d; u = x.next[u][d] {
		channels = append(channels, [2]int{u, x.next[u][d]})
	}
	l := 0
	if random != nil { // any layer, also one with cycles
		if !x.single {
			l = random.IntN(x.layers)
		}
		x.graph[l].add(channels)
	} else {
		for l < x.layers && !x.graph[l].add(channels) {
			l++
		}
		if l == x.layers {
			return fmt.Errorf("the paths need more than %d layers, the VCs of the program", x.layers)
		}
	}
	x.layer[s][d] = l
	x.used[l][d][d] = true
	for _, c := range channels {
		x.used[l][c[0]][d] = true
	}
	return nil
}

// spoil makes tables wrong in one of several ways: marks are missing, a pair has no layer, or several channels have one rank. It returns
// the number of channels of a rank.
func (x *lash) spoil(random *rand.Rand) (coarse int) {
	switch x.way {
	case 1: // all channels have one rank
		return 1 << 20
	case 2: // only sources are marked
		for l, used := range x.used {
			for s := range x.n {
				for d := range x.n {
					used[s][d] = x.layer[s][d] == l
				}
			}
		}
	case 3: // no switch is marked
		for _, used := range x.used {
			for s := range x.n {
				clear(used[s])
			}
		}
	case 4:
		x.layer[random.IntN(x.n)][random.IntN(x.n)] = random.IntN(2)*(x.layers+1) - 1
	case 5:
		return 2 + random.IntN(2)
	}
	return 1
}

// layerOrder is the graph of dependencies of a layer, with a rank of each channel that increases on each dependency.
type layerOrder struct {
	rank map[[2]int]int
	next map[[2]int]map[[2]int]bool
}

func newLayerOrder() layerOrder {
	return layerOrder{map[[2]int]int{}, map[[2]int]map[[2]int]bool{}}
}

// add adds the dependencies of a path if the graph stays without cycle, and reports whether it does.
func (g *layerOrder) add(channels [][2]int) bool {
	var added [][2][2]int
	rises := true
	for i, c := range channels {
		if g.next[c] == nil {
			g.next[c] = map[[2]int]bool{}
			g.rank[c] = len(g.rank)
		}
		if i > 0 && !g.next[channels[i-1]][c] {
			g.next[channels[i-1]][c] = true
			added = append(added, [2][2]int{channels[i-1], c})
			rises = rises && g.rank[channels[i-1]] < g.rank[c]
		}
	}
	for i := 1; i < len(channels); i++ {
		rises = rises && g.rank[channels[i-1]] < g.rank[channels[i]]
	}
	if rises || g.sort() {
		return true
	}
	for _, e := range added {
		delete(g.next[e[0]], e[1])
	}
	return false
}

// sort computes the ranks again. It reports whether the graph has no cycle; otherwise the ranks stay.
func (g *layerOrder) sort() bool {
	before := map[[2]int]int{}
	for _, next := range g.next {
		for c := range next {
			before[c]++
		}
	}
	var list [][2]int
	for c := range g.next {
		if before[c] == 0 {
			list = append(list, c)
		}
	}
	less := func(a, b [2]int) int { return slices.Compare(a[:], b[:]) }
	slices.SortFunc(list, less)
	for i := 0; i < len(list); i++ {
		var free [][2]int
		for c := range g.next[list[i]] {
			if before[c]--; before[c] == 0 {
				free = append(free, c)
			}
		}
		slices.SortFunc(free, less)
		list = append(list, free...)
	}
	if len(list) < len(g.next) {
		return false
	}
	for i, c := range list {
		g.rank[c] = i
	}
	return true
}
