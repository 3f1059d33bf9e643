package model

import (
	"errors"
	"fmt"
	"sort"
)

// Limits that keep IDs in range and bound the memory that a hostile file can ask for.
const (
	// MaxPort is the largest port number of a switch. Memory per switch grows with the largest
	// port in use.
	MaxPort = 1 << 16
	// MaxVCs is the largest number of virtual channels of a channel.
	MaxVCs = 256

	maxAllVCs = 1 << 30 // the number of values of a VCID
)

// Builder collects switches, hosts and links. Build makes a network of them.
type Builder struct {
	switches []Switch
	hosts    []Host
	mgmt     []Host
	links    []Link
	vcs      int
	grid     *Grid
	names    map[portAt]string
	images   [][]SwitchID
	oneWay   map[LinkID]bool

	attributes map[string][]int32
}

// NewBuilder returns an empty builder with one virtual channel per channel.
func NewBuilder() *Builder { return &Builder{vcs: 1} }

// AddSwitch adds a switch and returns its number. Numbers start at 0.
func (b *Builder) AddSwitch(s Switch) SwitchID {
	b.switches = append(b.switches, s)
	return SwitchID(len(b.switches) - 1)
}

// AddHost adds a host, or a management endpoint if h.Management is set. Hosts are numbered in
// the order of the calls; management endpoints follow after all hosts.
func (b *Builder) AddHost(h Host) {
	if h.Management {
		b.mgmt = append(b.mgmt, h)
		return
	}
	b.hosts = append(b.hosts, h)
}

// AddLink connects port p of switch u to port q of switch v by a cable. Parallel links are
// allowed.
func (b *Builder) AddLink(u SwitchID, p Port, v SwitchID, q Port) LinkID {
	b.links = append(b.links, Link{u, p, v, q})
	return LinkID(len(b.links) - 1)
}

// SetOneWay says that link l has only the direction from its end A to its end B.
func (b *Builder) SetOneWay(l LinkID) {
	if b.oneWay == nil {
		b.oneWay = map[LinkID]bool{}
	}
	b.oneWay[l] = true
}

// copyLink adds link l of n between switches u and v.
func (b *Builder) copyLink(n *Network, l LinkID, u, v SwitchID) {
	x := n.Link(l)
	if k := b.AddLink(u, x.APort, v, x.BPort); n.IsOneWay(l) {
		b.SetOneWay(k)
	}
}

// SetVCs sets the number of virtual channels of every channel.
func (b *Builder) SetVCs(vcs int) { b.vcs = vcs }

// SetGrid sets the coordinates of the switches.
func (b *Builder) SetGrid(g *Grid) { b.grid = g }

// SetSymmetries gives permutations of the switches that may be symmetries of the network. See Network.Symmetries.
func (b *Builder) SetSymmetries(list [][]SwitchID) { b.images = list }

// Build returns the network. It fails if a link or host names an unknown switch or port, if two
// cables share a port, if a link connects a switch to itself, or if a limit is exceeded. Cost:
// O(n log n) in cables.
func (b *Builder) Build() (*Network, error) {
	if len(b.switches) == 0 {
		return nil, errors.New("model: a network needs at least one switch")
	}
	if b.vcs < 1 || b.vcs > MaxVCs {
		return nil, fmt.Errorf("model: %d virtual channels per channel; want 1 to %d", b.vcs, MaxVCs)
	}
	n := &Network{switches: b.switches, links: b.links, vcs: b.vcs, hosts: len(b.hosts), grid: b.grid, portNames: b.names, images: b.images,
		attributes: b.attributes, oneWay: b.oneWay}
	if err := b.checkAttributes(); err != nil {
		return nil, err
	}
	n.endpoints = append(append(make([]Host, 0, len(b.hosts)+len(b.mgmt)), b.hosts...), b.mgmt...)
	if b.grid != nil {
		if err := b.grid.check(len(b.switches)); err != nil {
			return nil, fmt.Errorf("model: %w", err)
		}
	}
	for i, l := range b.links {
		if err := b.checkEnds(l); err != nil {
			return nil, fmt.Errorf("model: link %d: %w", i, err)
		}
	}
	for i := range n.endpoints {
		h := &n.endpoints[i]
		if err := b.checkEnd(h.Switch, h.Port); err != nil {
			return nil, fmt.Errorf("model: host %s: %w", n.HostLabel(HostID(i)), err)
		}
	}
	if vcs := 2 * (len(n.links) + len(n.endpoints)) * b.vcs; vcs > maxAllVCs {
		return nil, fmt.Errorf("model: %d virtual channels in total; want at most %d", vcs, maxAllVCs)
	}
	n.numberChannels()
	if err := n.indexPorts(); err != nil {
		return nil, err
	}
	return n, nil
}

func (b *Builder) checkEnds(l Link) error {
	if err := b.checkEnd(l.A, l.APort); err != nil {
		return err
	}
	if err := b.checkEnd(l.B, l.BPort); err != nil {
		return err
	}
	if l.A == l.B {
		return fmt.Errorf("joins switch %d to itself (ports %d and %d)", l.A, l.APort, l.BPort)
	}
	return nil
}

func (b *Builder) checkEnd(u SwitchID, p Port) error {
	if u < 0 || int(u) >= len(b.switches) {
		return fmt.Errorf("no switch %d; want 0 to %d", u, len(b.switches)-1)
	}
	limit := MaxPort
	if s := b.switches[u].Ports; s > 0 && s < limit {
		limit = s
	}
	if p < 0 || int(p) > limit {
		return fmt.Errorf("port %d of switch %d is out of range; want 0 to %d", p, u, limit)
	}
	return nil
}

// numberChannels numbers the channels: links, injection, ejection.
func (n *Network) numberChannels() {
	e, l := len(n.endpoints), 2*len(n.links)
	total := l + 2*e
	n.tail, n.head = make([]SwitchID, total), make([]SwitchID, total)
	n.tailPort, n.headPort = make([]Port, total), make([]Port, total)
	for i, k := range n.links {
		n.tail[2*i], n.head[2*i], n.tailPort[2*i], n.headPort[2*i] = k.A, k.B, k.APort, k.BPort
		n.tail[2*i+1], n.head[2*i+1], n.tailPort[2*i+1], n.headPort[2*i+1] = k.B, k.A, k.BPort, k.APort
	}
	for i := range n.endpoints {
		h := &n.endpoints[i]
		n.tail[l+i], n.head[l+i], n.headPort[l+i] = NoSwitch, h.Switch, h.Port
		n.tail[l+e+i], n.head[l+e+i], n.tailPort[l+e+i] = h.Switch, NoSwitch, h.Port
	}
}

// indexPorts fills the tables by switch and port. It fails if two cables share a port.
func (n *Network) indexPorts() error {
	top := make([]Port, len(n.switches)) // largest port in use, plus 1
	degree := make([]int32, len(n.switches)+1)
	for c, u := range n.tail {
		if u != NoSwitch {
			top[u] = max(top[u], n.tailPort[c]+1)
			degree[u]++
		}
	}
	n.portStart, n.outStart = make([]int32, len(top)+1), make([]int32, len(top)+1)
	total := 0
	for u := range top {
		total += int(top[u])
		if total > 1<<30 {
			return errors.New("model: more ports than a network may have (2^30)")
		}
		n.portStart[u+1] = int32(total)
		n.outStart[u+1] = n.outStart[u] + degree[u]
	}
	n.portOut = make([]ChannelID, total)
	for i := range n.portOut {
		n.portOut[i] = NoChannel
	}
	for c, u := range n.tail {
		if u == NoSwitch {
			continue
		}
		at := &n.portOut[int(n.portStart[u])+int(n.tailPort[c])]
		if *at != NoChannel {
			return fmt.Errorf("model: port %d of switch %s has two cables", n.tailPort[c], n.SwitchName(u))
		}
		*at = ChannelID(c)
	}
	n.out = make([]ChannelID, 0, n.outStart[len(top)])
	n.outIndex = make([]int32, len(n.tail))
	for u := range top {
		for _, c := range n.portOut[n.portStart[u]:n.portStart[u+1]] {
			if c != NoChannel {
				n.outIndex[c] = int32(len(n.out)) - n.outStart[u]
				n.out = append(n.out, c)
			}
		}
	}
	return nil
}

// Check returns all inconsistencies of the network. A network from Build has none. Cost:
// O(channels).
func (n *Network) Check() []error {
	var errs []error
	bad := func(format string, a ...any) { errs = append(errs, fmt.Errorf("model: "+format, a...)) }
	for c := range ChannelID(n.NumChannels()) {
		r := n.Reverse(c)
		if n.Reverse(r) != c || n.tail[c] != n.head[r] || n.headPort[c] != n.tailPort[r] {
			bad("channel %d and its reverse %d do not match", c, r)
		}
		if u := n.tail[c]; u != NoSwitch && n.OutAt(u, n.tailPort[c]) != c {
			bad("channel %d is not at port %d of switch %d", c, n.tailPort[c], u)
		}
		if h := n.HostOf(c); (h == NoHost) != (n.Kind(c) == SwitchToSwitch) {
			bad("channel %d of kind %d belongs to host %d", c, n.Kind(c), h)
		}
	}
	for u := range SwitchID(n.NumSwitches()) {
		out := n.Out(u)
		if !sort.SliceIsSorted(out, func(i, j int) bool { return n.tailPort[out[i]] < n.tailPort[out[j]] }) {
			bad("channels out of switch %d are not in port order", u)
		}
	}
	return errs
}
