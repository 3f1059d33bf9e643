package model

import "strconv"

// portAt is a port of a switch.
type portAt struct {
	u SwitchID
	p Port
}

// NamePort names port p of switch u. Text shows the name instead of the port number.
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

// namePorts copies the port names of n. id gives the new number of each switch, or NoSwitch.
func (b *Builder) namePorts(n *Network, id []SwitchID) {
	for at, name := range n.portNames {
		if u := id[at.u]; u != NoSwitch {
			b.NamePort(u, at.p, name)
		}
	}
}
