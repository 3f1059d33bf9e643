package model

import (
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/internal/plain"
)

// IDs are dense: the switches of a network are 0..NumSwitches()-1, and so on,
// so whatever is kept per switch or per channel is a slice.
type (
	// SwitchID numbers the switches of a network.
	SwitchID int32
	// HostID numbers its hosts; management endpoints come after them.
	HostID int32
	// LinkID numbers its switch-to-switch cables.
	LinkID int32
	// ChannelID numbers the directions of cables: first both directions of
	// each link (2l and 2l+1), then the injection channels in host order,
	// then the ejection channels in host order.
	ChannelID int32
	// VCID numbers virtual channels: channel*VCs() + index.
	VCID int32
	// Port is a port number at a switch. InfiniBand counts from 1 and keeps
	// port 0 for the switch itself.
	Port int32
)

// No... stand for "none" where a value of the type is expected.
const (
	NoSwitch  SwitchID  = -1
	NoHost    HostID    = -1
	NoChannel ChannelID = -1
	NoVC      VCID      = -1
)

// Switch holds what is known of a switch besides its place in the network.
type Switch struct {
	Name  string // description, for people; need not be unique
	GUID  uint64 // 0: none
	Ports int    // external ports are 1..Ports; 0: as many as are in use
	LID   uint16 // of its port 0, 0: none
	LMC   uint8
}

// Host is an endpoint: one port of a channel adapter, attached to one port of
// one switch. An adapter with two cables is two hosts.
type Host struct {
	Name     string
	Switch   SwitchID
	Port     Port   // of the switch
	NodeGUID uint64 // of the adapter, 0: none
	PortGUID uint64
	NodePort int    // which port of the adapter, from 1
	LID      uint16 // the host answers to LID .. LID + 2^LMC - 1; 0: none
	LMC      uint8
	// Management marks the endpoint inside a switch (InfiniBand's port 0):
	// it sends and receives management traffic and is not counted as a host.
	Management bool
}

// Link is a cable between two switches.
type Link struct {
	A     SwitchID
	APort Port
	B     SwitchID
	BPort Port
}

// Kind tells what a channel joins.
type Kind uint8

// The three kinds of channels.
const (
	SwitchToSwitch Kind = iota
	Inject              // host to switch
	Eject               // switch to host
)

// String returns between switches, injection or ejection.
func (k Kind) String() string {
	return [...]string{"between switches", "injection", "ejection"}[k]
}

// Network is a set of switches and hosts joined by links. It is immutable;
// Builder makes one. Memory: about 50 bytes a channel.
type Network struct {
	switches  []Switch
	endpoints []Host // hosts first, then management endpoints
	hosts     int    // how many of endpoints are hosts
	links     []Link
	vcs       int
	grid      *Grid
	portNames map[portAt]string // of ports that have one

	tail, head         []SwitchID  // by channel; NoSwitch at a host's end
	tailPort, headPort []Port      // by channel; 0 at a host's end
	portStart          []int32     // by switch, into portOut
	portOut            []ChannelID // by switch and port: the channel out of that port
	outStart           []int32     // by switch, into out
	out                []ChannelID // by switch: channels out of it by ascending port, ejection included
	outIndex           []int32     // by channel: its place in Out of its tail; 0 for injection channels
}

// NumSwitches returns the number of switches.
func (n *Network) NumSwitches() int { return len(n.switches) }

// NumHosts returns the number of hosts, management endpoints not counted.
func (n *Network) NumHosts() int { return n.hosts }

// NumEndpoints returns the number of hosts and management endpoints; those of
// number NumHosts() and above are management endpoints.
func (n *Network) NumEndpoints() int { return len(n.endpoints) }

// NumLinks returns the number of switch-to-switch cables.
func (n *Network) NumLinks() int { return len(n.links) }

// NumLinkChannels returns the number of switch-to-switch channels. They are
// the first channels: c is one of them iff c < NumLinkChannels().
func (n *Network) NumLinkChannels() int { return 2 * len(n.links) }

// NumChannels returns the number of channels of all kinds.
func (n *Network) NumChannels() int { return len(n.tail) }

// VCs returns the number of virtual channels of each channel.
func (n *Network) VCs() int { return n.vcs }

// WithVCs returns the same network with another number of virtual channels,
// 1 to MaxVCs, and no more than 2^30 in all.
func (n *Network) WithVCs(vcs int) *Network {
	if vcs < 1 || vcs > MaxVCs || n.NumChannels()*vcs > maxAllVCs {
		panic(fmt.Sprintf("model: %d virtual channels for each of %d channels", vcs, n.NumChannels()))
	}
	m := *n
	m.vcs = vcs
	return &m
}

// WithLMC returns the same network whose hosts have another LMC. Management
// endpoints keep theirs.
func (n *Network) WithLMC(lmc uint8) *Network {
	m := *n
	m.endpoints = slices.Clone(n.endpoints)
	for h := range m.endpoints[:m.hosts] {
		m.endpoints[h].LMC = lmc
	}
	return &m
}

// Grid returns where the switches are, nil if the network is no grid.
func (n *Network) Grid() *Grid { return n.grid }

// NumLinkVCs returns the number of switch-to-switch virtual channels, the
// vertices of a channel dependency graph; they are the first VCs.
func (n *Network) NumLinkVCs() int { return n.NumLinkChannels() * n.vcs }

// NumVCs returns the number of virtual channels of all kinds.
func (n *Network) NumVCs() int { return n.NumChannels() * n.vcs }

// Switch returns what is known of switch u.
func (n *Network) Switch(u SwitchID) *Switch { return &n.switches[u] }

// Host returns endpoint h.
func (n *Network) Host(h HostID) *Host { return &n.endpoints[h] }

// Link returns link l.
func (n *Network) Link(l LinkID) Link { return n.links[l] }

// Kind returns what channel c joins.
func (n *Network) Kind(c ChannelID) Kind {
	switch l := n.NumLinkChannels(); {
	case int(c) < l:
		return SwitchToSwitch
	case int(c) < l+len(n.endpoints):
		return Inject
	}
	return Eject
}

// Tail returns the switch that channel c leaves, NoSwitch for an injection channel.
func (n *Network) Tail(c ChannelID) SwitchID { return n.tail[c] }

// Head returns the switch that channel c enters, NoSwitch for an ejection channel.
func (n *Network) Head(c ChannelID) SwitchID { return n.head[c] }

// TailPort returns the port by which channel c leaves its switch.
func (n *Network) TailPort(c ChannelID) Port { return n.tailPort[c] }

// HeadPort returns the port by which channel c enters its switch.
func (n *Network) HeadPort(c ChannelID) Port { return n.headPort[c] }

// Heads returns the table behind Head, for loops over many channels. It must
// not be written to.
func (n *Network) Heads() []SwitchID { return n.head }

// Reverse returns the other direction of channel c's cable.
func (n *Network) Reverse(c ChannelID) ChannelID {
	switch n.Kind(c) {
	case Inject:
		return c + ChannelID(len(n.endpoints))
	case Eject:
		return c - ChannelID(len(n.endpoints))
	}
	return c ^ 1
}

// InjectChannel returns the channel by which endpoint h sends.
func (n *Network) InjectChannel(h HostID) ChannelID {
	return ChannelID(n.NumLinkChannels() + int(h))
}

// EjectChannel returns the channel by which endpoint h receives.
func (n *Network) EjectChannel(h HostID) ChannelID {
	return ChannelID(n.NumLinkChannels() + len(n.endpoints) + int(h))
}

// HostOf returns the endpoint at the host's end of channel c, NoHost for a
// switch-to-switch channel.
func (n *Network) HostOf(c ChannelID) HostID {
	switch n.Kind(c) {
	case Inject:
		return HostID(int(c) - n.NumLinkChannels())
	case Eject:
		return HostID(int(c) - n.NumLinkChannels() - len(n.endpoints))
	}
	return NoHost
}

// Out returns the channels out of switch u by ascending port, ejection
// channels included. It must not be written to.
func (n *Network) Out(u SwitchID) []ChannelID {
	return n.out[n.outStart[u]:n.outStart[u+1]]
}

// OutAt returns the channel that leaves switch u by port p, NoChannel where
// nothing is attached.
func (n *Network) OutAt(u SwitchID, p Port) ChannelID {
	at := n.portOut[n.portStart[u]:n.portStart[u+1]]
	if p < 0 || int(p) >= len(at) {
		return NoChannel
	}
	return at[p]
}

// OutIndex returns the place of channel c in Out(Tail(c)); tables by a
// switch's cables are indexed by it. c must not be an injection channel.
func (n *Network) OutIndex(c ChannelID) int { return int(n.outIndex[c]) }

// InIndex returns the place, in Out(Head(c)), of the cable by which channel c
// enters its switch. c must not be an ejection channel.
func (n *Network) InIndex(c ChannelID) int { return int(n.outIndex[n.Reverse(c)]) }

// VC returns virtual channel number i of channel c.
func (n *Network) VC(c ChannelID, i int) VCID { return VCID(int(c)*n.vcs + i) }

// Channel returns the channel and the index that VC v stands for.
func (n *Network) Channel(v VCID) (ChannelID, int) {
	return ChannelID(int(v) / n.vcs), int(v) % n.vcs
}

// IsInfiniBand reports whether the network is an InfiniBand fabric: its switches
// have GUIDs.
func (n *Network) IsInfiniBand() bool { return n.NumSwitches() > 0 && n.Switch(0).GUID != 0 }

// IsLinkVC reports whether v is a virtual channel between switches.
func (n *Network) IsLinkVC(v VCID) bool { return int(v) < n.NumLinkVCs() }

// SwitchName returns the name to print for switch u: its description, with
// the GUID where there is one, since descriptions need not be unique. Without
// either it is the coordinates, "(3,4)", or the number. What of a
// description cannot be printed is escaped (plain.Text).
func (n *Network) SwitchName(u SwitchID) string {
	s := &n.switches[u]
	switch {
	case s.Name == "" && s.GUID == 0 && n.grid != nil:
		c := fmt.Sprint(n.grid.Coords(u, nil))
		return "(" + strings.ReplaceAll(c[1:len(c)-1], " ", ",") + ")"
	case s.Name == "" && s.GUID == 0:
		return fmt.Sprint(int(u))
	case s.GUID == 0:
		return plain.Text(s.Name)
	}
	return fmt.Sprintf("%s(0x%016x)", plain.Text(s.Name), s.GUID)
}

// SwitchLabel returns the shortest name of switch u: its description, or its
// GUID or number where it has none.
func (n *Network) SwitchLabel(u SwitchID) string {
	if s := &n.switches[u]; s.Name != "" {
		return plain.Text(s.Name)
	}
	return n.SwitchName(u)
}

// HostLabel returns the name to print for endpoint h.
func (n *Network) HostLabel(h HostID) string {
	e := &n.endpoints[h]
	switch {
	case e.Management:
		return n.SwitchLabel(e.Switch) + " port 0"
	case e.Name == "" && e.PortGUID != 0:
		return fmt.Sprintf("0x%016x", e.PortGUID)
	case e.Name == "":
		return fmt.Sprintf("host %d", int(h))
	case e.NodePort > 1:
		return fmt.Sprintf("%s/P%d", plain.Text(e.Name), e.NodePort)
	}
	return plain.Text(e.Name)
}
