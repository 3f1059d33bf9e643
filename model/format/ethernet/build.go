package ethernet

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file makes the network and the relation.

// builder makes a network of switches, cables and host prefixes.
type builder struct {
	*cabling
	fibs  []fib
	hosts []hostPrefix
	atoms []atom
	*classes

	net      *model.Builder
	ports    []int                 // by switch: ports so far
	port     map[end]model.Port    // of cables
	toHost   map[[2]int]model.Port // by switch and host prefix at several switches
	discards []bool                // by switch: it discards some frames of a set of next hops, or frames in loops
	circling [][]bool              // by class and switch, or nil
	onward   [][][]int32           // by switch and set of next hops: the switches they lead to, one for each cable

	// Of what is left after a failure:
	failed map[end]bool // ports
	kept   []int        // by atom: its number in the whole fabric
}

// build returns the relation. It fails if the network exceeds a limit.
func (b *builder) build() (*relation, error) {
	b.net, b.port, b.toHost = model.NewBuilder(), map[end]model.Port{}, map[[2]int]model.Port{}
	b.ports = make([]int, len(b.switches))
	b.findDiscards()
	for _, sw := range b.switches {
		b.net.AddSwitch(model.Switch{Name: sw.Name})
	}
	b.addCables()
	b.addHosts()
	for u, discards := range b.discards {
		if discards {
			b.net.AddHost(model.Host{Switch: model.SwitchID(u), Management: true, Port: 0})
		}
	}
	n, err := b.net.Build()
	if err != nil {
		return nil, err
	}
	return b.relation(n), nil
}

// newPort returns a new port of a switch with the name of an interface.
func (b *builder) newPort(u int, name string) model.Port {
	b.ports[u]++
	p := model.Port(b.ports[u])
	b.net.NamePort(model.SwitchID(u), p, name)
	return p
}

// addCables adds the cables. The ports of a switch are numbered in the natural order of their names.
func (b *builder) addCables() {
	all := b.sortedPorts()
	for _, e := range all {
		b.port[e] = b.newPort(e.sw, e.port)
	}
	for _, e := range all {
		if there := b.peer[e]; compareEnds(e, there) < 0 {
			b.net.AddLink(model.SwitchID(e.sw), b.port[e], model.SwitchID(there.sw), b.port[there])
		}
	}
}

// sortedPorts returns the ports with cables, by switch, in the natural order of their names.
func (c *cabling) sortedPorts() []end {
	all := make([]end, 0, len(c.peer))
	for e := range c.peer {
		all = append(all, e)
	}
	slices.SortFunc(all, compareEnds)
	return all
}

// addHosts adds a host for each host prefix. One at several switches has a switch of its own, which is cabled to them: its hosts are
// behind each of these.
func (b *builder) addHosts() {
	for i, h := range b.hosts {
		name := h.key.Prefix().String()
		if len(h.homes) == 1 {
			u := h.homes[0]
			b.net.AddHost(model.Host{Name: name, Switch: model.SwitchID(u), Port: b.newPort(u, b.hostPort(u, i))})
			continue
		}
		own := b.net.AddSwitch(model.Switch{Name: name})
		for k, u := range h.homes {
			p := b.newPort(u, b.hostPort(u, i))
			b.toHost[[2]int{u, i}] = p
			b.net.AddLink(model.SwitchID(u), p, own, model.Port(k+1))
		}
		b.net.AddHost(model.Host{Name: name, Switch: own, Port: model.Port(len(h.homes) + 1)})
	}
}

// hostPort returns the name of the interface by which a switch reaches a host prefix.
func (b *builder) hostPort(u, host int) string {
	t := b.fibs[u].table
	i, ok := slices.BinarySearchFunc(t.Entries, b.hosts[host].key, compareEntry)
	if !ok {
		return ""
	}
	return t.Sets[t.Entries[i].Set][0].Dev
}

// findDiscards finds the switches that discard frames: some next hops of a set discard, or frames to a class circle.
func (b *builder) findDiscards() {
	b.findOnward()
	b.discards = make([]bool, len(b.switches))
	b.circling = make([][]bool, len(b.rows))
	for u := range b.fibs {
		for _, h := range b.fibs[u].hops {
			if (h.discard || h.local) && len(h.ports) > 0 || h.local && h.discard {
				b.discards[u] = true
			}
		}
	}
	for c := range b.rows {
		if b.circling[c] = b.loops(c); b.circling[c] != nil {
			for u, circles := range b.circling[c] {
				b.discards[u] = b.discards[u] || circles
			}
		}
	}
}

// findOnward sets onward.
func (b *builder) findOnward() {
	b.onward = make([][][]int32, len(b.fibs))
	for u := range b.fibs {
		b.onward[u] = make([][]int32, len(b.fibs[u].hops))
		for s, h := range b.fibs[u].hops {
			for _, p := range h.ports {
				b.onward[u][s] = append(b.onward[u][s], int32(b.peer[p].sw))
			}
		}
	}
}

// nextSwitches calls visit for each switch to which switch u forwards frames of class c.
func (b *builder) nextSwitches(c, u int, visit func(v int)) {
	if s := b.rows[c][u]; s >= 0 {
		for _, v := range b.onward[u][s] {
			visit(int(v))
		}
	}
}

// loops returns the switches on forwarding loops of frames of class c, or nil. It removes switches without a successor, then those
// without a predecessor; those that are left are on loops, or between loops.
func (b *builder) loops(c int) []bool {
	n := len(b.switches)
	degree, before := make([]int32, n), make([][]int32, n)
	for u := range n {
		b.nextSwitches(c, u, func(v int) {
			degree[u]++
			before[v] = append(before[v], int32(u))
		})
	}
	left := n
	var todo []int32
	for u := range n {
		if degree[u] == 0 {
			todo = append(todo, int32(u))
		}
	}
	for len(todo) > 0 {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		left--
		for _, u := range before[v] {
			if degree[u]--; degree[u] == 0 {
				todo = append(todo, u)
			}
		}
	}
	if left == 0 {
		return nil
	}
	return b.components(c, degree)
}

// components marks the switches that can come back to themselves, among those with a positive degree. It is quadratic, for the few
// classes that have loops.
func (b *builder) components(c int, degree []int32) []bool {
	mark := make([]bool, len(degree))
	for start := range degree {
		if degree[start] == 0 || mark[start] {
			continue
		}
		seen := make([]bool, len(degree))
		for todo := []int{start}; len(todo) > 0; {
			u := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			b.nextSwitches(c, u, func(v int) {
				mark[start] = mark[start] || v == start
				if !seen[v] {
					seen[v] = true
					todo = append(todo, v)
				}
			})
		}
	}
	return mark
}

// relation makes the relation on the finished network.
func (b *builder) relation(n *model.Network) *relation {
	r := &relation{net: n, switches: len(b.switches)}
	discard := make([]model.ChannelID, len(b.switches))
	for e := model.HostID(n.NumHosts()); int(e) < n.NumEndpoints(); e++ {
		discard[n.Host(e).Switch] = n.EjectChannel(e)
	}
	seen := map[[2]int]bool{}
	for _, a := range b.atoms { // one destination for all atoms of a host prefix with the same class
		if key := [2]int{a.host, int(a.class)}; !seen[key] {
			seen[key] = true
			r.host, r.class = append(r.host, model.HostID(a.host)), append(r.class, a.class)
		}
	}
	shared := map[string][]model.ChannelID{}
	for c := range b.rows {
		list := make([][]model.ChannelID, len(b.switches))
		for u := range list {
			list[u] = b.hopsOf(n, c, u, discard[u], shared)
		}
		r.next = append(r.next, list)
	}
	for u := len(b.switches); u < n.NumSwitches(); u++ {
		var list []model.ChannelID
		for _, c := range n.Out(model.SwitchID(u)) {
			if n.Kind(c) == model.SwitchToSwitch {
				list = append(list, c)
			}
		}
		r.entrance = append(r.entrance, list)
	}
	r.bySwitch = b.isBySwitch(r)
	return r
}

// hopsOf returns the hops of frames of class c at switch u. shared has the lists so far.
func (b *builder) hopsOf(n *model.Network, c, u int, discard model.ChannelID, shared map[string][]model.ChannelID) []model.ChannelID {
	s := b.rows[c][u]
	if s < 0 {
		return nil
	}
	host, h := b.host[c], &b.fibs[u].hops[s]
	isHome := slices.Contains(b.hosts[host].homes, u)
	circles := b.circling[c] != nil && b.circling[c][u]
	key := fmt.Sprint(u, s, circles)
	if h.local {
		key = fmt.Sprint(u, s, circles, isHome, len(b.hosts[host].homes) > 1, host*min(1, len(b.hosts[host].homes)-1))
	}
	if list, ok := shared[key]; ok {
		return list
	}
	var list []model.ChannelID
	for _, p := range h.ports {
		list = append(list, n.OutAt(model.SwitchID(u), b.port[p]))
	}
	drops := h.discard
	switch {
	case h.local && isHome && len(b.hosts[host].homes) > 1:
		list = append(list, n.OutAt(model.SwitchID(u), b.toHost[[2]int{u, host}]))
	case h.local && isHome:
		list = append(list, eject)
	case h.local:
		drops = true
	}
	if drops && len(list) > 0 || circles {
		list = append(list, discard)
	}
	shared[key] = list
	return list
}

// isBySwitch reports whether frames to all hosts at a switch have the same next hops everywhere, and are delivered there.
func (b *builder) isBySwitch(r *relation) bool {
	class := map[model.SwitchID]int32{}
	seen := make([]bool, len(b.hosts))
	for d, host := range r.host {
		u := r.net.Host(host).Switch
		known, ok := class[u]
		if seen[host] || ok && known != r.class[d] {
			return false
		}
		if int(u) < r.switches {
			if list := r.next[r.class[d]][u]; len(list) != 1 || list[0] != eject {
				return false
			}
		}
		class[u], seen[host] = r.class[d], true
	}
	return true
}
