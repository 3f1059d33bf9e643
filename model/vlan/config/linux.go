package config

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/vlan"
)

// This file writes the script of a switch that is a VLAN-aware Linux bridge.
//
// Sources: bridge(8) for "bridge link", "vlan" and "fdb"; ip-link(8), bridge type support;
// dcb-pfc(8), dcb-app(8). A VLAN-aware bridge drops frames of a VLAN that the port is not a
// member of (802.1Q-2018, 8.6.2), and untagged frames if there is no PVID. It sends no frame
// back through its arrival port, because hairpin is off by default.

// LinuxSwitch returns the commands that configure a Linux machine as switch u of a set. The
// ports must exist, and the bridge must not.
func LinuxSwitch(s *vlan.Set, u model.SwitchID, o *Options) ([]byte, error) {
	p, err := newPlan(s, o)
	if err != nil {
		return nil, err
	}
	return p.linuxSwitch(u), nil
}

func (p *plan) linuxSwitch(u model.SwitchID) []byte {
	var b bytes.Buffer
	ports, entries := p.ports(u), p.entries[u]
	p.header(&b, fmt.Sprintf("switch %d, %s: %d ports, %d static entries", u, comment(p.net.SwitchName(u)), len(ports), len(entries)))
	if p.Flood {
		b.WriteString("# Flooding is on: broadcasts, multicasts and frames to unknown addresses do not follow\n" +
			"# the paths of the hosts' VLANs. Verify the relation of flooded frames.\n")
	}
	fmt.Fprintf(&b, "set -eu\n\n")
	fmt.Fprintf(&b, "ip link add name %s type bridge stp_state 0 vlan_filtering 1 vlan_default_pvid 0 mcast_snooping 0\n", p.Bridge)
	for _, at := range ports {
		p.linuxPortCommands(&b, &at)
	}
	b.WriteString("\n")
	for _, e := range entries {
		fmt.Fprintf(&b, "bridge fdb replace %s dev %s master static vlan %d\n", p.MAC[e.host], p.linuxPort(e.port), p.At(e.vlan).ID)
	}
	if len(entries) > 0 {
		b.WriteString("\n")
	}
	for _, at := range ports {
		fmt.Fprintf(&b, "ip link set dev %s up\n", p.linuxPort(at.number))
	}
	fmt.Fprintf(&b, "ip link set dev %s up\n", p.Bridge)
	return b.Bytes()
}

// linuxPortCommands adds a port to the bridge. The port stays down until its address entries
// are set.
func (p *plan) linuxPortCommands(b *bytes.Buffer, at *port) {
	name, flood := p.linuxPort(at.number), onOff(p.Flood)
	fmt.Fprintf(b, "\n# port %d, to %s\n", at.number, p.peer(at))
	fmt.Fprintf(b, "ip link set dev %s master %s\n", name, p.Bridge)
	fmt.Fprintf(b, "bridge link set dev %s learning off flood %s mcast_flood %s bcast_flood %s\n", name, flood, flood, flood)
	for _, m := range at.members {
		flags := ""
		if m.vlan == at.pvid {
			flags += " pvid"
		}
		if m.untagged {
			flags += " untagged"
		}
		fmt.Fprintf(b, "bridge vlan add vid %d dev %s%s\n", p.At(m.vlan).ID, name, flags)
	}
	fmt.Fprintf(b, "dcb pfc set dev %s prio-pfc %s\n", name, p.lossless())
	if at.pvid != vlan.None && p.At(at.pvid).Priority != 0 {
		fmt.Fprintf(b, "dcb app replace dev %s default-prio %d\n", name, p.At(at.pvid).Priority)
	}
}

// peer returns the name of the switch or host at the other end of a port.
func (p *plan) peer(at *port) string {
	if at.host != model.NoHost {
		return fmt.Sprintf("host %d, %s", at.host, comment(p.net.HostLabel(at.host)))
	}
	return fmt.Sprintf("switch %d, %s", at.to, comment(p.net.SwitchName(at.to)))
}

// lossless returns the PFC map: PFC is on for the priorities in use and off for others.
func (p *plan) lossless() string {
	parts := []string{"all:off"}
	for _, priority := range p.Priorities() {
		parts = append(parts, fmt.Sprintf("%d:on", priority))
	}
	return strings.Join(parts, " ")
}

// header writes the first lines of a script.
func (p *plan) header(b *bytes.Buffer, title string) {
	fmt.Fprintf(b, "#!/bin/sh\n# %s; written by turnproof\n", title)
	if p.placeholders {
		b.WriteString("# Addresses that were not given are placeholders: MAC 02:00:00:h:h:h and IP 10.h.h.h,\n# where h.h.h is the host's number plus 1.\n")
	}
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}
