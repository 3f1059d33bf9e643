package format

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// This file gives a network that is no InfiniBand fabric the addresses of one, so
// that forwarding tables can be written for it, and loaded by a subnet manager.

// MaxPorts is the largest port number of an InfiniBand switch.
const MaxPorts = 254

// Addressed returns the network as an InfiniBand fabric: with GUIDs, LIDs, and a
// management endpoint in each switch. One whose endpoints have all that is returned
// as it is. Else hosts get LIDs from 1 on, then switches; hosts, switches, links and
// channels between switches keep their numbers. GUIDs are those that the network
// is written with as ibnetdiscover output.
// It fails where some endpoints have LIDs and others have none, beyond 49,151 LIDs,
// and where a cable is at port 0, which is a switch itself, or beyond 254.
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
	case endpoints > MaxUnicastLID:
		return nil, fmt.Errorf("%d hosts and switches, there are %d LIDs", endpoints, MaxUnicastLID)
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
		s.GUID, s.LID = switchGUID(n, u), uint16(n.NumHosts()+int(u)+1)
		s.Ports = switchPorts(n, u)
		b.AddSwitch(s)
		b.AddHost(model.Host{Name: s.Name, Switch: u, NodeGUID: s.GUID, PortGUID: s.GUID, LID: s.LID, Management: true})
	}
	for h := range model.HostID(n.NumHosts()) {
		e := *n.Host(h)
		e.NodeGUID, e.PortGUID, e.NodePort = nodeGUID(n, h), portGUIDOf(n, h), nodePort(&e)
		e.LID, e.LMC = uint16(h)+1, 0
		b.AddHost(e)
	}
	for l := range model.LinkID(n.NumLinks()) {
		k := n.Link(l)
		b.AddLink(k.A, k.APort, k.B, k.BPort)
	}
	return b.Build()
}
