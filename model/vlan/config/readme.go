package config

import (
	"fmt"
	"strings"
)

// This file writes README.txt, which describes the other files and the operator's tasks.

const readmeHosts = `
Hosts (host*.sh, Linux). Where the port is tagged, the script creates an interface for each
VLAN. Each interface has the host's own address, and all its frames have the priority of the
VLAN. For each destination there is a route and a permanent neighbour in the VLAN to use.
Where the port is only untagged, there are neighbours and no interfaces.
Not covered: which buffers of the adapter PFC pauses, the priority that RoCE uses on untagged
ports, IPv6, addresses and routes that the host already has.
`

const readmeLinux = `
Switches (switch*.sh, Linux bridge with or without switchdev). Run each script once, before a
bridge of that name exists. The scripts need iproute2 with dcb. They fail at "dcb pfc" if the
driver of a port has no DCB, because the port would lose frames. Spanning tree and learning
are off. Ports that no script names belong to no VLAN.
Not covered: sizes of buffers and headroom (devlink-sb(8), dcb-buffer(8)); the priority that
the driver takes from a tag (by default switches use the tag, unless "dcb app" changes it;
the software bridge has neither priorities nor PFC, and gives untagged frames priority 0).
`

const readmeSONiC = `
Switches (switch*.config_db.json): a part of config_db.json. Load it with "config load". Then,
and after each restart, run "docker exec swss swssconfig FILE" with switch*.swssconfig.json.
This file has the static addresses and turns learning and flooding off. As of August 2026
SONiC reads no table of CONFIG_DB for these settings. The table FDB is reserved for static
addresses; it is written for images that read it (sonic-swss pull request 4780).
Not covered, because it depends on the platform or on the existing configuration:
 - lanes, speed, FEC and MTU of ports (PORT), which YANG validation requires;
 - sizes of buffers (BUFFER_POOL, BUFFER_PROFILE, BUFFER_QUEUE). The static buffer model derives
   the groups pg_lossless_SPEED_CABLE_profile from PORT, CABLE_LENGTH and pfc_enable, if the table
   of the platform has the speed and cable. The dynamic model needs BUFFER_PG with profile NULL;
 - the number of lossless priorities that the platform supports, often two;
 - dscp_to_tc_map of a port or of the switch: remove it, because ports must use the tag;
 - pfcwd_sw_enable and PFC_WD: the watchdog drops frames of lossless priorities;
 - tables to remove: STP, STP_VLAN, STP_PORT, members of other VLANs, INTERFACE of
   these ports. Images without spanning tree report that they have no feature stp.
`

func (p *plan) readme(kind Kind) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "Configuration of %d switches and %d hosts for %d VLANs, written by turnproof.\n", p.net.NumSwitches(), p.net.NumHosts(), p.Len())
	fmt.Fprintf(&b, "Lossless priorities: %s.\n", strings.Trim(fmt.Sprint(p.Priorities()), "[]"))
	if p.placeholders {
		b.WriteString("Addresses that were not given are placeholders: MAC 02:00:00:h:h:h and IP 10.h.h.h, where h.h.h is the host's number plus 1.\n")
	}
	if p.Flood {
		b.WriteString("Flooding is on: broadcasts, multicasts and frames to unknown addresses do not follow the paths of the hosts' VLANs. " +
			"Verify the relation of flooded frames.\n")
	} else {
		b.WriteString("Flooding is off: switches drop broadcasts, multicasts and frames to unknown addresses. ARP and DHCP do not work.\n")
	}
	if kind == SONiC {
		b.WriteString(readmeSONiC)
	} else {
		b.WriteString(readmeLinux)
	}
	b.WriteString(readmeHosts)
	return []byte(b.String())
}
