package synth

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"turnproof/model"
	"turnproof/model/hv"
)

// This file searches for the smallest networks on which a reading of DA leaves a
// cycle. What it finds is kept in readings_test.go.

// reading is a method and a reading of its DA.
type reading struct {
	method string
	o      DAOptions
}

func (r reading) String() string {
	s := r.method + ", marks " + r.o.Marks
	if r.o.Starts != "" && r.o.Starts != StartsByID {
		s += ", starts " + r.o.Starts
	}
	if r.o.StopAtStart {
		s += ", stops at its start"
	}
	return s
}

var turnModels = []string{"lturn-alpha", "lturn-beta", "rturn-alpha", "rturn-beta"}

// unproved lists the readings beside the default.
func unproved(starts ...string) (list []reading) {
	for _, m := range turnModels {
		for _, marks := range MarkRules {
			for _, stop := range []bool{false, true} {
				for _, order := range starts {
					if marks != MarksChannel || stop {
						list = append(list, reading{m, DAOptions{Marks: marks, StopAtStart: stop, Starts: order}})
					}
				}
			}
		}
	}
	return list
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

// connectedGraphs yields the link lists of all connected labelled graphs, those
// with fewest links first.
func connectedGraphs(n int, yield func(links [][2]int)) {
	var pairs [][2]int
	for v := range n {
		for u := range v {
			pairs = append(pairs, [2]int{u, v})
		}
	}
	byLinks := make([][]uint32, len(pairs)+1)
	for set := range uint32(1) << len(pairs) {
		part := make([]int, n)
		for u := range part {
			part[u] = u
		}
		find := func(u int) int {
			for part[u] != u {
				u = part[u]
			}
			return u
		}
		parts, links := n, 0
		for i, p := range pairs {
			if set>>i&1 != 0 {
				links++
				if a, b := find(p[0]), find(p[1]); a != b {
					part[a] = b
					parts--
				}
			}
		}
		if parts == 1 {
			byLinks[links] = append(byLinks[links], set)
		}
	}
	for _, list := range byLinks {
		for _, set := range list {
			var links [][2]int
			for i, p := range pairs {
				if set>>i&1 != 0 {
					links = append(links, p)
				}
			}
			slices.SortFunc(links, func(a, b [2]int) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
			yield(links)
		}
	}
}

// preorderTrees yields every H/V graph of the network whose spread is the number
// of the switch: each breadth-first tree that these numbers are a preorder of.
func preorderTrees(n *model.Network, yield func(*hv.Graph)) {
	dist := hv.Hops(n, 0)
	k := n.NumSwitches()
	t := &hv.Tree{Net: n, Options: hv.Options{Search: hv.BFS}, Up: make([]model.ChannelID, k), Depth: make([]int32, k), Spread: make([]int32, k)}
	for u := range t.Depth {
		t.Depth[u], t.Spread[u] = int32(dist[u]), int32(u)
		t.Preorder = append(t.Preorder, model.SwitchID(u))
	}
	t.Up[0] = model.NoChannel
	var grow func(u int, path []int)
	grow = func(u int, path []int) { // path: from the root to u-1
		if u == k {
			g, err := hv.New(t)
			if err != nil {
				panic(err)
			}
			yield(g)
			return
		}
		for i, p := range path {
			if t.Depth[p]+1 != t.Depth[u] {
				continue
			}
			for _, c := range n.Out(model.SwitchID(u)) {
				if n.Kind(c) == model.SwitchToSwitch && int(n.Head(c)) == p {
					t.Up[u] = c
					grow(u+1, append(slices.Clone(path[:i+1]), u))
					break
				}
			}
		}
	}
	grow(1, []int{0})
}

// TestSearchReadings looks at every H/V graph of up to six switches and at random larger ones.
func TestSearchReadings(t *testing.T) {
	if os.Getenv("TURNPROOF_SEARCH") == "" {
		t.Skip()
	}
	readings := unproved(StartsByID, StartsByPreorder, StartsByDepth)
	type find struct {
		text string
		n, m int
	}
	found := make([]find, len(readings))
	try := func(g *hv.Graph, links [][2]int, how string) {
		for i, r := range readings {
			n, m := g.Net.NumSwitches(), len(links)
			if f := found[i]; f.text != "" && (f.n < n || f.n == n && f.m <= m) {
				continue
			}
			if set := r.leaves(g); !isAcyclic(set) {
				found[i] = find{fmt.Sprintf("%s: %s, cycle %v", how, formatLinks(links), cycleOf(t, set)), n, m}
			}
		}
	}
	for n := 2; n <= 6; n++ {
		graphs, canonical := 0, 0
		connectedGraphs(n, func(links [][2]int) {
			net := fromLinks(n, links)
			canonical++
			try(graphOn(t, net, 0, hv.Options{}), links, "canonical")
			preorderTrees(net, func(g *hv.Graph) { graphs++; try(g, links, fmt.Sprint("any ", g.Up)) })
		})
		t.Log(n, "switches:", graphs, "H/V graphs", canonical, "labelled")
	}
	r := rand.New(rand.NewPCG(1, 1))
	for n := 3; n <= 9; n++ {
		for range 60000 {
			var links [][2]int
			for u := 1; u < n; u++ {
				links = append(links, [2]int{r.IntN(u), u})
			}
			for v := range n {
				for u := range v {
					if !slices.Contains(links, [2]int{u, v}) && r.IntN(n) < 2 {
						links = append(links, [2]int{u, v})
					}
				}
			}
			r.Shuffle(len(links), func(i, j int) { links[i], links[j] = links[j], links[i] })
			name := r.Perm(n)
			for i := range links {
				links[i] = [2]int{name[links[i][0]], name[links[i][1]]}
			}
			try(graphOn(t, fromLinks(n, links), 0, hv.Options{}), links, "random, canonical")
		}
	}
	for i, r := range readings {
		t.Log(r, "::", found[i].n, found[i].m, found[i].text)
	}
}
