package ethernet

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/ethernet/dumps"
)

// This file finds what the configuration of dual ToR states and the folder cannot resolve. Frames of such a tunnel or server are missing in
// the relation, so a proof would be about less than the fabric.

// stateAll adds premises, doubts and warnings about priorities, and a doubt if the tunnels of dual ToR cannot be resolved.
func (c *classed) stateAll(out *format.Routed) {
	c.states(out)
	out.Doubts = append(append(out.Doubts, c.besides()...), c.lostAtTunnel()...)
	if list := c.tunnelDoubts(); len(list) > 0 {
		out.Doubts = append(out.Doubts, model.Doubt{Premise: premisePFC, Against: model.AgainstProof, Reason: strings.Join(list, "; "),
			Claims: []string{model.ClaimDeadlockFree, model.ClaimConnected, model.ClaimLivelockFree},
			Next:   "correct config_db.json or the routes of the leaves", Firm: true})
	}
}

// besides returns a doubt if a leaf sends frames between servers of one prefix into its tunnel, no routed frame goes on as they do, and they may
// close a circle: frames within a prefix are not in the relation. Routed frames that leave by the same cable, in the same group, with the same
// headers take the same ways.
func (c *classed) besides() []model.Doubt {
	for d := range model.DestID(c.Destinations()) {
		u := c.goesBeside(d)
		switch {
		case u < 0:
			continue
		case !c.frees && !c.isCyclic((*classed).within):
			return nil
		}
		return []model.Doubt{{Premise: premiseOutside, Against: model.AgainstProof, Next: "accept by --assume outside that these servers send none",
			Reason: fmt.Sprintf("frames between servers of %s at %s enter its tunnel, and no routed frames do, or with other DSCPs: they are not followed",
				c.b.hosts[c.host[d]].key.Prefix(), c.b.switches[u].Name)}}
	}
	return nil
}

// goesBeside returns a leaf whose frames within the prefix of a destination go on as no routed ones do, or -1.
func (c *classed) goesBeside(d model.DestID) int {
	list := c.within(d)
	if len(list) == 0 {
		return -1
	}
	routed := map[model.Hop]bool{}
	c.visit(d, nil, func(_ model.State, h model.Hop) { routed[c.unnumbered(h)] = true })
	for _, s := range list {
		for _, h := range c.Next(s, nil) {
			out, _ := c.net.Channel(h.VC)
			if c.net.Kind(out) == model.SwitchToSwitch && int(c.net.Head(out)) < c.switches && !routed[c.unnumbered(h)] {
				in, _ := c.net.Channel(s.VC)
				return int(c.net.Head(in))
			}
		}
	}
	return -1
}

// within returns the states of frames to a destination that its own hosts send to leaves with tunnels.
func (c *classed) within(d model.DestID) (list []model.State) {
	at := c.net.Host(c.host[d]).Switch
	for _, u := range c.b.hosts[c.host[d]].homes {
		if c.end[u] < 0 || !c.tunnels[[2]int{int(c.class[d]), u}].tunnels {
			continue
		}
		for in := range model.ChannelID(c.net.NumChannels()) {
			tail := c.net.Tail(in)
			isOwn := tail == at && int(at) >= c.switches || in == c.net.InjectChannel(c.host[d])
			if !isOwn || int(c.net.Head(in)) != u || c.receive[in] == nil {
				continue
			}
			for _, k := range c.starts {
				list = append(list, model.State{VC: c.net.VC(in, 0), Dest: d, Class: k})
			}
		}
	}
	return list
}

// unnumbered returns a hop without the number of hops on which the frame might have been dropped.
func (c *classed) unnumbered(h model.Hop) model.Hop {
	x := c.kindOf(h.Class)
	x.past = 0
	if out, i := c.net.Channel(h.VC); i >= lossy {
		h.VC = c.net.VC(out, lossy)
	}
	return model.Hop{VC: h.VC, Class: c.classOf(x)}
}

// tunnelsWithoutMaps returns the doubt if switches have tunnels (dual ToR), and no switch has QoS maps: then there is no relation with DSCPs,
// and frames in tunnels are in none.
func (b *builder) tunnelsWithoutMaps() []model.Doubt {
	i := slices.IndexFunc(b.switches, func(sw *dumps.Switch) bool { return sw.QoS != nil && sw.QoS.Peer.IsValid() })
	if hasMaps, _ := b.hasQoS(); i < 0 || hasMaps {
		return nil
	}
	return []model.Doubt{{Premise: premisePFC, Against: model.AgainstProof, Firm: true,
		Claims: []string{model.ClaimDeadlockFree, model.ClaimConnected, model.ClaimLivelockFree},
		Reason: fmt.Sprintf("%s has PEER_SWITCH (dual ToR), and no switch has PORT_QOS_MAP: frames in tunnels are not followed", b.switches[i].QoS.File),
		Next:   "add config_db.json with PORT_QOS_MAP of every switch"}}
}

// tunnelDoubts returns why frames to servers of dual ToR may take ways that are not in the relation.
func (c *classed) tunnelDoubts() (list []string) {
	for u, v := range c.end {
		if v < 0 {
			continue
		}
		list = append(list, c.peerDoubts(u, v)...)
		if len(c.b.failed) > 0 || c.b.kept != nil {
			continue // routes that a failure takes away are no contradiction
		}
		list = append(list, c.wayDoubts(u, v)...)
		list = append(list, c.serverDoubts(u, v)...)
	}
	if len(list) > 3 {
		list = append(list[:3], fmt.Sprintf("and %d more", len(list)-3))
	}
	return list
}

// lostAtTunnel returns a doubt if a failure takes away the way to the end of the tunnel of a leaf, which delivers frames of a server or sends them
// into the tunnel: the relation has only those that it delivers. If the other leaf itself is gone, the leaf delivers all.
func (c *classed) lostAtTunnel() []model.Doubt {
	if len(c.b.failed) == 0 && c.b.kept == nil {
		return nil // tunnelDoubts
	}
	isEither := map[int]bool{}
	for key, state := range c.tunnels {
		isEither[key[1]] = isEither[key[1]] || state.delivers && state.tunnels
	}
	for u, v := range c.end {
		isThere := func(e end) bool { return e.sw == v }
		if v >= 0 && isEither[u] && slices.ContainsFunc(c.b.sortedPorts(), isThere) && len(c.wayDoubts(u, v)) > 0 {
			return []model.Doubt{{Premise: premisePFC, Against: model.AgainstProof, Claims: []string{model.ClaimConnected},
				Next:   "accept it if this leaf delivers all frames of its servers after the failure",
				Reason: c.b.switches[u].Name + " delivers frames of some servers or sends them into its tunnel, to whose end the failure leaves no way"}}
		}
	}
	return nil
}

// peerDoubts compares the configurations of leaf u and of leaf v, where its tunnel ends.
func (c *classed) peerDoubts(u, v int) (list []string) {
	q, other := c.b.switches[u].QoS, c.b.switches[v].QoS
	name, peer := c.b.switches[u].Name, c.b.switches[v].Name
	if c.end[v] != u {
		list = append(list, fmt.Sprintf("%s: PEER_SWITCH of %s is %s, whose PEER_SWITCH in %s is not %s", q.File, name, peer, other.File, name))
	}
	if !c.ownsAddress(v, q.Peer) {
		list = append(list, fmt.Sprintf("%s: PEER_SWITCH %s has the address %s, which the dumps of %s do not have", q.File, q.PeerName, q.Peer, peer))
	}
	if other.Tunnel.Name == "" {
		list = append(list, fmt.Sprintf("%s: no table TUNNEL, and the tunnel of %s ends at %s", other.File, name, peer))
	}
	if end := other.Tunnel.End; end.Is4() && end != q.Peer {
		list = append(list, fmt.Sprintf("%s: the tunnel goes to %s, and dst_ip of TUNNEL in %s is %s", q.File, q.Peer, other.File, end))
	}
	for _, server := range sortedServers(q) {
		word, ok := other.Servers[server]
		switch {
		case !ok:
			list = append(list, fmt.Sprintf("%s: MUX_CABLE has the server %s, which %s has not", q.File, server, other.File))
		case word == "standby" && q.Servers[server] == "standby" && (u < v || c.end[v] != u):
			list = append(list, fmt.Sprintf("%s and %s: the server %s is standby at both leaves, so none delivers its frames", q.File, other.File, server))
		}
	}
	return list
}

// sortedServers returns the servers of MUX_CABLE, ascending.
func sortedServers(q *dumps.QoS) (list []netip.Addr) {
	for server := range q.Servers {
		list = append(list, server)
	}
	slices.SortFunc(list, netip.Addr.Compare)
	return list
}

// ownsAddress reports whether an address is one of a switch. It may be if the dumps do not show all addresses of the switch and no other
// switch has it.
func (c *classed) ownsAddress(v int, a netip.Addr) bool {
	key := dumps.KeyOf(netip.PrefixFrom(a, 32))
	owns := func(sw *dumps.Switch) bool {
		return sw.OwnAddresses()[key] || sw.QoS != nil && slices.Contains(sw.QoS.Loopbacks, a) ||
			slices.ContainsFunc(sw.Tables, func(t *dumps.Table) bool { return isLoopbackRoute(t, key) })
	}
	sw := c.b.switches[v]
	if owns(sw) {
		return true
	}
	isKnown := sw.Interfaces != nil || slices.ContainsFunc(sw.Tables, func(t *dumps.Table) bool { return t.Source == "zebra" })
	return !isKnown && !slices.ContainsFunc(c.b.switches, owns)
}

// isLoopbackRoute reports whether a table has a prefix at loopback interfaces only.
func isLoopbackRoute(t *dumps.Table, k dumps.Key) bool {
	i, ok := slices.BinarySearchFunc(t.Entries, k, compareEntry)
	return ok && !slices.ContainsFunc(t.Sets[t.Entries[i].Set], func(h dumps.NextHop) bool { return !isConnected(h) || !isLoopback(h.Dev) })
}

// wayDoubts names a switch on the way of the tunnel of u that has no route to its end v.
func (c *classed) wayDoubts(u, v int) []string {
	seen, todo := map[int]bool{u: true}, []int{u}
	for len(todo) > 0 {
		w := todo[0]
		todo = todo[1:]
		if w == v {
			continue
		}
		if len(c.toEnd[v][w]) == 0 {
			q := c.b.switches[u].QoS
			return []string{fmt.Sprintf("%s: the tunnel of %s goes to %s, to which %s has no route", q.File, c.b.switches[u].Name, q.Peer,
				c.b.switches[w].Name)}
		}
		for _, out := range c.toEnd[v][w] {
			if x := int(c.net.Head(out)); !seen[x] {
				seen[x] = true
				todo = append(todo, x)
			}
		}
	}
	return nil
}

// serverDoubts names servers of u in no prefix with hosts of the switch, and a destination that both leaves send into their tunnels only.
func (c *classed) serverDoubts(u, v int) (list []string) {
	q := c.b.switches[u].QoS
	for _, server := range sortedServers(q) {
		target, set := []atom{{key: dumps.KeyOf(netip.PrefixFrom(server, 32))}}, []int32{-1}
		c.b.fibs[u].longest(target, set)
		if set[0] < 0 || c.b.atomOf(target[0].key) == nil || !c.b.fibs[u].hops[set[0]].local && !c.b.fibs[u].hops[set[0]].tunnel {
			list = append(list, fmt.Sprintf("%s: MUX_CABLE has the server %s, which is in no connected prefix of %s", q.File, server, c.b.switches[u].Name))
		}
	}
	for _, a := range c.b.atoms {
		state := c.tunnels[[2]int{int(a.class), u}]
		if state.tunnels && !state.delivers && !c.mayDeliver(v, a) {
			return append(list, fmt.Sprintf("%s: frames to %s go into the tunnel of %s, and %s does not deliver them", q.File, a.key.Prefix(),
				c.b.switches[u].Name, c.b.switches[v].Name))
		}
	}
	return list
}

// mayDeliver reports whether a leaf delivers frames to hosts of an atom itself.
func (c *classed) mayDeliver(v int, a atom) bool {
	if state, ok := c.tunnels[[2]int{int(a.class), v}]; ok {
		return state.delivers
	}
	s := c.b.rows[a.class][v]
	return s >= 0 && c.b.fibs[v].hops[s].local
}
