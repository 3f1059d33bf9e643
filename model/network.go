package model

import (
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/internal/plain"
)

// IDs are dense: the switches of a network are 0..NumSwitches()-1, and so on. A table by switch
// or by channel is therefore a slice.
type (
	// SwitchID numbers the switches of a network.
	SwitchID int32
	// HostID numbers the hosts of a network, followed by its management endpoints.
	HostID int32
	// LinkID numbers the switch-to-switch cables of a network.
	LinkID int32
	// ChannelID numbers the directions of cables: first both directions of each link (2l and
	// 2l+1), then the injection channels in host order, then the ejection channels in host
	// order.
	ChannelID int32
	// VCID numbers virtual channels: channel*VCs() + index.
	VCID int32
	// Port is a port number at a switch. InfiniBand counts from 1 and keeps
	// port 0 for the switch itself.
	Port int32
)

// The values that mean "no switch", "no host" and so on.
const (
	NoSwitch  SwitchID  = -1
	NoHost    HostID    = -1
	NoChannel ChannelID = -1
	NoVC      VCID      = -1
)

// Switch describes a switch: its name and its InfiniBand addresses.
type Switch struct {
	Name  string // description, for people; need not be unique
	GUID  uint64 // 0 if unknown
	Ports int    // external ports are 1..Ports; if 0, all ports in use
	LID   uint16 // of port 0; 0 if unknown
	LMC   uint8
}

// Host is an endpoint: one port of a channel adapter, attached to one port of
// one switch. An adapter with two cables is two hosts.
type Host struct {
	Name     string
	Switch   SwitchID
	Port     Port   // of the switch
	NodeGUID uint64 // 0 if unknown
	PortGUID uint64
	NodePort int    // number of the adapter's port, from 1
	LID      uint16 // the host answers to LID .. LID + 2^LMC - 1; 0 if unknown
	LMC      uint8
	// Management is set for the endpoint inside a switch (InfiniBand: port 0). A management
	// endpoint sends and receives management traffic only and is not counted as a host.
	Management bool
}

// Link is a cable between two switches.
type Link struct {
	A     SwitchID
	APort Port
	B     SwitchID
	BPort Port
}

// Kind says which two things a channel connects.
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

// Network is a set of switches and hosts connected by links. It is immutable; use Builder to
// make one. Memory: about 50 bytes per channel.
type Network struct {
	switches  []Switch
	endpoints []Host // hosts first, then management endpoints
	hosts     int    // how many of endpoints are hosts
	links     []Link
	vcs       int
	grid      *Grid
	portNames map[portAt]string // of the ports that have a name
	images    [][]SwitchID      // see Symmetries
	oneWay    map[LinkID]bool   // links of one direction, or nil

	attributes map[string][]int32  // by name, then by switch
	channels   []ChannelAttributes // by channel; nil if no channel has attributes
	flow       *FlowControl        // nil if the network states none

	tail, head         []SwitchID  // by channel; NoSwitch at the end of a host
	tailPort, headPort []Port      // by channel; 0 at the end of a host
	portStart          []int32     // by switch, into portOut
	portOut            []ChannelID // by switch and port: the channel out of that port
	outStart           []int32     // by switch, into out
	out                []ChannelID // by switch: channels out of it by ascending port, ejection included
	outIndex           []int32     // by channel: its index in Out of its tail; 0 for injection channels
}

// NumSwitches returns the number of switches.
func (n *Network) NumSwitches() int { return len(n.switches) }

// NumHosts returns the number of hosts without management endpoints.
func (n *Network) NumHosts() int { return n.hosts }

// NumEndpoints returns the number of hosts and management endpoints. Endpoints from NumHosts()
// on are management endpoints.
func (n *Network) NumEndpoints() int { return len(n.endpoints) }

// NumLinks returns the number of switch-to-switch cables.
func (n *Network) NumLinks() int { return len(n.links) }

// NumLinkChannels returns the number of switch-to-switch channels. Channel c is
// switch-to-switch if and only if c < NumLinkChannels().
func (n *Network) NumLinkChannels() int { return 2 * len(n.links) }

// NumChannels returns the number of channels of all kinds.
func (n *Network) NumChannels() int { return len(n.tail) }

// VCs returns the number of virtual channels of each channel.
func (n *Network) VCs() int { return n.vcs }

// WithVCs returns a copy of the network with the given number of virtual channels per channel.
// It panics if vcs is not in 1..MaxVCs or the network would have more than 2^30 VCs.
func (n *Network) WithVCs(vcs int) *Network {
	if vcs < 1 || vcs > MaxVCs || n.NumChannels()*vcs > maxAllVCs {
		panic(fmt.Sprintf("model: %d virtual channels for each of %d channels", vcs, n.NumChannels()))
	}
	m := *n
	m.vcs = vcs
	return &m
}

// WithLMC returns a copy of the network in which all hosts have the given LMC. Management
// endpoints keep their LMC.
func (n *Network) WithLMC(lmc uint8) *Network {
	m := *n
	m.endpoints = slices.Clone(n.endpoints)
	for h := range m.endpoints[:m.hosts] {
		m.endpoints[h].LMC = lmc
	}
	return &m
}

// Grid returns the coordinates of the switches, or nil if the network is not a grid.
func (n *Network) Grid() *Grid { return n.grid }

// Symmetries returns automorphisms that generate a group: of the permutations that a grid without holes or the maker of
// the network (Builder.SetSymmetries) suggests, those that are automorphisms. The network can have others.
func (n *Network) Symmetries() []*Automorphism {
	images := n.images
	if n.grid != nil && n.grid.Place == nil {
		images = append(n.grid.symmetries(n.NumSwitches()), images...)
	}
	var list []*Automorphism
	for _, image := range images {
		if a := n.Automorphism(image); a != nil {
			list = append(list, a)
		}
	}
	return list
}

// NumLinkVCs returns the number of switch-to-switch virtual channels, which are the vertices of
// a channel dependency graph. VC v is switch-to-switch if and only if v < NumLinkVCs().
func (n *Network) NumLinkVCs() int { return n.NumLinkChannels() * n.vcs }

// NumVCs returns the number of virtual channels of all kinds.
func (n *Network) NumVCs() int { return n.NumChannels() * n.vcs }

// Switch returns the description of switch u. The caller must not change it.
func (n *Network) Switch(u SwitchID) *Switch { return &n.switches[u] }

// Host returns the description of endpoint h. The caller must not change it.
func (n *Network) Host(h HostID) *Host { return &n.endpoints[h] }

// Link returns link l.
func (n *Network) Link(l LinkID) Link { return n.links[l] }

// A link of one direction has two channels like every link, since channels 2l and 2l+1 belong to link l. One of them is absent: no packet
// may take it. Routings either leave absent channels out, or UsesAbsent finds them.

// Absent reports whether channel c does not exist, because its link has only the other direction.
func (n *Network) Absent(c ChannelID) bool {
	return n.oneWay != nil && c&1 == 1 && int(c) < n.NumLinkChannels() && n.oneWay[LinkID(c/2)]
}

// IsOneWay reports whether link l has only the direction from its end A to its end B.
func (n *Network) IsOneWay(l LinkID) bool { return n.oneWay[l] }

// OneWayLinks returns the number of links of one direction.
func (n *Network) OneWayLinks() int { return len(n.oneWay) }

// Kind returns the kind of channel c.
func (n *Network) Kind(c ChannelID) Kind {
	switch l := n.NumLinkChannels(); {
	case int(c) < l:
		return SwitchToSwitch
	case int(c) < l+len(n.endpoints):
		return Inject
	}
	return Eject
}

// Tail returns the switch that channel c leaves, or NoSwitch for an injection channel.
func (n *Network) Tail(c ChannelID) SwitchID { return n.tail[c] }

// Head returns the switch that channel c enters, or NoSwitch for an ejection channel.
func (n *Network) Head(c ChannelID) SwitchID { return n.head[c] }

// TailPort returns the port through which channel c leaves its switch.
func (n *Network) TailPort(c ChannelID) Port { return n.tailPort[c] }

// HeadPort returns the port through which channel c enters its switch.
func (n *Network) HeadPort(c ChannelID) Port { return n.headPort[c] }

// Heads returns a slice with Head of every channel, for loops over many channels. The caller
// must not change it.
func (n *Network) Heads() []SwitchID { return n.head }

// Reverse returns the channel of the same cable in the other direction.
func (n *Network) Reverse(c ChannelID) ChannelID {
	switch n.Kind(c) {
	case Inject:
		return c + ChannelID(len(n.endpoints))
	case Eject:
		return c - ChannelID(len(n.endpoints))
	}
	return c ^ 1
}

// InjectChannel returns the channel on which endpoint h sends.
func (n *Network) InjectChannel(h HostID) ChannelID {
	return ChannelID(n.NumLinkChannels() + int(h))
}

// EjectChannel returns the channel on which endpoint h receives.
func (n *Network) EjectChannel(h HostID) ChannelID {
	return ChannelID(n.NumLinkChannels() + len(n.endpoints) + int(h))
}

// HostOf returns the endpoint that channel c starts or ends at, or NoHost for a
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

// Out returns the channels out of switch u by ascending port, including ejection channels. The
// caller must not change the slice.
func (n *Network) Out(u SwitchID) []ChannelID {
	return n.out[n.outStart[u]:n.outStart[u+1]]
}

// OutAt returns the channel that leaves switch u through port p, or NoChannel if the port has
// no cable.
func (n *Network) OutAt(u SwitchID, p Port) ChannelID {
	at := n.portOut[n.portStart[u]:n.portStart[u+1]]
	if p < 0 || int(p) >= len(at) {
		return NoChannel
	}
	return at[p]
}

// OutIndex returns the index of channel c in Out(Tail(c)). It serves as index of tables by the
// cables of a switch. c must not be an injection channel.
func (n *Network) OutIndex(c ChannelID) int { return int(n.outIndex[c]) }

// InIndex returns the index in Out(Head(c)) of the reverse of channel c. c must not be an
// ejection channel.
func (n *Network) InIndex(c ChannelID) int { return int(n.outIndex[n.Reverse(c)]) }

// VC returns virtual channel number i of channel c.
func (n *Network) VC(c ChannelID, i int) VCID { return VCID(int(c)*n.vcs + i) }

// Channel returns the channel of VC v and the index of v among the VCs of this channel.
func (n *Network) Channel(v VCID) (ChannelID, int) {
	return ChannelID(int(v) / n.vcs), int(v) % n.vcs
}

// IsInfiniBand reports whether the network is an InfiniBand fabric, that is, whether its first
// switch has a GUID.
func (n *Network) IsInfiniBand() bool { return n.NumSwitches() > 0 && n.Switch(0).GUID != 0 }

// IsLinkVC reports whether v is a virtual channel between switches.
func (n *Network) IsLinkVC(v VCID) bool { return int(v) < n.NumLinkVCs() }

// SwitchName returns the name to print for switch u: its description followed by its GUID,
// because descriptions need not be unique. A switch with neither is named by its coordinates,
// "(3,4)", or by its number. Unprintable characters are escaped (see plain.Text).
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

// SwitchLabel returns the shortest name of switch u: its description, or SwitchName if it has
// none.
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
