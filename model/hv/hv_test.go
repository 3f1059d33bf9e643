package hv_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
)

// network returns a network with the given links by switch number, 0-1 1-2. The ports of a
// switch are numbered in the order of the list, from 1.
func network(switches int, links string) *model.Network {
	b := model.NewBuilder()
	for u := range switches {
		b.AddSwitch(model.Switch{Name: fmt.Sprintf("s%d", u)})
		b.AddHost(model.Host{Switch: model.SwitchID(u), Port: 100})
	}
	port := make([]model.Port, switches)
	for _, f := range strings.Fields(links) {
		var u, v int
		if _, err := fmt.Sscanf(f, "%d-%d", &u, &v); err != nil {
			panic(err)
		}
		port[u]++
		port[v]++
		b.AddLink(model.SwitchID(u), port[u], model.SwitchID(v), port[v])
	}
	n, err := b.Build()
	if err != nil {
		panic(err)
	}
	return n
}

type fataler interface {
	Helper()
	Fatal(args ...any)
}

func grow(t fataler, n *model.Network, root model.SwitchID, o hv.Options) *hv.Tree {
	t.Helper()
	tree, err := hv.NewTree(n, root, o)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func graph(t fataler, n *model.Network, root model.SwitchID, o hv.Options) *hv.Graph {
	t.Helper()
	g, err := hv.New(grow(t, n, root, o))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// channel returns the first channel from u to v.
func channel(n *model.Network, u, v model.SwitchID) model.ChannelID {
	for _, c := range n.Out(u) {
		if n.Head(c) == v {
			return c
		}
	}
	panic(fmt.Sprintf("no link %d-%d", u, v))
}

// TestDirBetween checks table 1 of the 2d-turn-model paper.
func TestDirBetween(t *testing.T) {
	for _, c := range []struct {
		h1, d1, h2, d2 int32
		want           hv.Dir
	}{
		{5, 2, 3, 1, hv.LU}, {3, 2, 5, 1, hv.RU}, // ys > yd
		{5, 2, 3, 2, hv.LD}, {3, 2, 5, 2, hv.RU}, // ys = yd
		{5, 1, 3, 2, hv.LD}, {3, 1, 5, 2, hv.RD}, // ys < yd
	} {
		if got := hv.DirBetween(c.h1, c.d1, c.h2, c.d2); got != c.want {
			t.Errorf("(%d,%d) to (%d,%d): %s, want %s", c.h1, c.d1, c.h2, c.d2, got, c.want)
		}
	}
}

// nine is a network of nine switches with links of every kind: to the level above on both
// sides, and within a level. (Figure 3 of the paper also has nine switches, but its links
// cannot be read.)
//
//	      0
//	  1   2   3
//	4  5   6    7
//	   8
const nine = "0-1 0-2 0-3 1-4 1-5 2-6 3-7 5-8 1-2 5-2 4-3 6-7 8-6"

func TestNineSwitches(t *testing.T) {
	n := network(9, nine)
	g := graph(t, n, 0, hv.Options{})
	place := []string{}
	for u := range model.SwitchID(9) {
		place = append(place, fmt.Sprintf("%d:(%d,%d)", u, g.Spread[u], g.Depth[u]))
	}
	const want = "0:(0,0) 1:(1,1) 2:(5,1) 3:(7,1) 4:(2,2) 5:(3,2) 6:(6,2) 7:(8,2) 8:(4,3)"
	if got := strings.Join(place, " "); got != want {
		t.Errorf("switches at\n%s, want\n%s", got, want)
	}
	for _, c := range []struct {
		u, v model.SwitchID
		dir  hv.Dir
		tree bool
	}{
		{0, 1, hv.RD, true}, {1, 0, hv.LU, true}, {5, 8, hv.RD, true},
		{1, 2, hv.RU, false}, {2, 1, hv.LD, false}, // same level
		{5, 2, hv.RU, false}, {2, 5, hv.LD, false},
		{4, 3, hv.RU, false}, {6, 7, hv.RU, false}, {7, 6, hv.LD, false},
		{8, 6, hv.RU, false}, {6, 8, hv.LD, false},
	} {
		ch := channel(n, c.u, c.v)
		if g.Dir(ch) != c.dir || g.Has(ch) != c.tree {
			t.Errorf("%d to %d: %s, on the tree %v; want %s, %v", c.u, c.v, g.Dir(ch), g.Has(ch), c.dir, c.tree)
		}
	}
	if g.Has(n.InjectChannel(0)) || g.Has(n.EjectChannel(0)) {
		t.Error("a host's channel is on the tree")
	}
}

// TestOptions checks the effect of each option on one network, computed by hand.
func TestOptions(t *testing.T) {
	n := network(9, nine)
	port := network(4, "0-3 0-2 0-1 3-2")
	// 2 and 3 have two neighbours one step nearer to 0.
	parents := network(6, "0-1 0-2 1-3 2-3 1-4 2-4 1-5")
	for _, c := range []struct {
		name     string
		n        *model.Network
		root     model.SwitchID
		o        hv.Options
		parent   []model.SwitchID
		preorder []model.SwitchID
	}{
		{"default", n, 0, hv.Options{}, []model.SwitchID{-1, 0, 0, 0, 1, 1, 2, 3, 5}, []model.SwitchID{0, 1, 4, 5, 8, 2, 6, 3, 7}},
		{"root 8", n, 8, hv.Options{}, []model.SwitchID{1, 5, 5, 7, 1, 8, 8, 6, -1}, []model.SwitchID{8, 5, 1, 0, 4, 2, 6, 7, 3}},
		{"id-down", n, 0, hv.Options{Neighbours: hv.ByIDDown}, []model.SwitchID{-1, 0, 0, 0, 3, 2, 2, 3, 6}, []model.SwitchID{0, 3, 7, 4, 2, 6, 8, 5, 1}},
		{"degree", n, 0, hv.Options{Neighbours: hv.ByDegree}, []model.SwitchID{-1, 0, 0, 0, 1, 1, 2, 3, 5}, []model.SwitchID{0, 1, 5, 8, 4, 2, 6, 3, 7}},
		{"port", port, 0, hv.Options{Neighbours: hv.ByPort}, []model.SwitchID{-1, 0, 0, 0}, []model.SwitchID{0, 3, 2, 1}},
		{"children id", n, 0, hv.Options{Neighbours: hv.ByIDDown, Children: hv.ByID}, []model.SwitchID{-1, 0, 0, 0, 3, 2, 2, 3, 6}, []model.SwitchID{0, 1, 2, 5, 6, 8, 3, 4, 7}},
		{"children id-down", n, 0, hv.Options{Children: hv.ByIDDown}, []model.SwitchID{-1, 0, 0, 0, 1, 1, 2, 3, 5}, []model.SwitchID{0, 3, 7, 2, 6, 1, 5, 8, 4}},
		{"children size", n, 0, hv.Options{Neighbours: hv.ByIDDown, Children: hv.BySize}, []model.SwitchID{-1, 0, 0, 0, 3, 2, 2, 3, 6}, []model.SwitchID{0, 2, 6, 8, 5, 3, 4, 7, 1}},
		{"children small", n, 0, hv.Options{Children: hv.BySmall}, []model.SwitchID{-1, 0, 0, 0, 1, 1, 2, 3, 5}, []model.SwitchID{0, 2, 6, 3, 7, 1, 4, 5, 8}},
		{"parent first", parents, 0, hv.Options{Neighbours: hv.ByIDDown}, []model.SwitchID{-1, 0, 0, 2, 2, 1}, []model.SwitchID{0, 2, 4, 3, 1, 5}},
		{"parent last", parents, 0, hv.Options{Parent: hv.LastSeen}, []model.SwitchID{-1, 0, 0, 2, 2, 1}, []model.SwitchID{0, 1, 5, 2, 3, 4}},
		{"parent last, id-down", parents, 0, hv.Options{Neighbours: hv.ByIDDown, Parent: hv.LastSeen}, []model.SwitchID{-1, 0, 0, 1, 1, 1}, []model.SwitchID{0, 2, 1, 5, 4, 3}},
		{"parent lowest", parents, 0, hv.Options{Neighbours: hv.ByIDDown, Parent: hv.LowestID}, []model.SwitchID{-1, 0, 0, 1, 1, 1}, []model.SwitchID{0, 1, 3, 4, 5, 2}},
		{"parent highest", parents, 0, hv.Options{Parent: hv.HighestID}, []model.SwitchID{-1, 0, 0, 2, 2, 1}, []model.SwitchID{0, 1, 5, 2, 3, 4}},
		{"parent light", parents, 0, hv.Options{Parent: hv.Lightest}, []model.SwitchID{-1, 0, 0, 1, 2, 1}, []model.SwitchID{0, 1, 3, 5, 2, 4}},
		{"depth first", n, 0, hv.Options{Search: hv.DFS}, []model.SwitchID{-1, 0, 1, 7, 3, 2, 8, 6, 5}, []model.SwitchID{0, 1, 2, 5, 8, 6, 7, 3, 4}},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree := grow(t, c.n, c.root, c.o)
			var parent []model.SwitchID
			for u := range model.SwitchID(c.n.NumSwitches()) {
				parent = append(parent, tree.Parent(u))
			}
			if !slices.Equal(parent, c.parent) || !slices.Equal(tree.Preorder, c.preorder) {
				t.Errorf("parents %v, preorder %v; want %v, %v", parent, tree.Preorder, c.parent, c.preorder)
			}
		})
	}
}

func TestSeeds(t *testing.T) {
	n := network(9, nine)
	for _, o := range []hv.Options{{Neighbours: hv.ByRandom}, {Children: hv.ByRandom}} {
		seen := map[string]bool{}
		for seed := range uint64(20) {
			o.Seed = seed
			a, b := grow(t, n, 0, o), grow(t, n, 0, o)
			if !slices.Equal(a.Preorder, b.Preorder) {
				t.Errorf("%+v: %v, then %v", o, a.Preorder, b.Preorder)
			}
			seen[fmt.Sprint(a.Preorder)] = true
		}
		if len(seen) < 3 {
			t.Errorf("%+v: 20 seeds give %d preorders", o, len(seen))
		}
	}
}

func TestTreeRefuses(t *testing.T) {
	n := network(4, "0-1 1-2 2-3")
	parted := network(6, "0-1 1-2 4-5")
	for _, c := range []struct {
		n    *model.Network
		root model.SwitchID
		o    hv.Options
		want string
	}{
		{n, 4, hv.Options{}, "no switch 4 for the root; want 0 to 3"},
		{n, -1, hv.Options{}, "no switch -1 for the root"},
		{n, 0, hv.Options{Search: "best"}, `no tree "best"; want one of bfs, dfs`},
		{n, 0, hv.Options{Neighbours: "found"}, `no neighbour order "found"; want one of id, id-down, port, degree, random`},
		{n, 0, hv.Options{Parent: "id"}, `no parent rule "id"; want one of first, last, lowest, highest, light`},
		{n, 0, hv.Options{Children: "port"}, `no child order "port"; want one of found, id, id-down, size, small, random`},
		{n, 0, hv.Options{Search: hv.DFS, Parent: hv.LowestID}, `parent rule "lowest" applies to breadth-first trees only`},
		{parted, 0, hv.Options{}, "the network is not connected: switch s3 cannot be reached from switch s0 (nor can 2 more)"},
		{parted, 3, hv.Options{Search: hv.DFS}, "switch s0 cannot be reached from switch s3 (nor can 4 more)"},
		{network(2, ""), 1, hv.Options{}, "the network is not connected: switch s0 cannot be reached from switch s1"},
	} {
		tree, err := hv.NewTree(c.n, c.root, c.o)
		if tree != nil || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.o, err, c.want)
		}
	}
	var d *hv.DisconnectedError
	if _, err := hv.NewTree(parted, 0, hv.Options{}); !errors.As(err, &d) || d.Root != 0 || d.Switch != 3 || d.Missing != 3 {
		t.Errorf("disconnected: %+v", d)
	}
	if _, err := hv.New(grow(t, n, 0, hv.Options{Search: hv.DFS})); err == nil {
		t.Error("an H/V graph on a depth-first tree")
	}
	if _, err := grow(t, n, 0, hv.Options{}).UpChannels("port"); err == nil || !strings.Contains(err.Error(), "want one of id, preorder") {
		t.Errorf("tie rule: %v", err)
	}
}

func TestClassTurns(t *testing.T) {
	if got := len(hv.AllClassTurns().List()); got != 12 {
		t.Errorf("%d class turns, figure 5 of the paper has 12", got)
	}
	for _, c := range hv.AllClassTurns().List() {
		if back, err := hv.ParseClassTurn(c.String()); err != nil || back != c {
			t.Errorf("%s reads as %s, %v", c, back, err)
		}
	}
	for _, bad := range []string{"", "LU", "LU>", ">LU", "LU>LU", "LU>XX", "lu>rd", "LU>RD>LU", "LU RD"} {
		if c, err := hv.ParseClassTurn(bad); err == nil {
			t.Errorf("%q reads as %s", bad, c)
		}
	}
	s := hv.Classes(hv.ClassTurn{In: hv.RU, Out: hv.LU}, hv.ClassTurn{In: hv.LD, Out: hv.LU})
	if got := s.String(); got != "{LD>LU, RU>LU}" {
		t.Error(got)
	}
	if s.Has(hv.ClassTurn{In: hv.LU, Out: hv.LD}) || !s.Has(hv.ClassTurn{In: hv.LD, Out: hv.LU}) {
		t.Error("Has")
	}
}

// TestBasicCycles checks that each turn of a cycle starts where the previous one ends. It also
// checks that a cycle goes both left and right, up and down.
func TestBasicCycles(t *testing.T) {
	for _, cycle := range hv.BasicCycles() {
		var seen hv.ClassTurns
		for i, turn := range cycle.Turns {
			if next := cycle.Turns[(i+1)%len(cycle.Turns)]; turn.Out != next.In || turn.In == turn.Out || seen.Has(turn) {
				t.Errorf("%s: %s, then %s", cycle.Name, turn, next)
			}
			seen |= hv.Classes(turn)
		}
	}
	if len(hv.BasicCycles()) != 7 {
		t.Errorf("%d basic cycles", len(hv.BasicCycles()))
	}
}

// drawNetwork draws a connected network with parallel links.
func drawNetwork(t *rapid.T, most int) *model.Network {
	k := rapid.IntRange(1, most).Draw(t, "switches")
	var links []string
	for u := 1; u < k; u++ {
		links = append(links, fmt.Sprintf("%d-%d", rapid.IntRange(0, u-1).Draw(t, "to"), u))
	}
	if k > 1 {
		for range rapid.IntRange(0, 2*k).Draw(t, "more") {
			u := rapid.IntRange(0, k-1).Draw(t, "u")
			links = append(links, fmt.Sprintf("%d-%d", u, (u+rapid.IntRange(1, k-1).Draw(t, "v"))%k))
		}
	}
	return network(k, strings.Join(rapid.Permutation(links).Draw(t, "order"), " "))
}

func drawOptions(t *rapid.T) hv.Options {
	o := hv.Options{Search: rapid.SampledFrom(hv.Searches()).Draw(t, "search"), Neighbours: rapid.SampledFrom(hv.NeighbourOrders()).Draw(t, "neighbours"),
		Children: rapid.SampledFrom(hv.ChildOrders()).Draw(t, "children"), Seed: rapid.Uint64().Draw(t, "seed")}
	if o.Search == hv.BFS {
		o.Parent = rapid.SampledFrom(hv.ParentRules()).Draw(t, "parent")
	}
	return o
}

// TestTrees checks the promises of the package for every tree.
func TestTrees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := drawNetwork(t, 12)
		root := model.SwitchID(rapid.IntRange(0, n.NumSwitches()-1).Draw(t, "root"))
		o := drawOptions(t)
		tree := grow(t, n, root, o)
		if tree.Root != root || tree.Parent(root) != model.NoSwitch || tree.Depth[root] != 0 || tree.Spread[root] != 0 {
			t.Fatalf("root %d: %+v", root, tree)
		}
		dist := hv.Hops(n, root)
		onTree := 0
		for u := range model.SwitchID(n.NumSwitches()) {
			if tree.Preorder[tree.Spread[u]] != u {
				t.Fatalf("switch %d has number %d, which is that of %d", u, tree.Spread[u], tree.Preorder[tree.Spread[u]])
			}
			if o.Search == hv.BFS && uint32(tree.Depth[u]) != dist[u] {
				t.Fatalf("switch %d: depth %d, distance %d", u, tree.Depth[u], dist[u])
			}
			if p := tree.Parent(u); p != model.NoSwitch && (tree.Depth[u] != tree.Depth[p]+1 || tree.Spread[u] <= tree.Spread[p] || n.Tail(tree.Up[u]) != u) {
				t.Fatalf("switch %d under %d: depth %d under %d, number %d under %d", u, p, tree.Depth[u], tree.Depth[p], tree.Spread[u], tree.Spread[p])
			}
		}
		// In preorder, the next switch is a child of this switch or of one of its ancestors.
		for i, u := range tree.Preorder[1:] {
			if at := tree.Preorder[i]; !ancestor(tree, tree.Parent(u), at) {
				t.Fatalf("preorder %v: %d after %d", tree.Preorder, u, at)
			}
		}
		for c := range model.ChannelID(n.NumLinkChannels()) {
			u, v := n.Tail(c), n.Head(c)
			if tree.Has(c) != tree.Has(n.Reverse(c)) {
				t.Fatalf("channel %d and its reverse differ", c)
			}
			if tree.Has(c) {
				onTree++
			}
			if o.Search == hv.DFS && !ancestor(tree, u, v) && !ancestor(tree, v, u) {
				t.Fatalf("link %d-%d joins two branches", u, v)
			}
		}
		if onTree != 2*(n.NumSwitches()-1) {
			t.Fatalf("%d channels on the tree of %d switches", onTree, n.NumSwitches())
		}
	})
}

// TestLastParents checks that with the last possible parents and children in the order of discovery every link between two depths
// leads to the left and up.
func TestLastParents(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := drawNetwork(t, 12)
		o := hv.Options{Parent: hv.LastSeen, Neighbours: rapid.SampledFrom(hv.NeighbourOrders()).Draw(t, "neighbours"), Seed: rapid.Uint64().Draw(t, "seed")}
		tree := grow(t, n, model.SwitchID(rapid.IntRange(0, n.NumSwitches()-1).Draw(t, "root")), o)
		for c := range model.ChannelID(n.NumLinkChannels()) {
			if u, v := n.Tail(c), n.Head(c); tree.Depth[v] == tree.Depth[u]-1 && tree.Spread[v] > tree.Spread[u] {
				t.Fatalf("preorder %v: the link from %d up to %d leads to the right", tree.Preorder, u, v)
			}
		}
	})
}

// ancestor reports whether u is v or an ancestor of v.
func ancestor(tree *hv.Tree, u, v model.SwitchID) bool {
	for ; v != model.NoSwitch; v = tree.Parent(v) {
		if v == u {
			return true
		}
	}
	return false
}

var opposite = map[hv.Dir]hv.Dir{hv.LU: hv.RD, hv.RD: hv.LU, hv.RU: hv.LD, hv.LD: hv.RU}

// TestDirections checks that the two channels of a cable, and of all parallel cables, have
// opposite directions. Tree channels lead up to the left and down to the right. No cycle has
// one direction only.
func TestDirections(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := drawNetwork(t, 10)
		o := drawOptions(t)
		o.Search = hv.BFS
		g := graph(t, n, model.SwitchID(rapid.IntRange(0, n.NumSwitches()-1).Draw(t, "root")), o)
		of := map[[2]model.SwitchID]hv.Dir{}
		for c := range model.ChannelID(n.NumLinkChannels()) {
			u, v, d := n.Tail(c), n.Head(c), g.Dir(c)
			if e, ok := of[[2]model.SwitchID{u, v}]; ok && e != d {
				t.Fatalf("parallel channels from %d to %d: %s and %s", u, v, d, e)
			}
			of[[2]model.SwitchID{u, v}] = d
			if e := g.Dir(n.Reverse(c)); e != opposite[d] {
				t.Fatalf("from %d to %d %s, back %s", u, v, d, e)
			}
			if g.Up[u] == c && d != hv.LU {
				t.Fatalf("from %d to its parent %d: %s", u, v, d)
			}
			if right := d == hv.RU || d == hv.RD; right != (g.Spread[u] < g.Spread[v]) {
				t.Fatalf("from spread %d to %d: %s", g.Spread[u], g.Spread[v], d)
			}
			// down leads to a greater (depth, -spread)
			down := g.Depth[u] < g.Depth[v] || g.Depth[u] == g.Depth[v] && g.Spread[u] > g.Spread[v]
			if down != (d == hv.LD || d == hv.RD) {
				t.Fatalf("from depth %d to %d: %s", g.Depth[u], g.Depth[v], d)
			}
		}
		for turn := range model.Turns(n, false) {
			in, out := model.ChannelID(turn.In), model.ChannelID(turn.Out)
			class, turns := g.ClassTurn(in, out)
			if turns != (g.Dir(in) != g.Dir(out)) || class != (hv.ClassTurn{In: g.Dir(in), Out: g.Dir(out)}) || hv.AllClassTurns().Has(class) != turns {
				t.Fatalf("turn %v: %s, %v", turn, class, turns)
			}
		}
	})
}

// TestUpChannels checks that one of the two channels of a cable is up, that up channels follow
// an order of the switches, and that the channel to the parent is up.
func TestUpChannels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := drawNetwork(t, 10)
		tree := grow(t, n, model.SwitchID(rapid.IntRange(0, n.NumSwitches()-1).Draw(t, "root")), drawOptions(t))
		ties := rapid.SampledFrom(append([]string{""}, hv.TieRules()...)).Draw(t, "ties")
		up, err := tree.UpChannels(ties)
		if err != nil {
			t.Fatal(err)
		}
		less := func(u, v model.SwitchID) bool { // u is nearer to the root
			if tree.Options.Search == hv.DFS {
				return tree.Spread[u] < tree.Spread[v]
			}
			if d, e := tree.Depth[u], tree.Depth[v]; d != e {
				return d < e
			}
			if ties == hv.TiesBySpread {
				return tree.Spread[u] < tree.Spread[v]
			}
			return u < v
		}
		for c := range model.ChannelID(n.NumLinkChannels()) {
			if up[c] == up[n.Reverse(c)] || up[c] != less(n.Head(c), n.Tail(c)) {
				t.Fatalf("channel %d from %d to %d: up %v, back %v", c, n.Tail(c), n.Head(c), up[c], up[n.Reverse(c)])
			}
			if tree.Up[n.Tail(c)] == c && !up[c] {
				t.Fatalf("the channel from %d to its parent is down", n.Tail(c))
			}
		}
	})
}

// TestCenter compares Hops and Center with distances by the algorithm of Floyd and Warshall.
func TestCenter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := drawNetwork(t, 14)
		if rapid.IntRange(0, 3).Draw(t, "parted") == 0 { // two components; the first contains switch 0
			n = network(n.NumSwitches()+3, links(n)+fmt.Sprintf(" %d-%d", n.NumSwitches(), n.NumSwitches()+1))
		}
		k := n.NumSwitches()
		d := make([][]uint32, k)
		for u := range d {
			d[u] = make([]uint32, k)
			for v := range d {
				if u != v {
					d[u][v] = hv.Far
				}
			}
		}
		for c := range model.ChannelID(n.NumLinkChannels()) {
			d[n.Tail(c)][n.Head(c)] = 1
		}
		for w := range k {
			for u := range k {
				for v := range k {
					if d[u][w] != hv.Far && d[w][v] != hv.Far {
						d[u][v] = min(d[u][v], d[u][w]+d[w][v])
					}
				}
			}
		}
		from := model.SwitchID(rapid.IntRange(0, k-1).Draw(t, "from"))
		best, least := model.NoSwitch, hv.Far
		for u := range model.SwitchID(k) {
			if hops := hv.Hops(n, u); !slices.Equal(hops, d[u]) { // Hops works for both directions
				t.Fatalf("hops to %d: %v, want %v", u, hops, d[u])
			}
			if d[from][u] == hv.Far {
				continue
			}
			ecc := uint32(0)
			for _, x := range d[u] {
				if x != hv.Far {
					ecc = max(ecc, x)
				}
			}
			if ecc < least {
				best, least = u, ecc
			}
		}
		if got := hv.Center(n, from); got != best {
			t.Fatalf("center %d, want %d", got, best)
		}
	})
}

// links returns the links of a network in the format of function network.
func links(n *model.Network) string {
	var list []string
	for l := range model.LinkID(n.NumLinks()) {
		list = append(list, fmt.Sprintf("%d-%d", n.Link(l).A, n.Link(l).B))
	}
	return strings.Join(list, " ")
}
