package infiniband

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
)

// This file gives addresses to a network that is not an InfiniBand fabric. Then forwarding tables
// can be written for it, and a subnet manager can load them.

// MaxPorts is the largest port number of an InfiniBand switch.
const MaxPorts = 254

// Addressed returns the network as an InfiniBand fabric: with GUIDs, LIDs, and a management
// endpoint in each switch. If all endpoints already have these, it returns n itself. Otherwise
// hosts get LIDs from 1 on, then switches. Hosts, switches, links and channels between switches
// keep their numbers. GUIDs are the same as in the network's ibnetdiscover output. It fails if
// only some endpoints have LIDs, if more than 49,151 LIDs are needed, and if a cable is at port 0,
// which is the switch itself, or at a port above 254.
func Addressed(n *model.Network) (*model.Network, error) {
	with := 0
	for h := range model.HostID(n.NumEndpoints()) {
		if n.Host(h).LID != 0 {
			with++
		}
	}
	endpoints := n.NumHosts() + n.NumSwitches()
	switch {
	case with == endpoints && n.NumEndpoints() == endpoints:
		return n, nil
	case with > 0:
		return nil, fmt.Errorf("%d of %d hosts and switches have a LID: all or none were expected", with, endpoints)
	case endpoints > format.MaxUnicastLID:
		return nil, fmt.Errorf("%d hosts and switches, there are %d LIDs", endpoints, format.MaxUnicastLID)
	}
	b := model.NewBuilder()
	b.SetVCs(n.VCs())
	b.SetGrid(n.Grid())
	for u := range model.SwitchID(n.NumSwitches()) {
		for _, c := range n.Out(u) {
			if p := n.TailPort(c); p < 1 || p > MaxPorts {
				return nil, fmt.Errorf("a cable is at port %d of switch %s; InfiniBand has ports 1 to %d", p, n.SwitchName(u), MaxPorts)
			}
		}
		s := *n.Switch(u)
		s.GUID, s.LID = SwitchGUID(n, u), uint16(n.NumHosts()+int(u)+1)
		s.Ports = switchPorts(n, u)
		b.AddSwitch(s)
		b.AddHost(model.Host{Name: s.Name, Switch: u, NodeGUID: s.GUID, PortGUID: s.GUID, LID: s.LID, Management: true})
	}
	for h := range model.HostID(n.NumHosts()) {
		e := *n.Host(h)
		e.NodeGUID, e.PortGUID, e.NodePort = NodeGUID(n, h), PortGUIDOf(n, h), nodePort(&e)
		e.LID, e.LMC = uint16(h)+1, 0
		b.AddHost(e)
	}
	for l := range model.LinkID(n.NumLinks()) {
		k := n.Link(l)
		b.AddLink(k.A, k.APort, k.B, k.BPort)
	}
	return b.Build()
}
