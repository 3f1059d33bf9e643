package synth

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
	"github.com/turnproof/turnproof/model/topo"
)

// This file has the networks of the tests, and helpers to build them.

// fromLinks builds a network from links between switch numbers, with one host at each switch. At
// each switch the ports are in the order of the list, from 1.
func fromLinks(switches int, links [][2]int) *model.Network {
	b := model.NewBuilder()
	for u := range switches {
		b.AddSwitch(model.Switch{})
		b.AddHost(model.Host{Switch: model.SwitchID(u), Port: 100})
	}
	port := make([]model.Port, switches)
	for _, l := range links {
		port[l[0]]++
		port[l[1]]++
		b.AddLink(model.SwitchID(l[0]), port[l[0]], model.SwitchID(l[1]), port[l[1]])
	}
	n, err := b.Build()
	if err != nil {
		panic(err)
	}
	return n
}

// unreachedPairs returns the number of ordered pairs of hosts at different switches that have no path.
func unreachedPairs(d *model.Demand, set *model.TurnSet) int64 {
	pairs, err := unreached(context.Background(), d, set)
	if err != nil {
		panic(err)
	}
	return pairs
}

// parseLinks reads 0-1 1-2 2-0.
func parseLinks(text string) *model.Network {
	var links [][2]int
	switches := 0
	for _, f := range strings.Fields(text) {
		var l [2]int
		if _, err := fmt.Sscanf(f, "%d-%d", &l[0], &l[1]); err != nil {
			panic(err)
		}
		links = append(links, l)
		switches = max(switches, l[0]+1, l[1]+1)
	}
	return fromLinks(switches, links)
}

func formatLinks(links [][2]int) string {
	var f []string
	for _, l := range links {
		f = append(f, fmt.Sprintf("%d-%d", l[0], l[1]))
	}
	return strings.Join(f, " ")
}

// randomNetwork draws a connected network of 2 to most switches: a random tree
// and more links, sometimes parallel ones, ports shuffled, any number of hosts
// but none only where another switch has some.
func randomNetwork(r *rand.Rand, most int) *model.Network {
	n := 2 + r.IntN(most-1)
	var links [][2]int
	for u := 1; u < n; u++ {
		links = append(links, [2]int{r.IntN(u), u})
	}
	parallel := r.IntN(3) == 0
	has := map[[2]int]bool{}
	for _, l := range links {
		has[l] = true
	}
	for range r.IntN(2*n + 1) {
		u, v := r.IntN(n), r.IntN(n)
		if u > v {
			u, v = v, u
		}
		if u != v && (parallel || !has[[2]int{u, v}]) {
			has[[2]int{u, v}] = true
			links = append(links, [2]int{u, v})
		}
	}
	r.Shuffle(len(links), func(i, j int) { links[i], links[j] = links[j], links[i] })
	name := r.Perm(n)
	b := model.NewBuilder()
	port := make([]model.Port, n)
	next := func(u int) model.Port { port[u]++; return port[u] }
	for range n {
		b.AddSwitch(model.Switch{})
	}
	for _, l := range links {
		u, v := name[l[0]], name[l[1]]
		b.AddLink(model.SwitchID(u), next(u), model.SwitchID(v), next(v))
	}
	uneven := r.IntN(2) == 0
	for u := range n {
		k := 1
		if uneven {
			k = r.IntN(4)
		}
		for range k {
			b.AddHost(model.Host{Switch: model.SwitchID(u), Port: next(u)})
		}
	}
	net, err := b.Build()
	if err != nil {
		panic(err)
	}
	return net
}

// randomTraffic draws traffic between groups, with some pairs of their own.
func randomTraffic(r *rand.Rand, n *model.Network) *model.Traffic {
	if n.NumHosts() == 0 || r.IntN(3) == 0 {
		return nil
	}
	k := 1 + r.IntN(3)
	group, amount := make([]int32, n.NumHosts()), make([][]float64, k)
	for h := range group {
		group[h] = int32(r.IntN(k))
	}
	for i := range amount {
		for range k {
			amount[i] = append(amount[i], float64(r.IntN(4)))
		}
	}
	t, err := model.GroupTraffic(n, group, amount)
	if err != nil {
		panic(err)
	}
	for range r.IntN(6) {
		if err := t.Set(model.HostID(r.IntN(len(group))), model.HostID(r.IntN(len(group))), 5*r.Float64()); err != nil {
			panic(err)
		}
	}
	return t
}

func parse(t testing.TB, spec string) *model.Network {
	t.Helper()
	n, err := topo.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// graphOn returns the H/V graph of n from root.
func graphOn(t testing.TB, n *model.Network, root model.SwitchID, o hv.Options) *hv.Graph {
	t.Helper()
	tree, err := hv.NewTree(n, root, o)
	if err != nil {
		t.Fatal(err)
	}
	g, err := hv.New(tree)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// isAcyclic asks the graph only.
func isAcyclic(set *model.TurnSet) bool {
	_, ok := cdg.FromTurns(set).Numbering()
	return ok
}

// cycleOf is a shortest cycle of the set, as switches.
func cycleOf(t testing.TB, set *model.TurnSet) []int {
	t.Helper()
	vcs, err := cdg.FromTurns(set).ShortestCycle(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var list []int
	for _, v := range vcs {
		list = append(list, int(set.Network().Tail(model.ChannelID(v))))
	}
	return list
}

// reverseAll returns the reverse of every turn of the set.
func reverseAll(set *model.TurnSet) *model.TurnSet {
	r := model.NewTurnSet(set.Network())
	for t := range set.All() {
		r.Add(reverse(set.Network(), t))
	}
	return r
}

// publishedMethods are those that do not search.
func publishedMethods() (list []Method) {
	for _, m := range methods {
		if !m.Searches {
			list = append(list, m)
		}
	}
	return list
}
