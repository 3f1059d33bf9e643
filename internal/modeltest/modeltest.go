// Package modeltest builds networks and routing relations for tests: random ones drawn with
// pgregory.net/rapid, so that failures shrink, and regular ones of any size for benchmarks.
package modeltest

import (
	"fmt"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/model"
)

// Network draws a network of at most maxSwitches switches and at least two hosts. It can be
// disconnected and can have parallel links. Hosts have LIDs 1, 2, ...; switches have the LIDs
// after them.
func Network(t *rapid.T, maxSwitches int) *model.Network {
	switches := rapid.IntRange(1, maxSwitches).Draw(t, "switches")
	b := model.NewBuilder()
	port := make([]model.Port, switches)
	next := func(u int) model.Port { port[u]++; return port[u] }
	hosts := rapid.IntRange(2, switches+2).Draw(t, "hosts")
	for u := range switches {
		b.AddSwitch(model.Switch{Name: fmt.Sprintf("S%d", u), GUID: uint64(0x100 + u), Ports: 100, LID: uint16(hosts + 1 + u)})
	}
	if switches > 1 {
		for range rapid.IntRange(0, 3*switches).Draw(t, "links") {
			u := rapid.IntRange(0, switches-1).Draw(t, "u")
			v := rapid.IntRange(0, switches-2).Draw(t, "v")
			if v >= u {
				v++
			}
			b.AddLink(model.SwitchID(u), next(u), model.SwitchID(v), next(v))
		}
	}
	for h := range hosts {
		u := rapid.IntRange(0, switches-1).Draw(t, "at")
		b.AddHost(model.Host{Name: fmt.Sprintf("H%d", h), Switch: model.SwitchID(u), Port: next(u),
			NodeGUID: uint64(0x1000 + 2*h), PortGUID: uint64(0x1001 + 2*h), NodePort: 1, LID: uint16(1 + h)})
	}
	for u := range switches {
		b.AddHost(model.Host{Switch: model.SwitchID(u), NodeGUID: uint64(0x100 + u), PortGUID: uint64(0x100 + u), LID: uint16(hosts + 1 + u), Management: true})
	}
	n, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// Destinations returns a destination for the LID of each endpoint.
func Destinations(n *model.Network) []model.Destination {
	var list []model.Destination
	for h := range model.HostID(n.NumEndpoints()) {
		list = append(list, model.Destination{Host: h, LID: n.Host(h).LID})
	}
	return list
}

// Table draws forwarding tables for n. An entry can name any port, so there are loops, missing
// entries and wrong hosts. If classes is set, each pair has a set of SLs, and VLs depend on the
// ports.
func Table(t *rapid.T, n *model.Network, classes bool) *model.Table {
	tab := model.NewTable(n, Destinations(n))
	for d := range model.DestID(tab.AllDestinations()) {
		for u := range model.SwitchID(n.NumSwitches()) {
			if c := tableChannel(t, n, u, tab.DestinationHost(d)); c != model.NoChannel {
				tab.SetPort(u, d, n.TailPort(c))
			}
		}
	}
	if classes {
		var m *model.VCMap // if nil, the VC is the class
		if rapid.Bool().Draw(t, "map") {
			m = vcMap(t, n)
		}
		tab.SetClasses(classSets(t, tab), m)
	}
	return tab
}

// tableChannel draws the next channel from u towards host h, mostly a plausible one.
func tableChannel(t *rapid.T, n *model.Network, u model.SwitchID, h model.HostID) model.ChannelID {
	out := n.Out(u)
	if n.Host(h).Switch == u && rapid.IntRange(0, 9).Draw(t, "deliver") > 0 {
		return n.EjectChannel(h)
	}
	if rapid.IntRange(0, 9).Draw(t, "hole") == 0 {
		return model.NoChannel
	}
	links := 0
	for _, c := range out {
		if n.Kind(c) == model.SwitchToSwitch {
			links++
		}
	}
	if links == 0 || rapid.IntRange(0, 19).Draw(t, "any") == 0 {
		return out[rapid.IntRange(0, len(out)-1).Draw(t, "port")]
	}
	k := rapid.IntRange(0, links-1).Draw(t, "link")
	for _, c := range out {
		if n.Kind(c) == model.SwitchToSwitch {
			if k == 0 {
				return c
			}
			k--
		}
	}
	return model.NoChannel
}

func classSets(t *rapid.T, tab *model.Table) []model.ClassSet {
	sets := make([]model.ClassSet, tab.Destinations()*tab.Network().NumHosts())
	for i := range sets {
		sets[i] = model.ClassSet(rapid.SampledFrom([]int{0, 1, 1, 2, 2, 3, 4, 5, 7, 1 << 15, 1<<15 | 1}).Draw(t, "classes"))
	}
	return sets
}

func vcMap(t *rapid.T, n *model.Network) *model.VCMap {
	m := model.NewVCMap(n)
	for u := range model.SwitchID(n.NumSwitches()) {
		for i := range n.Out(u) {
			for j := range n.Out(u) {
				for k := range model.Class(3) {
					m.Set(n, u, i, j, k, rapid.SampledFrom([]int{0, 0, 1, 1, 2, model.DropVC}).Draw(t, "vc"))
				}
			}
		}
	}
	return m
}

// Relation is a relation given by functions. If Injects is nil, all packets have class 0.
type Relation struct {
	Net        *model.Network
	NumClasses int
	Dests      []model.HostID
	Injects    func(h model.HostID, d model.DestID) []model.Class
	NextHops   func(s model.State) []model.Hop
}

// Network implements model.Relation.
func (r *Relation) Network() *model.Network { return r.Net }

// Classes implements model.Relation.
func (r *Relation) Classes() int { return max(r.NumClasses, 1) }

// Sources implements model.Relation.
func (r *Relation) Sources() int { return r.Net.NumHosts() }

// Destinations implements model.Relation.
func (r *Relation) Destinations() int { return len(r.Dests) }

// DestinationHost implements model.Relation.
func (r *Relation) DestinationHost(d model.DestID) model.HostID { return r.Dests[d] }

// Inject implements model.Relation.
func (r *Relation) Inject(h model.HostID, d model.DestID, buf []model.Class) []model.Class {
	if r.Injects == nil {
		return append(buf, 0)
	}
	return append(buf, r.Injects(h, d)...)
}

// Next implements model.Relation.
func (r *Relation) Next(s model.State, buf []model.Hop) []model.Hop {
	return append(buf, r.NextHops(s)...)
}

// Adaptive draws a relation on n with several permitted VCs: a fixed random choice for each
// state, and delivery at the destination's switch. Sometimes there are further hops at the
// destination's switch, or delivery to the wrong host.
func Adaptive(t *rapid.T, n *model.Network, classes int) *Relation {
	chosen := map[model.State][]model.Hop{}
	r := &Relation{Net: n, NumClasses: classes}
	for h := range model.HostID(n.NumHosts()) {
		r.Dests = append(r.Dests, h)
	}
	for d := range model.DestID(len(r.Dests)) {
		for v := range model.VCID(n.NumVCs()) {
			c, _ := n.Channel(v)
			u := n.Head(c)
			if u == model.NoSwitch {
				continue
			}
			for k := range model.Class(classes) {
				s := model.State{VC: v, Dest: d, Class: k}
				home := n.Host(r.Dests[d]).Switch == u
				if home {
					chosen[s] = []model.Hop{{VC: n.VC(n.EjectChannel(r.Dests[d]), 0), Class: k}}
				}
				for _, o := range n.Out(u) {
					switch {
					case n.Kind(o) != model.SwitchToSwitch: // sometimes to another host
						if o != n.EjectChannel(r.Dests[d]) && rapid.IntRange(0, 30).Draw(t, "wrong") == 0 {
							chosen[s] = append(chosen[s], model.Hop{VC: n.VC(o, 0), Class: k})
						}
						continue
					case home && rapid.IntRange(0, 3).Draw(t, "pass") > 0:
						continue
					}
					for i := range n.VCs() {
						if rapid.IntRange(0, 2).Draw(t, "take") == 0 {
							to := model.Class(rapid.IntRange(0, classes-1).Draw(t, "class"))
							chosen[s] = append(chosen[s], model.Hop{VC: n.VC(o, i), Class: to})
						}
					}
				}
			}
		}
	}
	r.NextHops = func(s model.State) []model.Hop { return chosen[s] }
	return r
}

// Torus returns forwarding tables of dimension-order routing on a k x k torus, x first and the
// shorter direction of each ring. Each switch has the given number of hosts.
func Torus(k, hosts int) *model.Table {
	b := model.NewBuilder()
	for i := range k * k {
		b.AddSwitch(model.Switch{Name: fmt.Sprintf("S%d_%d", i%k, i/k)})
	}
	at := func(x, y int) model.SwitchID { return model.SwitchID((x+k)%k + k*((y+k)%k)) }
	for i := range k * k {
		b.AddLink(at(i%k, i/k), 1, at(i%k+1, i/k), 2)
		b.AddLink(at(i%k, i/k), 3, at(i%k, i/k+1), 4)
	}
	for i := range k * k * hosts {
		b.AddHost(model.Host{Name: fmt.Sprintf("H%d", i), Switch: model.SwitchID(i / hosts), Port: model.Port(5 + i%hosts)})
	}
	n, err := b.Build()
	if err != nil {
		panic(err)
	}
	tab := model.NewTable(n, Destinations(n))
	towards := func(from, to int, plus, minus model.Port) model.Port {
		if (to-from+k)%k*2 <= k {
			return plus
		}
		return minus
	}
	for d := range model.DestID(tab.AllDestinations()) {
		h := n.Host(tab.DestinationHost(d))
		v := int(h.Switch)
		for u := range k * k {
			p := h.Port
			switch {
			case u%k != v%k:
				p = towards(u%k, v%k, 1, 2)
			case u/k != v/k:
				p = towards(u/k, v/k, 3, 4)
			}
			tab.SetPort(model.SwitchID(u), d, p)
		}
	}
	return tab
}

// LevelTree returns tables for a two-level tree in which every leaf is linked to every spine.
// Destinations are distributed over the spines. The dependency graph is acyclic.
func LevelTree(leaves, spines, hosts int) *model.Table {
	b := model.NewBuilder()
	for i := range leaves + spines {
		b.AddSwitch(model.Switch{Name: fmt.Sprintf("S%d", i)})
	}
	for l := range leaves {
		for s := range spines {
			b.AddLink(model.SwitchID(l), model.Port(1+s), model.SwitchID(leaves+s), model.Port(1+l))
		}
		for h := range hosts {
			b.AddHost(model.Host{Name: fmt.Sprintf("H%d", l*hosts+h), Switch: model.SwitchID(l), Port: model.Port(1 + spines + h)})
		}
	}
	n, err := b.Build()
	if err != nil {
		panic(err)
	}
	tab := model.NewTable(n, Destinations(n))
	for d := range model.DestID(tab.AllDestinations()) {
		h := n.Host(tab.DestinationHost(d))
		for u := range leaves + spines {
			p := model.Port(1 + int(d)%spines)
			switch {
			case u >= leaves:
				p = model.Port(1 + h.Switch)
			case model.SwitchID(u) == h.Switch:
				p = h.Port
			}
			tab.SetPort(model.SwitchID(u), d, p)
		}
	}
	return tab
}
