package engine

import (
	"context"
	"fmt"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

// stepped simulates a clock of the general kernel and calls look when events have been handled and no head is routed yet.
func (s *Sim) stepped(look func()) {
	s.arrive()
	look()
	s.route()
	s.inject()
	s.allocateSwitch()
	s.beginAsking()
	s.allocateVCs()
	s.wakeReleased()
	s.now++
}

// pathJudge computes choices of paths from the relation and the visible state. It shares only the random draws with the
// engine.
type pathJudge struct {
	*Sim
	costs [][]int // by two switches, Floyd and Warshall
}

func newPathJudge(s *Sim) *pathJudge {
	n := s.net
	j := &pathJudge{Sim: s, costs: make([][]int, n.NumSwitches())}
	for u := range j.costs {
		j.costs[u] = make([]int, n.NumSwitches())
		for w := range j.costs[u] {
			if u != w {
				j.costs[u][w] = 1 << 20
			}
		}
	}
	for c := range model.ChannelID(n.NumLinkChannels()) {
		j.costs[n.Tail(c)][n.Head(c)] = min(j.costs[n.Tail(c)][n.Head(c)], model.LinkCost(s.rel, c))
	}
	for m := range j.costs {
		for u := range j.costs {
			for w := range j.costs {
				j.costs[u][w] = min(j.costs[u][w], j.costs[u][m]+j.costs[m][w])
			}
		}
	}
	return j
}

// flitsFor counts the flits queued for channel c: in transit to the next buffers or in them, or as credits that have not come
// back, and the flits of packets at the switch that have c or wait for c only.
func (j *pathJudge) flitsFor(c model.ChannelID) (sum int) {
	s, n := j.Sim, j.net
	for i := range s.vcs {
		sum += s.o.BufferFlits - int(s.vc[s.ofModel(n.VC(c, i))].credits)
	}
	for _, o := range n.Out(n.Tail(c)) {
		for i := range s.vcs {
			if v := s.ofModel(n.VC(n.Reverse(o), i)); j.goes(v, c) {
				sum += int(s.vc[v].have)
			}
		}
	}
	return sum
}

// goes reports whether the front packet of v goes to channel c: it has or requests only this channel, or is not routed, its
// path is not to be chosen, and the relation permits only this channel.
func (j *pathJudge) goes(v int32, c model.ChannelID) bool {
	x := &j.vc[v]
	if x.state != routing || find[*detours](&j.hooks) != nil {
		return (x.state == waiting && x.answer == 0 || x.state == active) && j.chanOf[x.port] == c
	}
	hops := j.rel.Next(j.stateOf(v, &j.packet[x.id]), nil)
	for _, h := range hops {
		if o, _ := j.net.Channel(h.VC); o != c || h.Class != hops[0].Class {
			return false
		}
	}
	return len(hops) > 0
}

// path walks the path with the given packet.via from a state. It returns its channels between switches.
func (j *pathJudge) path(p *packet, at model.State, via int32) (list []model.ChannelID, arrives bool) {
	n := j.net
	home := n.Host(j.rel.DestinationHost(p.dest)).Switch
	for range 100 {
		in, _ := n.Channel(at.VC)
		u := n.Head(in)
		hops := j.rel.Next(at, nil)
		if u == home {
			return list, true
		}
		better := func(target model.SwitchID) (ports []model.ChannelID) {
			for _, o := range n.Out(u) {
				for _, h := range hops {
					c, _ := n.Channel(h.VC)
					if c == o && n.Kind(c) == model.SwitchToSwitch && (target < 0 ||
						model.LinkCost(j.rel, c)+j.costs[n.Head(c)][target] == j.costs[u][target]) {
						ports = append(ports, c)
						break
					}
				}
			}
			return ports
		}
		var ports []model.ChannelID
		if via > 0 {
			ports = better(model.SwitchID(via - 1))
		}
		if len(ports) == 0 {
			if via > 0 {
				via = passedVia
			}
			if ports = better(home); len(ports) == 0 {
				ports = better(-1)
			}
		}
		if len(ports) == 0 {
			return list, false
		}
		// The engine draws among ports in the order in which the relation first names them.
		var order []model.ChannelID
		for _, h := range hops {
			c, _ := n.Channel(h.VC)
			for i, o := range ports {
				if o == c {
					order, ports = append(order, c), append(ports[:i], ports[i+1:]...)
					break
				}
			}
		}
		c := order[packetDraw(&j.kernel, p, uint64(u), uint64(uint32(via)))%uint64(len(order))]
		for _, h := range hops { // the first hop over the channel, and the lowest VC of its class
			if over, _ := n.Channel(h.VC); over != c {
				continue
			}
			at = model.State{VC: h.VC, Dest: p.dest, Class: h.Class}
			for _, g := range hops {
				if over, _ := n.Channel(g.VC); over == c && g.Class == h.Class && g.VC < at.VC {
					at.VC = g.VC
				}
			}
			break
		}
		list = append(list, c)
	}
	return list, false
}

// want returns the choice of packet p at v.
func (j *pathJudge) want(p *packet, v int32) int32 {
	at := j.stateOf(v, p)
	cost := func(via int32) (int, bool) {
		path, ok := j.path(p, at, via)
		sum := 0
		for _, c := range path {
			sum += j.flitsFor(c)
		}
		if j.o.Select != SelectUGALGlobal && len(path) > 0 {
			sum = len(path) * j.flitsFor(path[0])
		}
		return sum, ok
	}
	least, best := 0, int32(0)
	least, _ = cost(0)
	least -= j.o.keys.bias
	for i := range j.o.keys.detours {
		u := j.switchOf(v)
		via := 1 + int32(packetDraw(&j.kernel, p, uint64(u), 1<<32+uint64(i))%uint64(j.net.NumSwitches()))
		if j.o.Select == SelectValiant {
			return via
		}
		if c, ok := cost(via); ok && c < least {
			best, least = via, c
		}
	}
	return best
}

// TestDetoursJudged: each packet chooses the path that a separate computation from the visible state gives, and then takes
// permitted hops only, for thousands of clocks under a load that fills queues.
func TestDetoursJudged(t *testing.T) {
	for _, c := range []struct {
		spec, routing string
		options       route.Options
	}{
		{"dragonfly:a=4,h=2,p=2,vcs=3", "dragonfly-ugal", route.Options{}}, {"dragonfly:a=3,h=1,p=2,vcs=5", "dragonfly-par", route.Options{Via: route.ViaSwitch}},
		{"slimfly:5,vcs=4", "slimfly-valiant", route.Options{}}, {"hyperx:4x3,hosts=2,vcs=4", "hyperx-omniwar", route.Options{Misroutes: 2}},
		{"mesh:4x4,vcs=12", "valiant", route.Options{}}, {"mesh:4x4,vcs=2", "west-first", route.Options{}},
	} {
		n, err := topo.Parse(c.spec)
		if err != nil {
			t.Fatal(err)
		}
		r, err := route.New(c.routing, n, c.options)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range []Options{{Select: SelectValiant}, {Select: "ugal,detours=3,bias=2"}, {Select: SelectUGALGlobal}, {Select: SelectPAR}} {
			name := fmt.Sprint(c.spec, " ", c.routing, " ", o.Select)
			o.BufferFlits, o.Seed = 12, 3
			s, err := New(r, pressing(n, 300), o, nil)
			if err != nil {
				t.Fatal(err)
			}
			j := newPathJudge(s)
			chosen, detours := 0, 0
			for s.now < longtest.Share[Clock](1200, 3) {
				want := map[int32]int32{}
				s.stepped(func() {
					for _, v := range append(append([]int32(nil), s.heads...), s.headsNext...) {
						p := &s.packet[s.vc[v].id]
						u, home := s.switchOf(v), n.Host(r.DestinationHost(p.dest)).Switch
						if p.via == 0 && u != home && s.hostOf[s.vc[v].in] >= 0 {
							want[v] = j.want(p, v)
						}
					}
				})
				for v, via := range want {
					got := s.packet[s.vc[v].id].via
					if chosen++; via != 0 {
						detours++
					}
					if got != via && (via == 0 || got != passedVia) {
						t.Fatalf("%s: clock %d, VC %d: chosen %d, want %d", name, s.now-1, v, got, via)
					}
				}
				if errs := s.Check(); s.now%16 == 0 && len(errs) > 0 {
					t.Fatalf("%s: %v", name, errs[0])
				}
			}
			if chosen < longtest.Share(300, 3) || detours == 0 && c.routing != "west-first" {
				t.Errorf("%s: %d choices, %d detours", name, chosen, detours)
			}
		}
	}
}

// pressing is a source in which each host sends a packet of 4 flits every 8 clocks, most of them to one host.
func pressing(n *model.Network, packets int) Source {
	l := &listSource{lists: make([][]Packet, n.NumHosts())}
	for h := range l.lists {
		for i := range packets {
			to := (h + n.NumHosts()/3) % n.NumHosts()
			if i%4 == 3 {
				to = (h*7 + i) % n.NumHosts()
			}
			if to != h {
				l.lists[h] = append(l.lists[h], Packet{Created: Clock(8 * i), Source: model.HostID(h), Dest: model.DestID(to), Flits: 4})
			}
		}
	}
	return l
}

// TestValiantDistance: a detour by a random switch on an empty network has the links of its two shortest paths, so the mean
// is twice the mean distance.
func TestValiantDistance(t *testing.T) {
	n, err := topo.Parse("mesh:4x4,vcs=12")
	if err != nil {
		t.Fatal(err)
	}
	r, err := route.New("valiant", n, route.Options{})
	if err != nil {
		t.Fatal(err)
	}
	source := &listSource{lists: make([][]Packet, 16)}
	packets := 0
	for h := range source.lists {
		for i := range 16 * 60 {
			if to := i % 16; to != h {
				source.lists[h] = append(source.lists[h], Packet{Created: Clock(40 * i), Source: model.HostID(h), Dest: model.DestID(to), Flits: 1})
				packets++
			}
		}
	}
	s, err := New(r, source, Options{Select: SelectValiant, Seed: 5}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Run(context.Background(), 40*1000); err != nil {
		t.Fatal(err)
	}
	// A packet that meets its destination on the way is delivered there, so the mean is below 2 * 2.5 + 1 switches; the
	// mean over all pairs and switches by enumeration of uniform draws is computed below.
	want, draws := 0.0, 0
	for h := range 16 {
		for d := range 16 {
			if h != d {
				for m := range 16 {
					want += meanLinks(h, m, d)
					draws++
				}
			}
		}
	}
	want = want/float64(draws) + 1
	if got := float64(s.FlitHops()) / float64(packets); s.Delivered() != int64(packets) || got < want-0.05 || got > want+0.05 {
		t.Errorf("%d of %d packets, %.3f switches on average, want %.3f", s.Delivered(), packets, got, want)
	}
}

// meanLinks returns the mean number of links from h by m to d on the 4x4 mesh, if each hop on the way draws among the
// shortest ones and a packet at d is delivered.
func meanLinks(h, m, d int) float64 {
	if h == d {
		return 0
	}
	to := m
	if h == m {
		to, m = d, d
	}
	var steps []int
	if dx := to%4 - h%4; dx != 0 {
		steps = append(steps, h+dx/abs(dx))
	}
	if dy := to/4 - h/4; dy != 0 {
		steps = append(steps, h+4*dy/abs(dy))
	}
	sum := 0.0
	for _, x := range steps {
		sum += meanLinks(x, m, d)
	}
	return 1 + sum/float64(len(steps))
}

func abs(x int) int { return max(x, -x) }

// TestDetoursOrCommitments: a selection of paths and a routing that chooses hops exclude each other.
func TestDetoursOrCommitments(t *testing.T) {
	r := model.WithFlows(&committing{routed(t, "mesh:3x3", "minimal")}, nil)
	for _, c := range []struct {
		o     Options
		fails bool
	}{{Options{Select: SelectUGAL}, true}, {Options{Select: SelectUGAL, Waiting: model.WaitAny}, false}, {Options{Select: SelectDrawn}, false}} {
		if _, err := New(r, &listSource{lists: make([][]Packet, 9)}, c.o, nil); (err != nil) != c.fails {
			t.Errorf("%+v: %v", c.o, err)
		}
	}
}

// committing is a routing that chooses the next hop of each packet.
type committing struct{ model.Relation }

// Commits implements model.Committer.
func (*committing) Commits(model.State) bool { return true }
