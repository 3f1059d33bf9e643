package synth

import (
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
)

// This file searches for the smallest networks on which a reading of DA fails.
// What was found is kept in readings_test.go and docs/turn-methods-reference.md.

// long reports whether tests may take their time.
func long() bool { return longtest.On() }

// reading is a method of the 2-D turn model and a reading of its DA.
type reading struct {
	method string
	o      DAOptions
}

func (r reading) String() string {
	s := r.method + ", marks " + r.o.Marks
	if r.o.StopAtStart {
		s += ", stops at its start"
	}
	if r.o.Starts != "" {
		s += ", starts by " + r.o.Starts
	}
	return s
}

// leaves returns the set that a reading allows on g.
func (r reading) leaves(g *hv.Graph) *model.TurnSet {
	w := newWork(context.Background(), g.Net, Options{DA: r.o})
	w.res.Method, w.res.Graph, w.res.Tree = r.method, g, g.Tree
	set, err := turnModel(w)
	if err != nil {
		panic(err)
	}
	return set
}

// connectedGraphs yields the link lists of all connected labelled graphs of n
// switches with a bounded number of links between two switches, fewest links first.
func connectedGraphs(n, parallel int, yield func(links [][2]int)) {
	var pairs [][2]int
	for u := range n {
		for v := u + 1; v < n; v++ {
			pairs = append(pairs, [2]int{u, v})
		}
	}
	total := 1
	for range pairs {
		total *= parallel + 1
	}
	byLinks := make([][]int, parallel*len(pairs)+1)
	for code := range total {
		reach := make([]uint32, n)
		links, rest := 0, code
		for _, p := range pairs {
			if k := rest % (parallel + 1); k > 0 {
				links += k
				reach[p[0]] |= 1 << p[1]
				reach[p[1]] |= 1 << p[0]
			}
			rest /= parallel + 1
		}
		seen := uint32(1)
		for next := seen; next != 0; {
			fresh := reach[bits.TrailingZeros32(next)] &^ seen
			seen |= fresh
			next = next&(next-1) | fresh
		}
		if seen == 1<<n-1 {
			byLinks[links] = append(byLinks[links], code)
		}
	}
	for _, list := range byLinks {
		for _, code := range list {
			var links [][2]int
			for _, p := range pairs {
				for range code % (parallel + 1) {
					links = append(links, p)
				}
				code /= parallel + 1
			}
			yield(links)
		}
	}
}

// preorderTrees yields the parents in each breadth-first tree of which the
// numbers of the switches are a preorder: with it a list of links stands for
// each H/V graph once.
func preorderTrees(n int, links [][2]int, yield func(parent []int)) {
	next := make([]uint32, n)
	for _, l := range links {
		next[l[0]] |= 1 << l[1]
		next[l[1]] |= 1 << l[0]
	}
	depth := make([]int, n)
	for seen, level, d := uint32(1), uint32(1), 1; level != 0; d++ {
		fresh := uint32(0)
		for ; level != 0; level &= level - 1 {
			fresh |= next[bits.TrailingZeros32(level)]
		}
		fresh &^= seen
		for x := fresh; x != 0; x &= x - 1 {
			depth[bits.TrailingZeros32(x)] = d
		}
		seen |= fresh
		level = fresh
	}
	parent := make([]int, n)
	parent[0] = -1
	var grow func(u int, path []int)
	grow = func(u int, path []int) { // path: from the root to u-1
		if u == n {
			yield(parent)
			return
		}
		for i, p := range path {
			if depth[p]+1 == depth[u] && next[u]>>p&1 != 0 {
				parent[u] = p
				grow(u+1, append(slices.Clone(path[:i+1]), u))
			}
		}
	}
	grow(1, []int{0})
}

// onTree lays an H/V graph out: links and parents are by spread, name tells the
// number of the switch at each spread; ports follow the order of links.
func onTree(links [][2]int, parent, name []int) *hv.Graph {
	named := make([][2]int, len(links))
	for i, l := range links {
		named[i] = [2]int{name[l[0]], name[l[1]]}
	}
	k := len(parent)
	n := fromLinks(k, named)
	t := &hv.Tree{Net: n, Root: model.SwitchID(name[0]), Options: hv.Options{Search: hv.BFS},
		Up: make([]model.ChannelID, k), Depth: make([]int32, k), Spread: make([]int32, k)}
	for i, p := range parent {
		u := model.SwitchID(name[i])
		t.Preorder = append(t.Preorder, u)
		t.Spread[u] = int32(i)
		t.Up[u] = model.NoChannel
		if p < 0 {
			continue
		}
		t.Depth[u] = t.Depth[name[p]] + 1
		for _, c := range n.Out(u) {
			if n.Kind(c) == model.SwitchToSwitch && int(n.Head(c)) == name[p] {
				t.Up[u] = c
				break
			}
		}
	}
	g, err := hv.New(t)
	if err != nil {
		panic(err)
	}
	return g
}

func identity(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// smaller searches for a network on which a reading leaves a cycle. The network has fewer
// switches, or equally many switches and fewer links. parallel bounds the links between two
// switches. Every H/V graph is tried once with switches numbered by horizontal coordinate and ports
// by the numbers of the neighbors, and times times with random numbers.
func smaller(readings []reading, switches, links, parallel, times int) (found string, graphs int) {
	r := rand.New(rand.NewPCG(1, 1))
	for n := 2; n <= switches; n++ {
		connectedGraphs(n, parallel, func(list [][2]int) {
			if n == switches && len(list) >= links {
				return
			}
			preorderTrees(n, list, func(parent []int) {
				graphs++
				for k := range 1 + times {
					name, order := identity(n), slices.Clone(list)
					if k > 0 {
						name = r.Perm(n)
						r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
					}
					g := onTree(order, parent, name)
					for _, rd := range readings {
						if set := rd.leaves(g); !isAcyclic(set) {
							found = fmt.Sprintf("%s: by spread %s, parents %v, numbers %v", rd, formatLinks(order), parent, name)
						}
					}
				}
			})
		})
	}
	return found, graphs
}

// TestNoSmallerNetwork checks that no network is smaller than those of readings_test.go.
func TestNoSmallerNetwork(t *testing.T) {
	type bound struct{ switches, links, parallel int }
	by := map[bound][]reading{}
	for _, c := range counterexamples {
		parallel := 1
		if c.parallel {
			parallel = 3
		}
		n := parseLinks(c.links)
		b := bound{n.NumSwitches(), n.NumLinks(), parallel}
		for _, r := range c.readings() {
			for _, starts := range StartOrders() {
				r.o.Starts = starts
				by[b] = append(by[b], r)
			}
		}
	}
	times := longtest.Cases(1, 200)
	for b, readings := range by {
		if b.switches == 6 && !long() {
			b.switches = 5 // all of five
			b.links = 11
		}
		found, graphs := smaller(readings, b.switches, b.links, b.parallel, times)
		if found != "" {
			t.Errorf("%+v: %s", b, found)
		}
		t.Logf("%d readings on %d H/V graphs smaller than %+v", len(readings), graphs, b)
	}
}

// TestDefaultOnAllSmallNetworks: the default leaves no cycle on any H/V graph of at
// most five (in the full run six) switches, nor on those of at most three (four)
// with up to three links between two switches.
func TestDefaultOnAllSmallNetworks(t *testing.T) {
	var readings []reading
	for _, m := range turnModels {
		for _, starts := range StartOrders() {
			readings = append(readings, reading{m, DAOptions{Starts: starts}})
		}
	}
	simple, double, times := 5, 3, 1
	if long() {
		times = 5
	}
	if longtest.IsFull() {
		simple, double, times = 6, 4, 20
	}
	found, graphs := smaller(readings, simple, 99, 1, times)
	again, multigraphs := smaller(readings, double, 99, 3, times)
	if found+again != "" {
		t.Error(found, again)
	}
	t.Logf("%d H/V graphs, %d with parallel links", graphs, multigraphs)
}
