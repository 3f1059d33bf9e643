package config

import (
	"bytes"
	"fmt"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/vlan"
)

// This file writes the script of a Linux host.
//
// Sources: ip-link(8), VLAN type support; ip-route(8), ip-neighbour(8). Every interface has the
// host's own address. RoCE takes the source of a VLAN from the address of its interface (one
// GID table entry per interface and address), and a frame of any VLAN is for an address of its
// interface. Reverse path filtering is loose, because the reverse path can be in another VLAN.

// LinuxHost returns the commands that configure a Linux machine as host h of a set. They create
// an interface for each tagged VLAN that the host sends or receives in. For each destination
// they add a route and a neighbour in the VLAN to use. A host with an untagged port gets
// neighbours only.
func LinuxHost(s *vlan.Set, h model.HostID, o *Options) ([]byte, error) {
	p, err := newPlan(s, o)
	if err != nil {
		return nil, err
	}
	return p.linuxHost(h, o), nil
}

func (p *plan) linuxHost(h model.HostID, asked *Options) []byte {
	var b bytes.Buffer
	vlans := p.interfaces(h)
	p.header(&b, fmt.Sprintf("host %d, %s: %d VLANs", h, comment(p.net.HostLabel(h)), len(vlans)))
	fmt.Fprintf(&b, "set -eu\n\n")
	if len(vlans) == 0 {
		return append(b.Bytes(), "# This host neither sends nor receives frames.\n"...)
	}
	if asked == nil || asked.MAC == nil || len(asked.MAC[h]) == 0 {
		fmt.Fprintf(&b, "ip link set dev %s address %s\n", p.HostInterface, p.MAC[h])
	}
	fmt.Fprintf(&b, "dcb pfc set dev %s prio-pfc %s\n", p.HostInterface, p.lossless())
	fmt.Fprintf(&b, "ip link set dev %s up\n", p.HostInterface)
	tagged, untagged := p.split(h, vlans)
	for _, k := range tagged {
		p.hostInterface(&b, h, k)
	}
	switch given := asked != nil && asked.IP != nil && asked.IP[h].IsValid(); {
	case untagged && len(tagged) > 0:
		p.hostAddress(&b, h, p.HostInterface)
	case untagged && !given:
		fmt.Fprintf(&b, "ip address replace %s/8 dev %s\n", p.IP[h], p.HostInterface)
	}
	b.WriteString("\n")
	for d := range model.HostID(p.net.NumHosts()) {
		k := p.Use(h, d)
		if k == vlan.None || d == h {
			continue
		}
		name := p.hostName(h, k)
		if len(tagged) > 0 {
			fmt.Fprintf(&b, "ip route replace %s/32 dev %s src %s\n", p.IP[d], name, p.IP[h])
		}
		fmt.Fprintf(&b, "ip neigh replace %s lladdr %s dev %s nud permanent\n", p.IP[d], p.MAC[d], name)
	}
	return b.Bytes()
}

// split returns the VLANs in which the port of h is tagged, and whether there are others.
func (p *plan) split(h model.HostID, vlans []int) (tagged []int, untagged bool) {
	for _, k := range vlans {
		if p.Untagged(k, h) {
			untagged = true
		} else {
			tagged = append(tagged, k)
		}
	}
	return tagged, untagged
}

// hostName returns the name of the interface of h for VLAN k.
func (p *plan) hostName(h model.HostID, k int) string {
	if p.Untagged(k, h) {
		return p.HostInterface
	}
	return fmt.Sprintf("%s.%d", p.HostInterface, p.At(k).ID)
}

// hostInterface creates the interface of a tagged VLAN. All frames sent there have the priority
// of the VLAN, for every socket priority from 0 to 7.
func (p *plan) hostInterface(b *bytes.Buffer, h model.HostID, k int) {
	v, name := p.At(k), p.hostName(h, k)
	fmt.Fprintf(b, "\nip link add link %s name %s type vlan id %d", p.HostInterface, name, v.ID)
	if v.Priority != 0 {
		fmt.Fprintf(b, " egress-qos-map")
		for priority := range vlan.MaxPriority + 1 {
			fmt.Fprintf(b, " %d:%d", priority, v.Priority)
		}
		fmt.Fprintf(b, " ingress-qos-map %d:%d", v.Priority, v.Priority)
	}
	b.WriteString("\n")
	p.hostAddress(b, h, name)
	fmt.Fprintf(b, "ip link set dev %s up\n", name)
}

func (p *plan) hostAddress(b *bytes.Buffer, h model.HostID, name string) {
	fmt.Fprintf(b, "ip address replace %s/32 dev %s\n", p.IP[h], name)
	fmt.Fprintf(b, "echo 2 > /proc/sys/net/ipv4/conf/%s/rp_filter\n", name)
}
