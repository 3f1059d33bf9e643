package ethernet

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/ethernet/dumps"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file routes frames by their DSCP, too, if the dumps say which priorities are lossless (config_db.json of SONiC).
//
// A frame on a cable is in a priority group of the receiving port: the virtual channel with the number of the group. The port selects
// the traffic class by the DSCP, and the group by the class. When a group is full, the port sends PFC of the priorities that have the group
// (pfc_to_pg_map, usually the same number). The sender stops the queue that its map assigns to the priority. A group is lossless on a cable
// if both ports enable such a priority. Who is in a lossless group holds its room, also a frame from a queue that this group does not stop:
// such a frame may be dropped when it arrives, but if it is not, the frames that the group stops wait for it.
//
// A frame in no lossless group is dropped where there is no room, so nothing waits for it. It is in the virtual channel lossy on its first
// such hop, in the next one on its second, and so on. So these channels are in no cycle of their own, except for the last one, in which
// frames that circle stay.
//
// The relation has all dependencies of the fabric, so a proof holds. It has more if a frame comes from a lossy hop or from a queue that its
// group does not stop, or waits for a group that is not its own: then a refutation is in doubt (see certain.go). A frame in the virtual
// channel of a group that is not its own stands for those in the group: it goes on without being waited for.
//
// A port may also set the DSCP with which a frame leaves by its traffic class (tc_to_dscp_map). Rules such as those of Tagger are made of these
// maps: the traffic class stands for the port by which a frame came and its priority.
//
// A leaf of a dual-ToR pair delivers frames to a server, or sends them in a tunnel to its peer. The tunnel rewrites the DSCP.

// lossy is the index of the first virtual channel of frames that may be dropped.
const lossy = dumps.Priorities

// header is what a switch reads of a frame.
type header struct {
	outer, inner int // DSCPs; inner is that of a frame in a tunnel
	end          int // the switch where the tunnel ends, or -1
}

// hopQoS is what decides the virtual channel of a hop: the port by which the frame came, the port by which it leaves, the next port.
type hopQoS struct {
	in, out, next *dumps.PortQoS
}

// classed is the relation of frames with DSCPs.
type classed struct {
	*relation
	b       *builder
	headers []header         // that frames can have
	index   map[header]int   // in headers
	numbers *numbers         // of the headers in classes
	starts  []model.Class    // of frames as hosts send them
	send    []*dumps.PortQoS // by channel: what the port at its tail does; nil at hosts
	receive []*dumps.PortQoS // by channel: what the port at its head does
	end     []int            // by switch: the switch where its tunnel ends, or -1
	toEnd   map[int][][]model.ChannelID
	tunnels map[[2]int]muxState // by class of destinations and switch

	most    int      // hops on which a frame may be dropped, if it does not circle
	sure    bool     // see surely
	frees   bool     // see dropping
	drops   bool     // some hop may drop a frame
	losing  bool     // some frame waits for a group in which it is not, see enter
	several bool     // the same of the fabric, see scan
	doubts  []string // see scan
}

// muxState is what a leaf does with frames to servers that its peer has, too.
type muxState struct{ delivers, tunnels bool }

// newClassed returns the relation with DSCPs. It fails if a port has no QoS maps.
func (b *builder) newClassed(r *relation) (*classed, error) {
	c := &classed{relation: r, b: b, index: map[header]int{}, toEnd: map[int][][]model.ChannelID{}, tunnels: map[[2]int]muxState{}}
	if err := c.findPorts(); err != nil {
		return nil, err
	}
	if err := c.findTunnels(); err != nil {
		return nil, err
	}
	way := max(1, c.longestWay())
	c.most = min(way, model.MaxVCs-lossy-1)
	c.findHeaders()
	if len(c.starts) == 0 {
		return nil, &textfile.Error{File: b.switches[0].QoS.File, Msg: "no DSCP selects a priority group with PFC at any port (pfc_enable); want at least one"}
	}
	c.scan()
	r.net = r.net.WithVCs(lossy)
	if c.drops && way > c.most {
		return nil, &textfile.Error{File: b.switches[0].QoS.File, Msg: fmt.Sprintf("frames that may be dropped take ways of %d hops; allowed are %d",
			way, c.most)}
	}
	if c.drops {
		r.net = r.net.WithVCs(c.withLossy())
	}
	return c, nil
}

// findPorts finds the maps of all ports. Equal maps are one value.
func (c *classed) findPorts() error {
	n, known := c.net, map[string]*dumps.PortQoS{}
	of := func(u model.SwitchID, port string, ofHosts bool) (*dumps.PortQoS, error) {
		q := c.b.switches[u].QoS
		var found *dumps.PortQoS
		for _, name := range q.PortsOf(port) {
			p := q.Ports[name]
			if p == nil {
				return nil, &textfile.Error{File: q.File, Msg: fmt.Sprintf("PORT_QOS_MAP has no port %s of %s", name, c.b.switches[u].Name)}
			}
			if ofHosts { // PFC that hosts send stops no frames between switches
				plain := *p
				plain.Asymmetric, p = false, &plain
			}
			text := fmt.Sprint(p.DSCPToTC, p.TCToQueue, p.TCToGroup, p.PFCToQueue, p.PFCToGroup, p.TCToDSCP, p.TCToDSCP == nil, p.Enabled, p.Asymmetric,
				p.Unmapped)
			if known[text] == nil {
				known[text] = p
			}
			if found != nil && found != known[text] {
				return nil, &textfile.Error{File: q.File, Msg: fmt.Sprintf("the members of %s have different QoS maps; want the same", port)}
			}
			found = known[text]
		}
		return found, nil
	}
	c.send, c.receive = make([]*dumps.PortQoS, n.NumChannels()), make([]*dumps.PortQoS, n.NumChannels())
	for ch := range model.ChannelID(n.NumChannels()) {
		for _, side := range []struct {
			u  model.SwitchID
			p  model.Port
			to *[]*dumps.PortQoS
		}{{n.Tail(ch), n.TailPort(ch), &c.send}, {n.Head(ch), n.HeadPort(ch), &c.receive}} {
			if side.u == model.NoSwitch || int(side.u) >= c.switches || n.PortName(side.u, side.p) == "" {
				continue
			}
			far := n.Tail(ch) // the other end
			if side.u == far {
				far = n.Head(ch)
			}
			found, err := of(side.u, n.PortName(side.u, side.p), far == model.NoSwitch || int(far) >= c.switches)
			if err != nil {
				return err
			}
			(*side.to)[ch] = found
		}
	}
	return nil
}

// findTunnels finds the ends of tunnels, the routes to them, and the destinations that leaves send into them.
func (c *classed) findTunnels() error {
	c.end = make([]int, c.switches)
	for u := range c.end {
		c.end[u] = -1
		q := c.b.switches[u].QoS
		if !q.Peer.IsValid() {
			continue
		}
		v := c.b.index[strings.ToLower(q.PeerName)]
		if _, ok := c.b.index[strings.ToLower(q.PeerName)]; !ok || v == u {
			return &textfile.Error{File: q.File, Msg: fmt.Sprintf("PEER_SWITCH %s of %s has no dumps in the folder", q.PeerName, c.b.switches[u].Name)}
		}
		c.end[u] = v
		if c.toEnd[v] != nil {
			continue
		}
		addr := q.Peer.As4()
		target := []atom{{key: dumps.Key{Addr: uint32(addr[0])<<24 | uint32(addr[1])<<16 | uint32(addr[2])<<8 | uint32(addr[3]), Bits: 32}}}
		list := make([][]model.ChannelID, c.switches)
		for w := range list {
			set := []int32{-1}
			if c.b.fibs[w].longest(target, set); set[0] >= 0 {
				for _, p := range c.b.fibs[w].hops[set[0]].ports {
					list[w] = append(list[w], c.net.OutAt(model.SwitchID(w), c.b.port[p]))
				}
			}
		}
		c.toEnd[v] = list
	}
	c.findServers()
	return nil
}

// findServers finds the destinations that contain servers of two leaves.
func (c *classed) findServers() {
	for u := range c.end {
		if c.end[u] < 0 {
			continue
		}
		for _, a := range c.b.atoms {
			if s := c.b.rows[a.class][u]; s >= 0 && c.b.fibs[u].hops[s].tunnel {
				c.tunnels[[2]int{int(a.class), u}] = muxState{c.b.fibs[u].hops[s].local, true}
			}
		}
		for server, word := range c.b.switches[u].QoS.Servers {
			a := c.b.atomOf(dumps.KeyOf(netip.PrefixFrom(server, 32)))
			if a == nil {
				continue
			}
			key := [2]int{int(a.class), u}
			state := c.tunnels[key]
			c.tunnels[key] = muxState{state.delivers || word != "standby", state.tunnels || word != "active"}
		}
	}
}

// atomOf returns the longest atom that contains a prefix, or nil.
func (b *builder) atomOf(k dumps.Key) (found *atom) {
	for i := range b.atoms {
		if a := &b.atoms[i]; a.key.Contains(k) && (found == nil || a.key.Bits > found.key.Bits) {
			found = a
		}
	}
	return found
}

// findHeaders finds the headers that frames can have. DSCPs that all switches treat the same are one; those that are never lossless are left out.
func (c *classed) findHeaders() {
	ports := c.distinctPorts()
	seen, becomes := map[string]bool{}, c.becomeLossless(ports)
	for d := range 64 {
		text, isLossless := "", becomes[d]
		for _, p := range ports {
			text += fmt.Sprint(p.DSCPToTC[d], " ")
			for u := range c.end {
				isLossless = isLossless || c.end[u] >= 0 && becomes[c.encapsulate(u, header{d, d, -1}, p.DSCPToTC[d]).outer]
			}
		}
		for u := range c.end {
			if t := &c.b.switches[u].QoS.Tunnel; t.DecapDSCPToTC != nil {
				text += fmt.Sprint(t.DecapDSCPToTC[d], " ")
			}
			if c.end[u] >= 0 && c.b.switches[u].QoS.Tunnel.TCToDSCP == nil {
				text += fmt.Sprint("outer ", d)
			}
		}
		if isLossless && !seen[text] {
			seen[text] = true
			c.add(header{d, d, -1})
		}
	}
	first := len(c.headers)
	for k := 0; k < len(c.headers); k++ {
		h := c.headers[k]
		for _, p := range ports {
			for u := range c.end {
				if c.end[u] >= 0 && h.end < 0 {
					c.add(c.encapsulate(u, h, p.DSCPToTC[h.outer]))
				}
			}
			for _, out := range ports {
				for tc := range p.TCToGroup { // a frame that leaves a tunnel may have any class
					if tc == p.DSCPToTC[h.outer] || h.end >= 0 {
						c.add(marked(out, tc, h))
					}
				}
			}
		}
	}
	c.numbers = c.number()
	for _, h := range c.headers[:first] {
		c.starts = append(c.starts, c.numbers.of(0, h))
	}
}

// becomeLossless returns the DSCPs with which frames are in a lossless group at some port, or get such a DSCP.
func (c *classed) becomeLossless(ports []*dumps.PortQoS) (is [64]bool) {
	for d := range is {
		is[d] = c.isLossless(ports, d)
	}
	for changed := true; changed; {
		changed = false
		for d := range is {
			for _, p := range ports {
				for _, out := range ports {
					if to := marked(out, p.DSCPToTC[d], header{d, d, -1}).outer; is[to] && !is[d] {
						is[d], changed = true, true
					}
				}
			}
		}
	}
	return is
}

// marked returns the header of a frame of a traffic class that leaves by a port.
func marked(out *dumps.PortQoS, tc int, h header) header {
	if out != nil && out.TCToDSCP != nil && tc >= 0 && out.TCToDSCP[tc] >= 0 {
		h.outer = out.TCToDSCP[tc]
		if h.end < 0 {
			h.inner = h.outer
		}
	}
	return h
}

// isLossless reports whether a DSCP is in a lossless group at some port.
func (c *classed) isLossless(ports []*dumps.PortQoS, dscp int) bool {
	return slices.ContainsFunc(ports, func(p *dumps.PortQoS) bool { return isLosslessGroup(p, groupOf(p.TCToGroup, p.DSCPToTC[dscp])) })
}

// add adds a header, unless it is known.
func (c *classed) add(h header) {
	if _, ok := c.index[h]; !ok {
		c.headers, c.index[h] = append(c.headers, h), len(c.headers)
	}
}

// distinctPorts returns the different maps of ports, in the order of channels.
func (c *classed) distinctPorts() (list []*dumps.PortQoS) {
	seen := map[*dumps.PortQoS]bool{}
	for _, of := range [][]*dumps.PortQoS{c.send, c.receive} {
		for _, p := range of {
			if p != nil && !seen[p] {
				seen[p] = true
				list = append(list, p)
			}
		}
	}
	return list
}

// encapsulate returns the header of a frame of traffic class tc that switch u puts into its tunnel.
func (c *classed) encapsulate(u int, h header, tc int) header {
	t := &c.b.switches[u].QoS.Tunnel
	outer := 0 // pipe mode without a map
	switch {
	case t.TCToDSCP != nil && tc >= 0 && t.TCToDSCP[tc] >= 0:
		outer = t.TCToDSCP[tc]
	case t.TCToDSCP == nil && (t.Uniform || t.Name == ""):
		outer = h.outer
	}
	return header{outer, h.outer, c.end[u]}
}

// groupOf looks a traffic class up. A class without an entry is in group 0.
func groupOf(m []int, tc int) int {
	if tc < 0 || m[tc] < 0 {
		return 0
	}
	return m[tc]
}

// isLosslessGroup reports whether a port sends PFC for a group.
func isLosslessGroup(p *dumps.PortQoS, group int) bool {
	for pr, on := range p.Enabled {
		if on && p.PFCToGroup[pr] == group {
			return true
		}
	}
	return false
}

// classAt returns the traffic class and priority group of a frame that enters switch u by a port.
func (c *classed) classAt(u int, p *dumps.PortQoS, h header) (tc, group int) {
	if h.end != u {
		tc = p.DSCPToTC[h.outer]
		return tc, groupOf(p.TCToGroup, tc)
	}
	t := &c.b.switches[u].QoS.Tunnel
	dscp, dscpMap, groupMap := h.inner, p.DSCPToTC, p.TCToGroup
	if t.Uniform {
		dscp = h.outer
	}
	if t.DecapDSCPToTC != nil {
		dscpMap = t.DecapDSCPToTC
	}
	if t.DecapTCToGroup != nil {
		groupMap = t.DecapTCToGroup
	}
	tc = dscpMap[dscp]
	return tc, groupOf(groupMap, tc)
}

// waiting is what a frame waits for on a hop, and where it is afterwards.
type waiting struct {
	groups  []int // that it waits for, and that it is in
	own     int   // its group at the next port
	waits   bool  // PFC of some group stops its queue
	stopped bool  // PFC of its own group stops its queue: it is never dropped
	lossy   bool  // its group stops no queue on this cable
}

// isExact reports whether the hop has the dependencies of the fabric, and no more.
func (w waiting) isExact() bool {
	return w.stopped && len(w.groups) == 1 || w.lossy && len(w.groups) == 0
}

// hop returns what a frame waits for on a channel: the groups that stop its queue.
func (c *classed) hop(u int, q hopQoS, tc int, isNew bool, next int, h header) waiting {
	queue := groupOf(q.out.TCToQueue, tc)
	if t := c.b.switches[u].QoS.Tunnel.TCToQueue; isNew && t != nil {
		queue = groupOf(t, tc)
	}
	w := waiting{lossy: true}
	_, w.own = c.classAt(next, q.next, h)
	for pr, group := range q.next.PFCToGroup {
		if !q.out.Reacts(pr) || !q.next.Enabled[pr] {
			continue
		}
		isStopped, isOwn := q.out.PFCToQueue[pr] == queue, group == w.own
		w.waits, w.stopped = w.waits || isStopped, w.stopped || isStopped && isOwn
		w.lossy = w.lossy && !isOwn
		if (isStopped || isOwn) && !slices.Contains(w.groups, group) {
			w.groups = append(w.groups, group)
		}
	}
	return w
}

// kind is what a class stands for. Classes number the kinds.
type kind struct {
	header model.Class
	past   int  // hops so far on which the frame might have been dropped
	lost   bool // nothing waits for the frame any more: it stands for one that waits for a group in which it is not
}

// withLossy returns the number of virtual channels if frames may be dropped: one of them has dropped frames only, at their last hop.
func (c *classed) withLossy() int { return lossy + c.most + 1 }

// kindOf returns the kind of a class.
func (c *classed) kindOf(k model.Class) kind {
	h := len(c.numbers.list)
	return kind{k % model.Class(h), int(k) / h / 2, int(k)/h%2 == 1}
}

// classOf returns the class of a kind. It does not depend on the ways of frames, so that the classes before and after a change are the same.
func (c *classed) classOf(x kind) model.Class {
	n := 2 * x.past
	if x.lost {
		n++
	}
	return x.header + model.Class(n*len(c.numbers.list))
}

// ClassText implements model.Classified: the headers, and the maps of all ports.
func (c *classed) ClassText() string {
	h := sha256.New()
	fmt.Fprintln(h, c.numbers.list)
	for _, sw := range c.b.switches {
		fmt.Fprintln(h, sw.Name, sw.QoS.Tunnel)
		for _, name := range sortedKeys(sw.QoS.Ports) {
			fmt.Fprintln(h, name, *sw.QoS.Ports[name])
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Classes implements model.Relation.
func (c *classed) Classes() int {
	if c.drops {
		return len(c.numbers.list) * 2 * (c.most + 2)
	}
	return len(c.numbers.list)
}

// Inject implements model.Relation.
func (c *classed) Inject(_ model.HostID, _ model.DestID, buf []model.Class) []model.Class {
	return append(buf, c.starts...)
}

// GroupOf implements model.Grouped: the port by which a frame came selects its traffic class. What may be dropped may go on otherwise, see
// dropping.
func (c *classed) GroupOf(v model.VCID) int {
	ch, i := c.net.Channel(v)
	if c.frees && i >= lossy {
		return c.net.NumChannels() + int(ch)
	}
	return int(ch)
}

// WaitsForAll implements model.AllWaiter: some frame waits for several priority groups of one port.
func (c *classed) WaitsForAll() bool { return c.several }

// SwitchRouted implements model.SwitchRouted. Tunnels send frames through the leaf of their destination.
func (c *classed) SwitchRouted() bool { return c.bySwitch && len(c.tunnels) == 0 }

// Symmetries implements model.Symmetric. None are looked for.
func (c *classed) Symmetries() []*model.Automorphism { return nil }

// Next implements model.Relation.
func (c *classed) Next(s model.State, buf []model.Hop) []model.Hop {
	n := len(buf)
	buf, waits := c.hops(s, buf)
	if c.frees && c.goesOn(s, waits) {
		buf = c.appendDropped(s, n, buf)
	}
	return buf
}

// hops appends the next hops of a frame. It reports whether the frame waits for a group on one of them.
func (c *classed) hops(s model.State, buf []model.Hop) (list []model.Hop, waits bool) {
	in, _ := c.net.Channel(s.VC)
	u := c.net.Head(in)
	if u == model.NoSwitch {
		return buf, false
	}
	x := c.kindOf(s.Class)
	h := c.numbers.header(c.class[s.Dest], x.header)
	if int(u) >= c.switches {
		return c.plain(c.channels(u, s.Dest), s, buf), false
	}
	if c.receive[in] == nil {
		return buf, false // the endpoint for frames that are dropped sends none
	}
	tc, _ := c.classAt(int(u), c.receive[in], h)
	to := target{u: int(u), in: in, tc: tc, class: s.Class, dest: s.Dest}
	switch {
	case h.end == int(u):
		return c.plain(c.delivery(u, s.Dest), s, buf), false
	case h.end >= 0:
		return c.forward(to, c.toEnd[h.end][u], buf)
	}
	state, isServer := c.tunnels[[2]int{int(c.class[s.Dest]), int(u)}]
	if !isServer {
		return c.forward(to, c.channels(u, s.Dest), buf)
	}
	if state.delivers {
		buf = c.plain(c.delivery(u, s.Dest), s, buf)
	}
	if state.tunnels {
		inside := c.encapsulate(int(u), h, tc)
		x.header = c.numbers.of(c.class[s.Dest], inside)
		to.class, to.isNew = c.classOf(x), true
		return c.forward(to, c.toEnd[inside.end][u], buf)
	}
	return buf, false
}

// appendLossy appends the hop of a frame that may be dropped. One that circles stays in the last channel; one that has been dropped ends.
func (c *classed) appendLossy(out model.ChannelID, x kind, buf []model.Hop) []model.Hop {
	switch {
	case x.lost && x.past > c.most:
		return buf
	case x.lost || x.past < c.most:
		x.past++
	}
	return append(buf, model.Hop{VC: c.net.VC(out, lossy+x.past-1), Class: c.classOf(x)})
}

// delivery returns the channels of a switch that lead to the hosts of a destination. A leaf of a dual-ToR pair that may deliver frames of a
// server has some also while its route to the server goes into the tunnel: then its peer is the one that delivers now.
func (c *classed) delivery(u model.SwitchID, d model.DestID) (list []model.ChannelID) {
	for _, out := range c.channels(u, d) {
		if out == eject || c.net.Kind(out) == model.SwitchToSwitch && int(c.net.Head(out)) >= c.switches {
			list = append(list, out)
		}
	}
	host, at := int(c.host[d]), int(u)
	if len(list) > 0 || !c.tunnels[[2]int{int(c.class[d]), at}].delivers || !slices.Contains(c.b.hosts[host].homes, at) {
		return list
	}
	if p, ok := c.b.toHost[[2]int{at, host}]; ok {
		return append(list, c.net.OutAt(u, p))
	}
	return append(list, eject)
}

// plain appends hops without a priority: to hosts, and from them.
func (c *classed) plain(list []model.ChannelID, s model.State, buf []model.Hop) []model.Hop {
	for _, out := range list {
		if out == eject {
			out = c.net.EjectChannel(c.host[s.Dest])
		}
		buf = append(buf, model.Hop{VC: c.net.VC(out, 0), Class: s.Class})
	}
	return buf
}

// target is a frame at a switch that sends it on.
type target struct {
	u     int             // the switch
	in    model.ChannelID // by which it came
	tc    int             // its traffic class
	class model.Class
	isNew bool // it enters a tunnel
	dest  model.DestID
}

// forward appends the hops of a frame on channels. It reports whether the frame waits for a group on one of them.
func (c *classed) forward(f target, list []model.ChannelID, buf []model.Hop) (all []model.Hop, waits bool) {
	for _, out := range list {
		if out == eject || c.net.Kind(out) != model.SwitchToSwitch || int(c.net.Head(out)) >= c.switches {
			buf = c.plain([]model.ChannelID{out}, model.State{Dest: f.dest, Class: f.class}, buf)
			continue
		}
		x := c.kindOf(f.class)
		h := marked(c.send[out], f.tc, c.numbers.header(c.class[f.dest], x.header))
		x.header = c.numbers.of(c.class[f.dest], h)
		w := c.hop(f.u, hopQoS{c.receive[f.in], c.send[out], c.receive[out]}, f.tc, f.isNew, int(c.net.Head(out)), h)
		waits = waits || w.waits
		buf = c.enter(out, x, w, buf)
	}
	return buf, waits
}

// enter appends the hops of a frame on a channel between switches, given what it waits for there.
func (c *classed) enter(out model.ChannelID, x kind, w waiting, buf []model.Hop) []model.Hop {
	switch {
	case x.lost:
		return c.appendLossy(out, x, buf)
	case c.sure && w.stopped:
		return append(buf, model.Hop{VC: c.net.VC(out, w.own), Class: c.classOf(x)})
	case c.sure:
		x.lost = true
		return c.appendLossy(out, x, buf)
	}
	for _, group := range w.groups {
		to := x
		to.lost = group != w.own
		buf = append(buf, model.Hop{VC: c.net.VC(out, group), Class: c.classOf(to)})
	}
	if w.lossy {
		buf = c.appendLossy(out, x, buf)
	}
	return buf
}
