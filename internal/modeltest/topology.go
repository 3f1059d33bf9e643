package modeltest

import (
	"fmt"
	"testing"

	"github.com/turnproof/turnproof/model"
)

// This file is the conformance suite for packages that build networks.

// Topology checks the contract of builders of connected networks. The network is consistent and
// connected, and each call builds the same network. Hosts are numbered by switch and then by
// port, on consecutive ports; all switches with hosts have the same number of hosts. Names of
// hosts are "h0", "h1", ... or empty. On a grid each port leads where model.Grid says. Cost: a
// few hundred nanoseconds per channel.
func Topology(t *testing.T, build func() (*model.Network, error)) {
	t.Helper()
	n, err := build()
	if err != nil {
		t.Error(err)
		return
	}
	for _, err := range n.Check() {
		t.Error(err)
	}
	if d := Distances(n, 0); len(d) != n.NumSwitches() {
		t.Errorf("only %d of %d switches can be reached from the first", len(d), n.NumSwitches())
	}
	again, err := build()
	if err != nil {
		t.Error("second time:", err)
	} else if err := Different(n, again); err != nil {
		t.Error("second time another network:", err)
	}
	for _, err := range []error{hostsInOrder(n), portsOfGrid(n)} {
		if err != nil {
			t.Error(err)
		}
	}
}

// hostsInOrder checks the switches, ports and names of hosts.
func hostsInOrder(n *model.Network) error {
	last, per := -1, map[model.SwitchID]int{}
	for h := range model.HostID(n.NumHosts()) {
		e := n.Host(h)
		if e.Name != "" && e.Name != fmt.Sprintf("h%d", h) {
			return fmt.Errorf("host %d is called %q", h, e.Name)
		}
		if e.Port < 1 {
			return fmt.Errorf("host %d is at port %d", h, e.Port)
		}
		at := int(e.Switch)<<20 | int(e.Port)
		if at <= last {
			return fmt.Errorf("hosts %d and %d are not in order of switches and ports", h-1, h)
		}
		if per[e.Switch] > 0 && at != last+1 {
			return fmt.Errorf("hosts %d and %d of switch %d are not at neighbouring ports", h-1, h, e.Switch)
		}
		last = at
		per[e.Switch]++
	}
	for u, k := range per {
		if k*len(per) != n.NumHosts() {
			return fmt.Errorf("switch %d has %d hosts, others have another number", u, k)
		}
	}
	return nil
}

// portsOfGrid checks that ports of links lead to the neighbour in their direction, that the
// opposite port leads back, and that the ports of hosts follow.
func portsOfGrid(n *model.Network) error {
	g := n.Grid()
	if g == nil {
		return nil
	}
	for c := range model.ChannelID(n.NumChannels()) {
		u := n.Tail(c)
		if u == model.NoSwitch {
			continue
		}
		d, plus, ok := g.PortDirection(n.TailPort(c))
		if ok != (n.Kind(c) == model.SwitchToSwitch) {
			return fmt.Errorf("port %d of switch %s: channel %s", n.TailPort(c), n.SwitchName(u), n.Kind(c))
		}
		if !ok {
			continue
		}
		step, back := 1, model.MinusPort(d)
		if !plus {
			step, back = -1, model.PlusPort(d)
		}
		to := g.Coords(u, nil)
		to[d] += step
		if g.Wrap[d] {
			to[d] = (to[d] + g.Sides[d]) % g.Sides[d]
		}
		if to[d] < 0 || to[d] >= g.Sides[d] || g.At(to) != n.Head(c) || n.HeadPort(c) != back {
			return fmt.Errorf("port %d of switch %s leads to port %d of switch %s", n.TailPort(c), n.SwitchName(u), n.HeadPort(c), n.SwitchName(n.Head(c)))
		}
	}
	return nil
}

// Distances returns the number of links on a shortest path from u to each switch that can be
// reached. Cost: O(channels).
func Distances(n *model.Network, u model.SwitchID) map[model.SwitchID]int {
	distance := map[model.SwitchID]int{u: 0}
	for queue := []model.SwitchID{u}; len(queue) > 0; queue = queue[1:] {
		for _, c := range n.Out(queue[0]) {
			v := n.Head(c)
			if v == model.NoSwitch {
				continue
			}
			if _, seen := distance[v]; !seen {
				distance[v] = distance[queue[0]] + 1
				queue = append(queue, v)
			}
		}
	}
	return distance
}

// Diameter returns the largest distance between two switches, or -1 if the network is
// disconnected. Cost: O(switches × channels).
func Diameter(n *model.Network) int {
	most := 0
	for u := range model.SwitchID(n.NumSwitches()) {
		d := Distances(n, u)
		if len(d) < n.NumSwitches() {
			return -1
		}
		for _, k := range d {
			most = max(most, k)
		}
	}
	return most
}

// Different returns an error with the first difference between two networks, including names,
// ports and numbers, or nil if they are equal.
func Different(a, b *model.Network) error {
	if a.NumSwitches() != b.NumSwitches() || a.NumEndpoints() != b.NumEndpoints() || a.NumHosts() != b.NumHosts() ||
		a.NumLinks() != b.NumLinks() || a.VCs() != b.VCs() {
		return fmt.Errorf("switches, hosts, links, VCs: %d, %d, %d, %d against %d, %d, %d, %d",
			a.NumSwitches(), a.NumHosts(), a.NumLinks(), a.VCs(), b.NumSwitches(), b.NumHosts(), b.NumLinks(), b.VCs())
	}
	for u := range model.SwitchID(a.NumSwitches()) {
		if *a.Switch(u) != *b.Switch(u) || a.SwitchName(u) != b.SwitchName(u) {
			return fmt.Errorf("switch %d: %s %+v against %s %+v", u, a.SwitchName(u), *a.Switch(u), b.SwitchName(u), *b.Switch(u))
		}
	}
	for h := range model.HostID(a.NumEndpoints()) {
		if *a.Host(h) != *b.Host(h) {
			return fmt.Errorf("host %d: %+v against %+v", h, *a.Host(h), *b.Host(h))
		}
	}
	for l := range model.LinkID(a.NumLinks()) {
		if a.Link(l) != b.Link(l) {
			return fmt.Errorf("link %d: %+v against %+v", l, a.Link(l), b.Link(l))
		}
	}
	if (a.Grid() == nil) != (b.Grid() == nil) {
		return fmt.Errorf("one is a grid, the other is not")
	}
	if g, h := a.Grid(), b.Grid(); g != nil && (fmt.Sprint(g.Sides, g.Wrap) != fmt.Sprint(h.Sides, h.Wrap)) {
		return fmt.Errorf("grids %v %v against %v %v", g.Sides, g.Wrap, h.Sides, h.Wrap)
	}
	return nil
}
