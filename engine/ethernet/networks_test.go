package ethernet

import (
	"context"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
)

// This file makes the networks of the tests, and their paths.

// wired returns a network of the given links, with a host at each switch of hosts.
func wired(t testing.TB, switches, vcs int, links [][2]int, hosts []int) *model.Network {
	t.Helper()
	b, port := model.NewBuilder(), make([]model.Port, switches)
	for range switches {
		b.AddSwitch(model.Switch{})
	}
	next := func(u int) (model.SwitchID, model.Port) {
		port[u]++
		return model.SwitchID(u), port[u]
	}
	for _, l := range links {
		u, p := next(l[0])
		v, q := next(l[1])
		b.AddLink(u, p, v, q)
	}
	for _, at := range hosts {
		u, p := next(at)
		b.AddHost(model.Host{Switch: u, Port: p})
	}
	b.SetVCs(vcs)
	n, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// path is the path from a host to another by the given switches, all in one priority.
func path(t testing.TB, n *model.Network, from, to, priority int, by ...int) route.Path {
	t.Helper()
	p := route.Path{Source: model.HostID(from), Dest: model.HostID(to)}
	for i := 1; i < len(by); i++ {
		at := model.NoChannel
		for c := range model.ChannelID(n.NumLinkChannels()) {
			if int(n.Tail(c)) == by[i-1] && int(n.Head(c)) == by[i] {
				at = c
			}
		}
		if at == model.NoChannel {
			t.Fatalf("no link from %d to %d", by[i-1], by[i])
		}
		p.VCs = append(p.VCs, n.VC(at, priority))
	}
	return p
}

// paths returns the relation of ways and a flow of rate bit/s on each of them.
func paths(t testing.TB, n *model.Network, rate float64, ways []route.Path) (model.Relation, []Flow) {
	t.Helper()
	r, err := route.Paths(n, ways)
	if err != nil {
		t.Fatal(err)
	}
	var flows []Flow
	for _, w := range ways {
		flows = append(flows, Flow{Source: w.Source, Dest: model.DestID(w.Dest), Class: FirstClass, Rate: rate})
	}
	return r, flows
}

// line returns pairs flows through a row of switches (table 1 of the paper).
func line(t testing.TB, switches, pairs int, rate float64) (model.Relation, []Flow) {
	t.Helper()
	var links [][2]int
	var hosts, by []int
	for u := range switches {
		by = append(by, u)
		if u > 0 {
			links = append(links, [2]int{u - 1, u})
		}
	}
	for i := range 2 * pairs {
		hosts = append(hosts, i%2*(switches-1))
	}
	n := wired(t, switches, 1, links, hosts)
	var ways []route.Path
	for i := range pairs {
		ways = append(ways, path(t, n, 2*i, 2*i+1, 0, by...))
	}
	return paths(t, n, rate, ways)
}

// paperRing is the ring of the paper's figure 3, in the order 0, 1, 3, 2, with hosts 2i
// and 2i+1 at switch i.
func paperRing(t testing.TB, vcs int) *model.Network {
	return wired(t, 4, vcs, [][2]int{{0, 1}, {1, 3}, {3, 2}, {2, 0}}, []int{0, 0, 1, 1, 2, 2, 3, 3})
}

// cyclic are the paper's flows all clockwise: VLAN 3 for the first two, 2 for the
// others. The fourth argument is the priority of the flow from 5 to 2.
func cyclic(t testing.TB, n *model.Network, rate float64, priority int) (model.Relation, []Flow) {
	return paths(t, n, rate, []route.Path{
		path(t, n, 1, 6, 0, 0, 1, 3), path(t, n, 3, 4, 0, 1, 3, 2),
		path(t, n, 5, 2, priority, 2, 0, 1), path(t, n, 7, 0, 0, 3, 2, 0),
	})
}

// acyclic are the paper's flows of which two go the other way round: no channel between
// switches carries two.
func acyclic(t testing.TB, n *model.Network, rate float64) (model.Relation, []Flow) {
	return paths(t, n, rate, []route.Path{
		path(t, n, 1, 6, 0, 0, 1, 3), path(t, n, 3, 4, 0, 1, 0, 2),
		path(t, n, 5, 2, 0, 2, 3, 1), path(t, n, 7, 0, 0, 3, 2, 0),
	})
}

// simulate runs like Run and checks the state at regular numbers of events.
func simulate(t testing.TB, r model.Relation, flows []Flow, o Options, every int) (*Sim, *Result) {
	t.Helper()
	s, err := New(r, flows, o)
	if err != nil {
		t.Fatal(err)
	}
	checked(t, s, s.o.Warmup+s.o.Window, every)
	return s, s.Result()
}

// failer is what testing.T and rapid.T have in common.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// checked runs s until a time, in steps of about equal numbers of events.
func checked(t failer, s *Sim, until Time, every int) {
	t.Helper()
	step := max(Time(every)*s.z.frame/Time(2*len(s.flows)+1), 1)
	for {
		if err := s.Run(context.Background(), min(s.now+step, until)); err != nil {
			t.Fatalf("%v", err)
		}
		for _, err := range s.Check() {
			t.Fatalf("%v", err)
		}
		if s.now >= until || s.deadlock != nil && !s.o.GoOn {
			return
		}
	}
}
