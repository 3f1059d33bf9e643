package model

import "strconv"

// This file is names of ports: what people call the port that has a number.

// portAt is a port of a switch.
type portAt struct {
	u SwitchID
	p Port
}

// NamePort gives port p of switch u a name, which takes the place of the number in text.
func (b *Builder) NamePort(u SwitchID, p Port, name string) {
	if b.names == nil {
		b.names = map[portAt]string{}
	}
	b.names[portAt{u, p}] = name
}

// PortName returns the name of port p of switch u, or "" if the port has none.
func (n *Network) PortName(u SwitchID, p Port) string { return n.portNames[portAt{u, p}] }

// PortLabel returns the name of port p of switch u, or the number if the port has no name.
func (n *Network) PortLabel(u SwitchID, p Port) string {
	if name := n.PortName(u, p); name != "" {
		return name
	}
	return strconv.Itoa(int(p))
}

// namePorts names the ports of a network without some switches; id has the new numbers.
func (b *Builder) namePorts(n *Network, id []SwitchID) {
	for at, name := range n.portNames {
		if u := id[at.u]; u != NoSwitch {
			b.NamePort(u, at.p, name)
		}
	}
}
