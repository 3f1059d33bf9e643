package synth

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify"
)

// This file holds tables of in-trees to proofs, to all choices of channels on
// small networks, and to the theorems of intree.go; and it keeps the smallest
// sets that have none.

// drawSet allows turns in random order as long as they close no cycle, each with
// its reverse or each alone, and leaves out some of them.
func drawSet(r *rand.Rand, n *model.Network, pairs bool, keep float64) *model.TurnSet {
	turns := slices.Collect(model.Turns(n, false))
	r.Shuffle(len(turns), func(i, j int) { turns[i], turns[j] = turns[j], turns[i] })
	set, order := model.NewTurnSet(n), cdg.NewOrder(n, nil)
	for _, t := range turns {
		switch {
		case r.Float64() > keep:
		case pairs:
			allowPair(order, set, t)
		case order.Add(t):
			set.Add(t)
		}
	}
	return set
}

// drawConnected repeats that until each pair has a way.
func drawConnected(r *rand.Rand, most int, pairs bool, keep float64) *model.TurnSet {
	for {
		n := randomNetwork(r, most)
		set := drawSet(r, n, pairs, keep)
		if unreachedPairs(model.NewDemand(n, model.UniformTraffic(n)), set) == 0 {
			return set
		}
	}
}

// choices is every way to choose channels towards one switch.
type choices struct {
	set    *model.TurnSet
	root   model.SwitchID
	from   []model.SwitchID // that must get there
	most   []int            // by switch: links that its path may have, if it is in from; if nil, any number
	choice []model.ChannelID
	best   int // least sum of links from there, -1 if there is no choice
}

// tryAll gives switch u and those after it each of its channels in turn.
func (x *choices) tryAll(u int) {
	n := x.set.Network()
	if u < n.NumSwitches() && model.SwitchID(u) == x.root {
		x.choice[u] = model.NoChannel
		x.tryAll(u + 1)
		return
	}
	if u < n.NumSwitches() {
		for _, c := range n.Out(model.SwitchID(u)) {
			if n.Kind(c) == model.SwitchToSwitch {
				x.choice[u] = c
				x.tryAll(u + 1)
			}
		}
		return
	}
	sum := 0
	for _, u := range x.from {
		k, ok := waysLength(x.set, x.choice, u, x.root)
		if !ok || x.most != nil && k > x.most[u] {
			return
		}
		sum += k
	}
	if x.best < 0 || sum < x.best {
		x.best = sum
	}
}

// waysLength follows the choices from u to v.
func waysLength(set *model.TurnSet, choice []model.ChannelID, u, v model.SwitchID) (links int, ok bool) {
	n, in := set.Network(), model.NoChannel
	for u != v {
		c := choice[u]
		if c < 0 || links > n.NumSwitches() || in != model.NoChannel && !set.Has(model.Turn{In: model.VCID(in), Out: model.VCID(c)}) {
			return 0, false
		}
		in, u = c, n.Head(c)
		links++
	}
	return links, true
}

// bestTree returns the least sum of lengths of an in-tree from some switches to
// v, and -1 if there is none.
func bestTree(set *model.TurnSet, v model.SwitchID, from []model.SwitchID, most []int) int {
	x := &choices{set: set, root: v, from: from, most: most, choice: make([]model.ChannelID, set.Network().NumSwitches()), best: -1}
	x.tryAll(0)
	return x.best
}

// shortestPaths searches for the lengths of the shortest legal paths to v.
func shortestPaths(set *model.TurnSet, v model.SwitchID) []int {
	n := set.Network()
	dist := make([]int, n.NumLinkChannels())
	for again := true; again; {
		again = false
		for c := range dist {
			best := dist[c]
			if n.Head(model.ChannelID(c)) == v {
				best = 1
			}
			for d := range dist {
				if dist[d] > 0 && n.Tail(model.ChannelID(d)) == n.Head(model.ChannelID(c)) && n.Head(model.ChannelID(c)) != v &&
					set.Has(model.Turn{In: model.VCID(c), Out: model.VCID(d)}) && (best == 0 || dist[d]+1 < best) {
					best = dist[d] + 1
				}
			}
			if best != dist[c] {
				dist[c], again = best, true
			}
		}
	}
	ways := make([]int, n.NumSwitches())
	for c, k := range dist {
		if u := n.Tail(model.ChannelID(c)); k > 0 && u != v && (ways[u] == 0 || k < ways[u]) {
			ways[u] = k
		}
	}
	return ways
}

func without(list []model.SwitchID, u model.SwitchID) []model.SwitchID {
	return slices.DeleteFunc(slices.Clone(list), func(w model.SwitchID) bool { return w == u })
}

// checkForwarding follows every way of a table and counts again.
func checkForwarding(t *testing.T, set *model.TurnSet, f *Forwarding, o TreeOptions) {
	t.Helper()
	n := set.Network()
	load, sum, legal, pairs, most, longer := make([]int64, n.NumLinkChannels()), 0, 0, int64(0), 0, int64(0)
	for d := range model.DestID(f.Table.Destinations()) {
		v := n.Host(f.Table.DestinationHost(d)).Switch
		ways := shortestPaths(set, v)
		for h := range model.HostID(n.NumHosts()) {
			u := n.Host(h).Switch
			if u == v {
				continue
			}
			k, ok := waysLength(set, f.Table.Row(d), u, v)
			if !ok {
				t.Fatalf("no path from %d to %d", u, v)
			}
			if o.Shortest && k > ways[u] {
				t.Fatalf("%d links from %d to %d, %d would do", k, u, v, ways[u])
			}
			pairs, sum, legal, most = pairs+1, sum+k, legal+ways[u], max(most, k)
			if k > ways[u] {
				longer++
			}
			for w := u; w != v; w = n.Head(f.Table.Row(d)[w]) {
				load[f.Table.Row(d)[w]]++
			}
		}
	}
	if pairs != f.Pairs || most != f.MaxPath || longer != f.Longer || !slices.Equal(load, f.Load) ||
		pairs > 0 && (f.MeanPath != float64(sum)/float64(pairs) || f.MeanLegal != float64(legal)/float64(pairs)) {
		t.Fatalf("counted %d pairs, %d and %d links, at most %d, %d longer, %v; reported %+v", pairs, sum, legal, most, longer, load, f)
	}
}

// checkProved has the table proved, and its turns looked up in the set.
func checkProved(t *testing.T, set *model.TurnSet, tab *model.Table) {
	t.Helper()
	rep, err := verify.Check(t.Context(), tab, verify.Options{NoPairs: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []verify.Claim{rep.Acyclic, rep.DeadlockFree, rep.Connected, rep.LivelockFree} {
		if c.Verdict != verify.Proved {
			t.Fatalf("%s: %s, %s", c.Name, c.Verdict, c.Reason)
		}
	}
	for turn := range rep.Graph.All() {
		if !set.Has(turn) {
			t.Fatalf("turn %v is used, but not allowed", turn)
		}
	}
}

// TestInTreesOfMethods draws networks and options: the sets of all methods have
// in-trees, by the theorems of intree.go.
func TestInTreesOfMethods(t *testing.T) {
	networks := longtest.Cases(200, 20_000) // times the methods
	r := rand.New(rand.NewPCG(11, 0))
	for i := range networks {
		n := randomNetwork(r, 14)
		for _, m := range publishedMethods() {
			res, err := New(t.Context(), m.Name, n, sound(r, m, n))
			if err != nil {
				t.Fatal(err)
			}
			f, err := InTrees(t.Context(), res.Allowed, TreeOptions{})
			if err != nil {
				t.Fatalf("network %d, %s %+v: %v", i, m.Name, res.Options, err)
			}
			checkForwarding(t, res.Allowed, f, TreeOptions{})
			if i%5 == 0 {
				checkProved(t, res.Allowed, f.Table)
			}
		}
	}
}

// TestInTreesAgainstAllChoices: there is a table iff some choice of channels
// serves all, found by growing and repairing as well as by the formula; what
// NoInTree names cannot be served, and can with any one left out.
func TestInTreesAgainstAllChoices(t *testing.T) {
	sets := longtest.Cases(1500, 100_000)
	r := rand.New(rand.NewPCG(12, 0))
	none, detour, least := [2]int{}, 0, 0
	for i := range sets {
		set := drawConnected(r, 6, i%2 == 0, []float64{1, 0.9, 0.8, 0.7}[i%4])
		for k, o := range []TreeOptions{{}, {Shortest: true}} {
			f, err := InTrees(t.Context(), set, o)
			bad := checkExistence(t, set, o)
			if err == nil {
				checkForwarding(t, set, f, o)
				if bad != model.NoSwitch {
					t.Fatalf("set %d, %+v: a table, but no choice serves switch %d", i, o, bad)
				}
				d, l := excess(set, f)
				detour, least = detour+d, least+l
				continue
			}
			var e *NoInTree
			if none[k]++; !errors.As(err, &e) || e.Dest != bad || e.Shortest != o.Shortest {
				t.Fatalf("set %d, %+v: %v, no choice serves switch %d", i, o, err, bad)
			}
			checkSources(t, set, e)
		}
	}
	if none[0] == 0 || none[1] < 20 {
		t.Errorf("%v sets without in-trees: hardly a test", none)
	}
	t.Logf("%d sets: %d without in-trees, %d without shortest ones; ways %.2f%% longer than those of the best trees", sets, none[0], none[1], 100*float64(detour)/float64(least))
}

// targets lists the switches with hosts.
func targets(n *model.Network) (list []model.SwitchID) {
	for h := range model.HostID(n.NumHosts()) {
		list = append(list, n.Host(h).Switch)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// limits returns what bestTree may use for options.
func limits(set *model.TurnSet, v model.SwitchID, shortest bool) []int {
	if shortest {
		return shortestPaths(set, v)
	}
	return nil
}

// checkExistence returns the first switch that no choice serves. It asks the
// formula about each.
func checkExistence(t *testing.T, set *model.TurnSet, o TreeOptions) model.SwitchID {
	t.Helper()
	first := model.NoSwitch
	f, err := newForest(set, o)
	if err != nil {
		t.Fatal(err)
	}
	list := targets(set.Network())
	for _, v := range list {
		from := without(list, v)
		exists := bestTree(set, v, from, limits(set, v, o.Shortest)) >= 0
		if !exists && first == model.NoSwitch {
			first = v
		}
		f.begin(v)
		var none *NoInTree
		switch err := f.solve(t.Context()); {
		case err == nil != exists || err != nil && !errors.As(err, &none):
			t.Fatalf("to switch %d: the formula says %v, all choices say %v", v, err, exists)
		case err == nil:
			for _, u := range from {
				if _, ok := waysLength(set, f.choice, u, v); !ok {
					t.Fatalf("the formula's choice has no path from %d to %d", u, v)
				}
			}
		}
	}
	return first
}

// checkSources holds what NoInTree names against all choices.
func checkSources(t *testing.T, set *model.TurnSet, e *NoInTree) {
	t.Helper()
	most := limits(set, e.Dest, e.Shortest)
	if bestTree(set, e.Dest, e.Sources, most) >= 0 {
		t.Fatalf("%v: but they can be served", e)
	}
	for _, u := range e.Sources {
		if bestTree(set, e.Dest, without(e.Sources, u), most) < 0 {
			t.Fatalf("%v: not even without %d", e, u)
		}
	}
}

// excess compares a table with the best trees: links more, and theirs.
func excess(set *model.TurnSet, f *Forwarding) (more, least int) {
	n := set.Network()
	list := targets(n)
	done := map[model.SwitchID]bool{}
	for d := range model.DestID(f.Table.Destinations()) {
		v := n.Host(f.Table.DestinationHost(d)).Switch
		if done[v] {
			continue
		}
		done[v] = true
		best := bestTree(set, v, without(list, v), nil)
		for _, u := range without(list, v) {
			k, _ := waysLength(set, f.Table.Row(d), u, v)
			more += k
		}
		more, least = more-best, least+best
	}
	return more, least
}

// The smallest connected sets without in-trees: links, switches of prohibited
// turns, the destination, and sources that cannot be served together. In the
// first, what comes from 3 must go on by 1-0, and what comes from 4 by 1-2-0.
// In the second, each has a link of its own from 1 to 0; the ports of switch 1
// tell the two links apart.
var withoutInTree = []struct {
	name, links string
	prohibited  [][2]string // "from-to" and "to-next", the second link between two switches with a prime
	dest        model.SwitchID
	sources     []model.SwitchID
}{
	{"five switches, simple", "0-1 0-2 1-2 1-3 1-4", [][2]string{{"0-1", "1-2"}, {"2-1", "1-0"}, {"3-1", "1-2"}, {"4-1", "1-0"}}, 0, []model.SwitchID{3, 4}},
	{"four switches, two links in parallel", "0-1 0-1 1-2 1-3", [][2]string{{"0-1", "1-0'"}, {"0-1'", "1-0"}, {"2-1", "1-0'"}, {"3-1", "1-0"}, {"1-0", "0-1'"}, {"1-0'", "0-1"}}, 0, []model.SwitchID{2, 3}},
}

// channelNamed finds "1-0", or "1-0'" for the second link between the two.
func channelNamed(n *model.Network, name string) model.ChannelID {
	bare := strings.TrimSuffix(name, "'")
	skip := len(name) - len(bare)
	for c := range model.ChannelID(n.NumLinkChannels()) {
		if fmt.Sprintf("%d-%d", n.Tail(c), n.Head(c)) == bare {
			if skip == 0 {
				return c
			}
			skip--
		}
	}
	panic(name)
}

func TestSmallestWithoutInTree(t *testing.T) {
	for _, x := range withoutInTree {
		n := parseLinks(x.links)
		set := allTurns(n)
		for _, p := range x.prohibited {
			set.Remove(model.Turn{In: model.VCID(channelNamed(n, p[0])), Out: model.VCID(channelNamed(n, p[1]))})
		}
		rep, err := verify.CheckTurns(t.Context(), set, verify.TurnOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if rep.Acyclic.Verdict != verify.Proved || rep.Connected.Verdict != verify.Proved {
			t.Errorf("%s: acyclic %s, connected %s", x.name, rep.Acyclic.Verdict, rep.Connected.Verdict)
		}
		_, err = InTrees(t.Context(), set, TreeOptions{})
		var e *NoInTree
		if !errors.As(err, &e) || e.Dest != x.dest || !slices.Equal(e.Sources, x.sources) {
			t.Errorf("%s: %v", x.name, err)
			continue
		}
		checkSources(t, set, e)
	}
}

// TestNoneSmaller goes through all sets of turns, cyclic ones left out, of all
// simple networks of up to four switches, and of those of three with up to two
// links between two: wherever all switches have ways to switch 0, there is an
// in-tree. With all switches next to 0 there is always one.
func TestNoneSmaller(t *testing.T) {
	looked := 0
	for _, size := range [][2]int{{3, 1}, {3, 2}, {4, 1}} {
		connectedGraphs(size[0], size[1], func(links [][2]int) {
			next := map[int]bool{}
			for _, l := range links {
				if l[0] == 0 {
					next[l[1]] = true
				}
			}
			if len(next) < size[0]-1 {
				looked += checkAllSets(t, fromLinks(size[0], links))
			}
		})
	}
	t.Logf("%d sets", looked)
}

// checkAllSets looks for an in-tree to switch 0 in each acyclic set of turns
// that leaves ways there.
func checkAllSets(t *testing.T, n *model.Network) (looked int) {
	turns := slices.Collect(model.Turns(n, false))
	from := without(targets(n), 0)
	for code := range 1 << len(turns) {
		set := model.NewTurnSet(n)
		for i, turn := range turns {
			if code>>i&1 != 0 {
				set.Add(turn)
			}
		}
		ways := shortestPaths(set, 0)
		if slices.Contains(ways[1:], 0) || !isAcyclic(set) {
			continue
		}
		if looked++; bestTree(set, 0, from, nil) < 0 {
			t.Fatalf("%v: no in-tree with %v", n, slices.Collect(set.All()))
		}
	}
	return looked
}

// TestMaximalSetsHaveInTrees holds sets to which no turn, or no turn with its
// reverse, can be added against the theorem: the last channels, by a numbering,
// from which there are ways are in-trees.
func TestMaximalSetsHaveInTrees(t *testing.T) {
	sets := longtest.Cases(300, 30_000)
	r := rand.New(rand.NewPCG(13, 0))
	for i := range sets {
		pairs := i%2 == 0
		set := drawConnected(r, 10, pairs, 1)
		n := set.Network()
		rank, _ := cdg.FromTurns(set).Numbering()
		if pairs { // reverses must keep opposite signs
			half := slices.Clone(rank)
			for c := range rank {
				rank[c] = int32(len(rank))*(half[c]-half[c^1]) + half[min(c, c^1)]*int32(1-2*(c&1))
			}
		}
		for turn := range model.Turns(n, false) {
			if set.Has(turn) != (rank[turn.In] < rank[turn.Out]) {
				t.Fatalf("set %d: the numbering does not say which turns are allowed", i)
			}
		}
		for _, v := range targets(n) {
			checkLast(t, set, rank, v)
		}
		if f, err := InTrees(t.Context(), set, TreeOptions{}); err != nil || f.Solved > 0 {
			t.Fatalf("set %d: %v, %+v", i, err, f)
		}
	}
}

// checkLast follows the last channels to v.
func checkLast(t *testing.T, set *model.TurnSet, rank []int32, v model.SwitchID) {
	t.Helper()
	n := set.Network()
	f, err := newForest(set, TreeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	f.begin(v)
	for c, ok := range f.live {
		if u := n.Tail(model.ChannelID(c)); ok && (f.choice[u] == model.NoChannel || rank[c] > rank[f.choice[u]]) {
			f.choice[u] = model.ChannelID(c)
		}
	}
	for _, u := range without(targets(n), v) {
		if _, ok := waysLength(set, f.choice, u, v); !ok {
			t.Fatalf("the last channels have no path from %d to %d", u, v)
		}
	}
}

// TestInTreesOfFabric: addresses by LMC have entries each, management endpoints
// too, also in switches without hosts.
func TestInTreesOfFabric(t *testing.T) {
	b := model.NewBuilder()
	for u := range model.SwitchID(4) {
		b.AddSwitch(model.Switch{LID: uint16(100 + u)})
		b.AddHost(model.Host{Switch: u, LID: uint16(100 + u), Management: true})
	}
	b.AddHost(model.Host{Switch: 0, Port: 9, LID: 8, LMC: 2})
	b.AddHost(model.Host{Switch: 2, Port: 9, LID: 1})
	for i, l := range [][2]model.SwitchID{{0, 1}, {1, 2}, {2, 3}, {3, 0}} {
		b.AddLink(l[0], model.Port(1+i%2), l[1], model.Port(3+i%2))
	}
	n, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	set := allTurns(n)
	for _, name := range [][2]string{{"0-1", "1-2"}, {"0-3", "3-2"}, {"2-1", "1-0"}, {"3-0", "0-1"}} {
		set.Remove(model.Turn{In: model.VCID(channelNamed(n, name[0])), Out: model.VCID(channelNamed(n, name[1]))})
	}
	_, err = InTrees(t.Context(), set, TreeOptions{})
	var e *NoInTree
	if !errors.As(err, &e) || e.Dest != 2 || !slices.Equal(e.Sources, []model.SwitchID{0}) {
		t.Fatalf("no path from 0 to 2: %v", err)
	}
	set.Add(model.Turn{In: model.VCID(channelNamed(n, "0-1")), Out: model.VCID(channelNamed(n, "1-2"))})
	f, err := InTrees(t.Context(), set, TreeOptions{Shortest: true})
	if err != nil {
		t.Fatal(err)
	}
	if f.Table.AllDestinations() != 9 || f.Table.Destination(2).LID != 10 || f.Table.Entries() != 9*4 {
		t.Errorf("%d destinations, the third %+v, %d entries", f.Table.AllDestinations(), f.Table.Destination(2), f.Table.Entries())
	}
	checkForwarding(t, set, f, TreeOptions{Shortest: true})
	checkProved(t, set, f.Table.WithManagement(model.AllManagement))
}

func TestInTreesRefuses(t *testing.T) {
	n := parse(t, "ring:5")
	if _, err := InTrees(t.Context(), allTurns(n), TreeOptions{}); err == nil {
		t.Error("a cyclic set")
	}
	if _, err := InTrees(t.Context(), model.NewTurnSet(n.WithVCs(2)), TreeOptions{}); err == nil {
		t.Error("two VCs")
	}
	res, err := New(t.Context(), "updown", n, Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := InTrees(ctx, res.Allowed, TreeOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	e := &NoInTree{Dest: 3, Shortest: true}
	for u := range model.SwitchID(12) {
		e.Sources = append(e.Sources, u)
	}
	if text := e.Error(); !strings.HasSuffix(text, "8, 9 and 2 more") {
		t.Error(text)
	}
}

// TestInTreesAgain: the same set, the same table.
func TestInTreesAgain(t *testing.T) {
	set := drawConnected(rand.New(rand.NewPCG(14, 0)), 40, true, 1)
	var rows [2][]model.ChannelID
	for i := range rows {
		f, err := InTrees(t.Context(), set, TreeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for d := range model.DestID(f.Table.AllDestinations()) {
			rows[i] = append(rows[i], f.Table.Row(d)...)
		}
	}
	if !slices.Equal(rows[0], rows[1]) {
		t.Error("two tables")
	}
}

func BenchmarkInTrees(b *testing.B) {
	for _, method := range []string{"updown", "turn-addition"} {
		for _, switches := range []int{64, 512, 4096} {
			n := parse(b, fmt.Sprintf("random:switches=%d,degree=4,seed=1", switches))
			res, err := New(b.Context(), method, n, Options{})
			if err != nil {
				b.Fatal(err)
			}
			b.Run(fmt.Sprintf("%s/%d", method, switches), func(b *testing.B) {
				for b.Loop() {
					f, err := InTrees(b.Context(), res.Allowed, TreeOptions{})
					if err != nil {
						b.Fatal(err)
					}
					b.ReportMetric(100*(f.MeanPath/f.MeanLegal-1), "%longer")
					b.ReportMetric(float64(slices.Max(f.Load)), "pairs/channel")
				}
			})
		}
	}
}
