package model

// Extended returns a copy of the network with more switches and hosts. Switches come after those of n, so a host may be at one of them; hosts
// come after the hosts of n, and before its management endpoints. It fails if a port of a host has a cable. Cost: that of building the network.
func (n *Network) Extended(switches []Switch, hosts []Host) (*Network, error) {
	b := NewBuilder()
	id := make([]SwitchID, n.NumSwitches())
	for u := range id {
		id[u] = b.AddSwitch(n.switches[u])
	}
	for _, s := range switches {
		b.AddSwitch(s)
	}
	for _, list := range [][]Host{n.endpoints[:n.hosts], hosts, n.endpoints[n.hosts:]} {
		for _, h := range list {
			b.AddHost(h)
		}
	}
	b.links = n.links
	b.namePorts(n, id)
	b.SetVCs(n.VCs())
	for name, values := range n.attributes {
		b.SetAttribute(name, append(values[:len(values):len(values)], make([]int32, len(switches))...))
	}
	if len(switches) == 0 {
		b.SetGrid(n.grid)
	}
	m, err := b.Build()
	if err != nil {
		return nil, err
	}
	m.flow = n.flow
	return m, nil
}
