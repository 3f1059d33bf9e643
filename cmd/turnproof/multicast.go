package main

import (
	"fmt"
	"strings"

	"turnproof/cdg"
	"turnproof/model"
	"turnproof/verify"
)

// This file names multicast packets in the output of commands.

// destinationText names what packet p goes to: a host, or a multicast group by its LID.
func destinationText(r model.Relation, p *cdg.Packet) string {
	if p.Group > 0 {
		return fmt.Sprintf("multicast group 0x%04x", p.MLID)
	}
	return r.Network().HostLabel(r.DestinationHost(p.Dest))
}

// destinationOf returns the host that packet p goes to, or model.NoHost for a multicast packet.
func destinationOf(r model.Relation, p *cdg.Packet) model.HostID {
	if p.Group > 0 {
		return model.NoHost
	}
	return r.DestinationHost(p.Dest)
}

// copiesText names the entry of a cycle's multicast packet at the switch where it waits. It is
// empty for a unicast packet.
func copiesText(rep *verify.Report, p *cdg.Packet) string {
	if p.Group == 0 {
		return ""
	}
	n := rep.Relation.Network()
	u := n.Head(channelOf(n, p.Path[len(p.Path)-2].VC))
	var ports []string
	for _, port := range rep.Multicast.Groups[p.Group-1].Entry(u) {
		ports = append(ports, fmt.Sprint(port))
	}
	return fmt.Sprintf(", a copy by each of the ports %s of %s but the one it came by", strings.Join(ports, ", "), n.SwitchName(u))
}
