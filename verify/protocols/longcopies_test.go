package protocols_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/facts"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// This file compares verdicts on multicast classes with the flits of all runs of a few packets (flits_test.go).

// copyCase is a routing, and classes of one virtual network. Each has sources and destinations.
type copyCase struct {
	name     string
	r        model.Relation
	from, to [][]model.HostID // by class
	single   []bool           // by class: whether its messages go to one host each
}

func (c *copyCase) text() string {
	var b strings.Builder
	b.WriteString("classes:\n")
	words := func(list []model.HostID) string {
		return strings.Trim(strings.ReplaceAll(fmt.Sprint(list), " ", ","), "[]")
	}
	for k := range c.from {
		fmt.Fprintf(&b, "  c%d: {vn: all, from: %q, to: %q, multicast: %v, consumed: true}\n", k, words(c.from[k]), words(c.to[k]), !c.single[k])
	}
	return b.String()
}

// packets returns a packet of each class, source and, for classes that are not multicast, destination. It returns nil if the paths of a packet
// form no tree.
func (c *copyCase) packets() (list []flitPacket) {
	for k := range c.from {
		for _, s := range c.from[k] {
			ends := [][]model.HostID{c.to[k]}
			if c.single[k] {
				ends = slices.Collect(slices.Chunk(c.to[k], 1))
			}
			for _, to := range ends {
				p, ok := treeOf(c.r, s, to)
				if !ok {
					return nil
				}
				if len(p.vcs) > 1 {
					list = append(list, p)
				}
			}
		}
	}
	return list
}

// blocks reports whether some packets of the given length, as many as most, block each other. It takes each packet up to twice.
func blocks(packets []flitPacket, most, length, buffer int, atomic bool) bool {
	var choose func(chosen []flitPacket, first int) bool
	choose = func(chosen []flitPacket, first int) bool {
		if len(chosen) > 1 {
			if found, _ := newFlitNet(chosen, length, buffer, atomic).deadlock(false); found {
				return true
			}
		}
		for i := first; i < len(packets) && len(chosen) < most; i++ {
			if choose(append(slices.Clip(chosen), packets[i]), i) {
				return true
			}
		}
		return false
	}
	return choose(nil, 0)
}

// smallGraph returns a network with a host at each switch, and a routing with one shortest path from each switch to each host, which
// rng draws.
func smallGraph(rng *rand.Rand, switches int, links [][2]int) model.Relation {
	b, port := model.NewBuilder(), make([]model.Port, switches)
	next := func(u int) model.Port { port[u]++; return port[u] }
	for range switches {
		b.AddSwitch(model.Switch{})
	}
	for _, l := range links {
		b.AddLink(model.SwitchID(l[0]), next(l[0]), model.SwitchID(l[1]), next(l[1]))
	}
	for u := range switches {
		b.AddHost(model.Host{Switch: model.SwitchID(u), Port: next(u)})
	}
	n, err := b.Build()
	if err != nil {
		panic(err)
	}
	tab := model.NewTable(n, modeltest.Destinations(n))
	for d := range switches {
		far := modeltest.Distances(n, model.SwitchID(d))
		for u := range model.SwitchID(switches) {
			var near []model.Port
			for _, c := range n.Out(u) {
				if h := n.Head(c); n.Kind(c) == model.SwitchToSwitch && far[h] < far[u] {
					near = append(near, n.TailPort(c))
				}
			}
			if int(u) == d {
				near = []model.Port{port[u]}
			}
			tab.SetPort(u, model.DestID(d), near[rng.IntN(len(near))])
		}
	}
	return tab
}

// subsets returns all sets of at least some of n hosts.
func subsets(n, least int) (list [][]model.HostID) {
	for bits := range 1 << n {
		var set []model.HostID
		for h := range n {
			if bits>>h&1 == 1 {
				set = append(set, model.HostID(h))
			}
		}
		if len(set) >= least {
			list = append(list, set)
		}
	}
	return list
}

// copyCases returns all classes with up to two sources on small networks, and random classes on random networks.
func copyCases(random int) (list []copyCase) {
	rng := rand.New(rand.NewPCG(1, 46))
	for _, small := range []struct {
		name     string
		switches int
		links    [][2]int
	}{
		{"line:4", 4, [][2]int{{0, 1}, {1, 2}, {2, 3}}},
		{"star:4", 4, [][2]int{{0, 1}, {0, 2}, {0, 3}}},
		{"ring:4", 4, [][2]int{{0, 1}, {1, 2}, {2, 3}, {3, 0}}},
		{"ring:3", 3, [][2]int{{0, 1}, {1, 2}, {2, 0}}},
	} {
		r, switches, name := smallGraph(rng, small.switches, small.links), small.switches, small.name
		for _, from := range subsets(switches, 1) {
			for _, to := range subsets(switches, 2) {
				if len(from) <= 2 {
					list = append(list, copyCase{name, r, [][]model.HostID{from}, [][]model.HostID{to}, []bool{false}})
				}
			}
		}
	}
	for i := range random {
		switches := 3 + rng.IntN(3)
		var links [][2]int
		for u := 1; u < switches; u++ {
			links = append(links, [2]int{u, rng.IntN(u)})
		}
		for range rng.IntN(3) {
			if u, v := rng.IntN(switches), rng.IntN(switches); u != v {
				links = append(links, [2]int{u, v})
			}
		}
		c := copyCase{name: fmt.Sprint("random ", i), r: smallGraph(rng, switches, links)}
		some := func(least int) []model.HostID {
			all := subsets(switches, least)
			return all[rng.IntN(len(all))]
		}
		for k := range 1 + rng.IntN(3) {
			from := some(1)
			c.from, c.to, c.single = append(c.from, from[:min(len(from), 1+rng.IntN(2))]), append(c.to, some(2)), append(c.single, k > 0 && rng.IntN(2) == 0)
		}
		list = append(list, c)
	}
	return list
}

// TestLongCopies: no proved packets block each other in any run. The order of waits alone proves packets that do.
func TestLongCopies(t *testing.T) {
	count := map[string]int{}
	for i, c := range copyCases(longtest.Share(3000, 100)) {
		packets := c.packets()
		p, rep := checkProtocol(t, c.r, c.text(), model.Wormhole)
		if p == nil || packets == nil {
			count["no tree of paths"]++
			continue
		}
		_, whole := checkProtocol(t, c.r, c.text(), model.CutThrough)
		order := whole.Added(cert.ClaimMessages).Claim.Verdict == verify.Proved // each message waits for one alternative
		_, fits := checkProtocol(t, c.r, c.text(), model.Wormhole, facts.Facts{Packet: 2, Buffer: 2, Everywhere: true, Source: "test"})
		if proved := fits.Added(cert.ClaimMessages).Claim.Verdict == verify.Proved; proved != order {
			t.Fatalf("%s: an order of waits: %v; proved for packets that fit: %v\n%s", c.name, order, proved, c.text())
		}
		most, long, short := 2, false, false
		if i%4 == 0 && len(packets) < 6 {
			most = 3
		}
		for _, atomic := range []bool{true, false} {
			short = short || blocks(packets, most, 1, 1, atomic) || blocks(packets, most, 2, 2, atomic)
			long = long || blocks(packets, most, 2, 1, atomic) || blocks(packets, most, 3, 2, atomic) || blocks(packets, most, 3, 1, atomic)
		}
		verdict := rep.Added(cert.ClaimMessages).Claim.Verdict
		switch {
		case verdict == verify.Proved && (long || short):
			t.Fatalf("%s: proved, but packets block each other: long %v, short %v, %v\n%s", c.name, long, short, packets, c.text())
		case order && short:
			t.Fatalf("%s: an order of waits, but packets that fit into a buffer block each other: %v\n%s", c.name, packets, c.text())
		case order && long:
			count["an order of waits proves packets that block each other"]++
		}
		count[fmt.Sprintf("%s, order of waits %v, blocked %v", verdict, order, long)]++
	}
	t.Log(count)
	if least := longtest.Share(20, 4); count["an order of waits proves packets that block each other"] < least || count["proved, order of waits true, blocked false"] < least {
		t.Errorf("%v: the test is too weak", count)
	}
}

// TestFlitSteps: giving VCs after all moves of flits ends in the same states as any other order.
func TestFlitSteps(t *testing.T) {
	blocked := 0
	for i, c := range copyCases(20) {
		packets := c.packets()
		if i%5 > 0 {
			continue
		}
		for i := range packets {
			for _, other := range packets[i:min(len(packets), i+2)] {
				for size := range 4 {
					n := newFlitNet([]flitPacket{packets[i], other}, 2, 1+size%2, size < 2)
					some, _ := n.deadlock(false)
					all, states := n.deadlock(true)
					if some != all {
						t.Fatalf("%s: %v: %v and %v in %d states", c.name, n.packets, some, all, states)
					}
					if all {
						blocked++
					}
				}
			}
		}
	}
	if blocked < 5 {
		t.Errorf("%d cases with blocked packets: the test is too weak", blocked)
	}
}
