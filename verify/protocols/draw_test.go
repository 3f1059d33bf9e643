package protocols_test

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
)

// This file draws small networks, routings and protocols.

// drawnRouting draws a connected network of 2 to 4 switches and 2 to 4 hosts, and a routing in which each
// state has a next hop nearer to the destination, and sometimes others.
func drawnRouting(rng *rand.Rand, deterministic bool) model.Relation {
	b := model.NewBuilder()
	switches, port := 2+rng.IntN(3), make([]model.Port, 4)
	next := func(u int) model.Port { port[u]++; return port[u] }
	for u := range switches {
		b.AddSwitch(model.Switch{Name: fmt.Sprintf("S%d", u), Ports: 100})
	}
	link := func(u, v int) { b.AddLink(model.SwitchID(u), next(u), model.SwitchID(v), next(v)) }
	for u := 1; u < switches; u++ {
		link(u, rng.IntN(u))
	}
	for range rng.IntN(2) {
		if u, v := rng.IntN(switches), rng.IntN(switches); u != v {
			link(u, v)
		}
	}
	for h := range 2 + rng.IntN(3) {
		u := rng.IntN(switches)
		b.AddHost(model.Host{Name: fmt.Sprintf("H%d", h), Switch: model.SwitchID(u), Port: next(u)})
	}
	n, err := b.Build()
	if err != nil {
		panic(err)
	}
	r := &modeltest.Relation{Net: n, NumClasses: 1}
	for h := range model.HostID(n.NumHosts()) {
		r.Dests = append(r.Dests, h)
	}
	hops := map[model.State][]model.Hop{}
	for d := range model.DestID(n.NumHosts()) {
		home := n.Host(model.HostID(d)).Switch
		far := modeltest.Distances(n, home)
		for v := range model.VCID(n.NumVCs()) {
			c, _ := n.Channel(v)
			u := n.Head(c)
			if u == model.NoSwitch {
				continue
			}
			if u == home {
				hops[model.State{VC: v, Dest: d}] = []model.Hop{{VC: n.VC(n.EjectChannel(model.HostID(d)), 0)}}
				continue
			}
			var near, other []model.Hop
			for _, o := range n.Out(u) {
				switch {
				case n.Kind(o) != model.SwitchToSwitch:
				case far[n.Head(o)] < far[u]:
					near = append(near, model.Hop{VC: n.VC(o, 0)})
				default:
					other = append(other, model.Hop{VC: n.VC(o, 0)})
				}
			}
			first := rng.IntN(len(near))
			list := near[first : first+1]
			if !deterministic && rng.IntN(2) == 0 {
				list = near
				if len(other) > 0 && rng.IntN(4) == 0 {
					list = append(list[:len(list):len(list)], other[rng.IntN(len(other))])
				}
			}
			hops[model.State{VC: v, Dest: d}] = list
		}
	}
	r.NextHops = func(s model.State) []model.Hop { return hops[s] }
	return r
}

// drawnProtocol draws the text of a protocol for n hosts, sometimes with a multicast class if multicast is true.
func drawnProtocol(rng *rand.Rand, n int, multicast bool) string {
	var b strings.Builder
	cut := 1 + rng.IntN(n-1)
	if n > 2 && rng.IntN(3) > 0 {
		cut = min(max(cut, 2), n-1)
	}
	fmt.Fprintf(&b, "roles:\n  r: 0-%d\n  h: %d-%d\nclasses:\n", cut-1, cut, n-1)
	networks := 1 + rng.IntN(4)
	class := func(name, keys string) {
		rooms := []string{"1", "1", "2", "infinite"}
		fmt.Fprintf(&b, "  %s: {vn: v%d, queue: %s, table: %s, %s}\n", name, rng.IntN(networks), rooms[rng.IntN(4)], rooms[rng.IntN(4)], keys)
	}
	pick := func(words ...string) string { return words[rng.IntN(len(words))] }
	switch rng.IntN(7) {
	case 0: // a chain between all hosts
		class("a", "from: all, to: all")
		class("b", "from: all, after: a, to: "+pick("all", "sender"))
		if rng.IntN(2) == 0 {
			class("c", "from: all, after: b, to: "+pick("all", "sender"))
		}
	case 1: // a chain with roles
		class("a", "from: r, to: h")
		class("b", "from: h, after: a, to: "+pick("r", "initiator", "sender"))
		if rng.IntN(2) == 0 {
			class("c", "from: r, after: b, to: "+pick("h", "sender"))
		}
	case 2: // address and data, then a response
		class("aw", "from: r, to: h")
		class("w", "from: r, to: h")
		class("b", "from: h, after: aw & w, to: initiator")
		if rng.IntN(2) == 0 {
			class("ar", "from: r, to: h")
			class("rd", "from: h, after: ar, to: initiator")
		}
	case 3: // a request, a snoop and its response, then data
		class("req", "from: r, to: h")
		class("snp", "from: h, to: r, after: req")
		class("rsp", "from: r, to: sender, after: snp")
		class("dat", "from: h, to: initiator, after: req & rsp")
		if rng.IntN(2) == 0 {
			class("ack", "from: r, to: h, after: dat")
			class("end", "from: h, to: none, after: req & ack")
		}
	case 4: // two answers, and a wait for both
		class("q", "from: r, to: h")
		class("x", "from: h, to: initiator, after: q")
		class("y", "from: h, to: initiator, after: q")
		class("z", "from: r, after: x & y, to: "+pick("none", "h"))
	case 5: // messages to all of a role, and a wait for their acknowledgements
		class("req", "from: r, to: h")
		if multicast && cut > 1 {
			class("inv", "from: h, to: r, multicast: true, after: req")
		} else {
			class("inv", "from: h, to: r, after: req")
		}
		class("ack", "from: r, to: sender, after: inv")
		class("grant", "from: h, to: initiator, after: req & ack")
	case 6: // a forwarded request
		class("req", "from: r, to: h")
		class("fwd", "from: h, to: r, after: req")
		class("dat", "from: r, to: initiator, after: fwd")
		if rng.IntN(2) == 0 {
			class("done", "from: r, to: h, after: dat")
			class("end", "from: h, to: none, after: req & done")
		}
	}
	return b.String()
}
