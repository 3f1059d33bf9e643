package config_test

import (
	"fmt"
	"maps"
	"slices"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/vlan"
)

// This file is the oracle for all writers: a model of a VLAN-aware bridge according to IEEE
// 802.1Q, a model of a host, and a search that follows frames from cable to cable. It shares no
// code with the writers.

type frame struct {
	mac string
	vid int // VLAN identifier of the tag; 0: no tag
	pcp int
}

type bridgePort struct {
	up, learning, flood bool
	pvid                int
	vlans               map[int]bool // by identifier of each VLAN of the port: whether frames leave untagged
	priority            int          // priority of frames that arrive untagged
	pfc                 [8]bool
}

type bridge struct {
	ports map[int]*bridgePort // by port number
	fdb   map[string]int      // by "VID MAC": port number
}

func newBridge() *bridge { return &bridge{map[int]*bridgePort{}, map[string]int{}} }

// forward returns the frames that leave the switch, by port, when frame f arrives at port in.
func (b *bridge) forward(in int, f frame) map[int]frame {
	from := b.ports[in]
	if from == nil || !from.up {
		return nil
	}
	if f.vid == 0 {
		f.vid, f.pcp = from.pvid, from.priority
	}
	if _, member := from.vlans[f.vid]; !member {
		return nil
	}
	candidates := slices.Sorted(maps.Keys(b.ports))
	at, known := b.fdb[fmt.Sprintf("%d %s", f.vid, f.mac)]
	if known {
		candidates = []int{at}
	}
	out := map[int]frame{}
	for _, p := range candidates {
		to := b.ports[p]
		if p == in || to == nil || !to.up || !known && !to.flood {
			continue
		}
		untagged, member := to.vlans[f.vid]
		if !member {
			continue
		}
		g := f
		if untagged {
			g.vid, g.pcp = 0, 0
		}
		out[p] = g
	}
	return out
}

// station is a host as its script configures it.
type station struct {
	mac        string
	interfaces map[string]*hostPort
	neighbours map[string]neighbour // by IP address
	routes     map[string]string    // by IP address: name of the interface
	pfc        [8]bool
}

type hostPort struct {
	vid     int
	egress  [8]int
	address string
	up      bool
}

type neighbour struct{ mac, dev string }

// fabric is all switches and hosts, cabled as in a network.
type fabric struct {
	net      *model.Network
	bridges  []*bridge
	stations []*station
}

// expectedIP returns the placeholder address of a host according to the documentation.
func expectedIP(h model.HostID) string {
	return fmt.Sprintf("10.%d.%d.%d", (h+1)>>16, (h+1)>>8&255, (h+1)&255)
}

// send returns the frame that host h sends to host d. It returns false if h has no route to d.
func (f *fabric) send(h, d model.HostID, socketPriority int) (frame, bool) {
	s := f.stations[h]
	n, ok := s.neighbours[expectedIP(d)]
	if dev, routed := s.routes[expectedIP(d)]; ok && routed && dev != n.dev {
		return frame{}, false
	}
	if !ok || s.interfaces[n.dev] == nil || !s.interfaces[n.dev].up {
		return frame{}, false
	}
	at := s.interfaces[n.dev]
	out := frame{mac: n.mac, vid: at.vid}
	if at.vid != 0 {
		out.pcp = at.egress[socketPriority]
	}
	return out, true
}

// accepts reports whether host h accepts a frame that arrives.
func (f *fabric) accepts(h model.HostID, g frame) bool {
	s := f.stations[h]
	for _, at := range s.interfaces {
		if at.vid == g.vid && at.up && at.address == expectedIP(h) {
			return g.mac == s.mac
		}
	}
	return false
}

// hop is a frame on a channel.
type hop struct {
	c   model.ChannelID
	pcp int
}

// walk follows a frame from a host, breadth first, up to the length of the longest path. It
// returns the hops of the frame and the hosts that it reaches.
func (f *fabric) walk(h model.HostID, g frame) (hops []hop, reached []model.HostID) {
	type place struct {
		c model.ChannelID
		g frame
	}
	queue := []place{{f.net.InjectChannel(h), g}}
	for range 4 * (f.net.NumChannels() + 1) {
		if len(queue) == 0 {
			return hops, reached
		}
		at := queue[0]
		queue = queue[1:]
		u := f.net.Head(at.c)
		out := f.bridges[u].forward(int(f.net.HeadPort(at.c)), at.g)
		for _, p := range slices.Sorted(maps.Keys(out)) {
			c := f.net.OutAt(u, model.Port(p))
			hops = append(hops, hop{c, out[p].pcp})
			if to := f.net.HostOf(c); to == model.NoHost {
				queue = append(queue, place{c, out[p]})
			} else if f.accepts(to, out[p]) || g.mac == broadcast {
				reached = append(reached, to)
			}
		}
	}
	return hops, append(reached, model.NoHost) // the frame circulates for ever
}

const broadcast = "ff:ff:ff:ff:ff:ff"

// relationPath returns the path in the verified relation: the channels after injection, with the
// priority on those between switches.
func relationPath(s *vlan.Set, h, d model.HostID) (hops []hop, sends, arrives bool) {
	r, n := s.Relation(), s.Network()
	classes := r.Inject(h, model.DestID(d), nil)
	if len(classes) == 0 {
		return nil, false, false
	}
	state := model.InjectState(r, h, model.DestID(d), classes[0])
	for range n.NumChannels() + 1 {
		next := r.Next(state, nil)
		if len(next) == 0 {
			return hops, true, false
		}
		c, i := n.Channel(next[0].VC)
		if n.Kind(c) == model.Eject {
			return append(hops, hop{c, -1}), true, n.HostOf(c) == d
		}
		hops = append(hops, hop{c, s.Priorities()[i]})
		state = model.State{VC: next[0].VC, Dest: state.Dest, Class: next[0].Class}
	}
	return hops, true, false
}

// checkAll sends a frame for every pair of hosts and compares its path with that of the relation.
func (f *fabric) checkAll(t rapid.TB, s *vlan.Set) {
	t.Helper()
	for h := range model.HostID(f.net.NumHosts()) {
		for d := range model.HostID(f.net.NumHosts()) {
			want, sends, arrives := relationPath(s, h, d)
			for _, socket := range []int{0, 6} {
				g, ok := f.send(h, d, socket)
				if ok != sends {
					t.Fatalf("host %d sends to %d: %v, want %v", h, d, ok, sends)
				}
				if !ok {
					continue
				}
				got, reached := f.walk(h, g)
				f.same(t, got, want)
				if arrives != slices.Contains(reached, d) || len(reached) > 1 {
					t.Fatalf("host %d to %d: %v reached, want %v", h, d, reached, arrives)
				}
			}
		}
	}
}

// same compares paths, priorities between switches, and PFC at both ends of a link.
func (f *fabric) same(t rapid.TB, got, want []hop) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("path %v, want %v", got, want)
	}
	for i := range got {
		if got[i].c != want[i].c || want[i].pcp >= 0 && got[i].pcp != want[i].pcp {
			t.Fatalf("hop %d is %v, want %v", i, got, want)
		}
		if want[i].pcp < 0 {
			continue
		}
		from, to := f.bridges[f.net.Tail(got[i].c)].ports[int(f.net.TailPort(got[i].c))], f.bridges[f.net.Head(got[i].c)].ports[int(f.net.HeadPort(got[i].c))]
		if !from.pfc[got[i].pcp] || !to.pfc[got[i].pcp] {
			t.Fatalf("priority %d is not lossless on channel %d", got[i].pcp, got[i].c)
		}
	}
}

// checkPorts checks that no port learns addresses, and that PFC is on for exactly the priorities
// of the set.
func (f *fabric) checkPorts(t rapid.TB, s *vlan.Set) {
	t.Helper()
	var want [8]bool
	for _, p := range s.Priorities() {
		want[p] = true
	}
	for u, b := range f.bridges {
		for p, at := range b.ports {
			if at.learning || at.pfc != want || !at.up {
				t.Fatalf("switch %d port %d: learning %v, up %v, PFC %v, want %v", u, p, at.learning, at.up, at.pfc, want)
			}
		}
	}
	for h, st := range f.stations {
		if len(st.interfaces) > 0 && len(st.neighbours) > 0 && st.pfc != want {
			t.Fatalf("host %d: PFC %v, want %v", h, st.pfc, want)
		}
	}
}
