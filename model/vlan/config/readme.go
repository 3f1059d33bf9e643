package config

import (
	"fmt"
	"strings"
)

// This file writes README.txt, which describes the other files and the operator's tasks.

const readmeHosts = `
Hosts (host*.sh, Linux): VLAN interfaces where the port is tagged, each with the host's own
address, all of whose frames have the VLAN's priority; for each destination a route and a
permanent neighbour in the VLAN to use. Where the port is untagged only, neighbours.
Not covered: which buffers the adapter pauses, RoCE's choice of a priority on untagged ports,
IPv6, addresses and routes that the host has already.
`

const readmeLinux = `
Switches (switch*.sh, Linux bridge with switchdev or not): run each once, with no bridge of
that name yet. Needs iproute2 with dcb; ports whose driver has no DCB fail at "dcb pfc", since
they would lose frames. Spanning tree is off and nothing is learned. Ports that are named in
no script belong to no VLAN.
Not covered: sizes of buffers and headroom (devlink-sb(8), dcb-buffer(8)); which priority the
driver takes from a tag (switches trust the tag by default where "dcb app" sets nothing else;
the software bridge has neither priorities nor PFC, and marks frames without a tag 0).
`

const readmeSONiC = `
Switches (switch*.config_db.json): a part of config_db.json, for "config load". Then, and after
each restart, "docker exec swss swssconfig FILE" with switch*.swssconfig.json: static addresses,
learning off and flooding off. These have no table in CONFIG_DB that SONiC reads as of August
2026; FDB is the table reserved for addresses, written for images that read it
(sonic-swss pull request 4780).
Not covered, as it depends on the platform or on what the switch has already:
 - lanes, speed, FEC and MTU of ports (PORT), which YANG validation asks for;
 - sizes of buffers (BUFFER_POOL, BUFFER_PROFILE, BUFFER_QUEUE). The static buffer model makes
   the groups pg_lossless_SPEED_CABLE_profile from PORT, CABLE_LENGTH and pfc_enable, if the platform's
   table knows speed and cable; the dynamic model wants BUFFER_PG with the profile NULL;
 - how many lossless priorities the platform has room for: often two;
 - a dscp_to_tc_map, of a port or global, that is to go: ports shall trust the tag;
 - pfcwd_sw_enable and PFC_WD: the watchdog drops frames of lossless priorities;
 - tables that are to go: STP, STP_VLAN, STP_PORT, members of other VLANs, INTERFACE of
   these ports. Images without spanning tree have no feature stp, and say so.
`

func (p *plan) readme(kind Kind) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "Configuration of %d switches and %d hosts for %d VLANs, written by turnproof.\n", p.net.NumSwitches(), p.net.NumHosts(), p.Len())
	fmt.Fprintf(&b, "Lossless priorities: %s.\n", strings.Trim(fmt.Sprint(p.Priorities()), "[]"))
	if p.placeholders {
		b.WriteString("Addresses that were not given are placeholders: MAC 02:00:00:h:h:h and IP 10.h.h.h of the host's number plus one.\n")
	}
	if p.Flood {
		b.WriteString("Flooding is on: frames to many or to unknown addresses take other ways than those of the hosts' VLANs; what has to hold is the relation of flooded frames.\n")
	} else {
		b.WriteString("Flooding is off: frames to many or to unknown addresses go nowhere, so ARP and DHCP do not work here.\n")
	}
	if kind == SONiC {
		b.WriteString(readmeSONiC)
	} else {
		b.WriteString(readmeLinux)
	}
	b.WriteString(readmeHosts)
	return []byte(b.String())
}
