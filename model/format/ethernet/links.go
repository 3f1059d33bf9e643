package ethernet

import (
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model/format/ethernet/dumps"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file finds the cables between switches: by LLDP, and by subnets that two switches share.

// end is an interface of a switch.
type end struct {
	sw   int
	port string
}

// at is an interface in a subnet, with its address if a dump states it.
type at struct {
	end
	addr netip.Addr // invalid if unknown
	file string
}

// cabling is the switches of a folder with their cables.
type cabling struct {
	switches []*dumps.Switch
	index    map[string]int   // by name in lower case
	peer     map[end]end      // of each port with a cable to a switch of the folder
	source   map[end]string   // the file that states the cable
	beyond   map[end]string   // by port: a switch or router that is not in the folder, by LLDP
	hosts    map[end]bool     // ports whose neighbour says by LLDP that it is a host
	members  map[end][]string // by port channel: its ports
	owners   map[netip.Addr][]at
	subnets  map[netip.Prefix][]at
	vias     map[netip.Addr]bool // the addresses of all next hops
}

// newCabling indexes the switches. It fails if the dumps of a switch contradict each other.
func newCabling(list []*dumps.Switch) (*cabling, error) {
	c := &cabling{switches: list, index: map[string]int{}, peer: map[end]end{}, source: map[end]string{}, beyond: map[end]string{},
		hosts: map[end]bool{}, members: map[end][]string{}, owners: map[netip.Addr][]at{}, subnets: map[netip.Prefix][]at{}, vias: map[netip.Addr]bool{}}
	for i, sw := range list {
		c.index[strings.ToLower(sw.Name)] = i
	}
	for i, sw := range list {
		c.addAddresses(i, sw)
		if err := c.addConnected(i, sw); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// addAddresses adds the addresses of a switch and the members of its port channels.
func (c *cabling) addAddresses(i int, sw *dumps.Switch) {
	for _, name := range sortedKeys(sw.Interfaces) {
		x := sw.Interfaces[name]
		if x.Master != "" && sw.Interfaces[x.Master] != nil {
			c.members[end{i, x.Master}] = append(c.members[end{i, x.Master}], name)
		}
		for _, p := range x.Addresses {
			a := at{end{i, name}, p.Addr(), sw.Addresses}
			c.owners[p.Addr()] = append(c.owners[p.Addr()], a)
			if !isLoopback(name) && !x.Down && p.Addr().Is4() {
				c.subnets[p.Masked()] = append(c.subnets[p.Masked()], a)
			}
		}
	}
}

// addConnected adds the prefixes that the routes say a switch is connected to, and the addresses of next hops.
func (c *cabling) addConnected(i int, sw *dumps.Switch) error {
	for _, t := range sw.Tables {
		for _, set := range t.Sets {
			for _, h := range set {
				if h.Via.IsValid() {
					c.vias[h.Via] = true
				}
			}
		}
		for _, e := range t.Entries {
			for _, h := range t.Sets[e.Set] {
				if isConnected(h) && isLoopback(h.Dev) && e.Key.Bits == 32 {
					a := e.Key.Prefix().Addr()
					c.owners[a] = append(c.owners[a], at{end{i, h.Dev}, a, t.File})
				}
				if !isConnected(h) || isLoopback(h.Dev) {
					continue
				}
				here, p := end{i, h.Dev}, e.Key.Prefix()
				if slices.ContainsFunc(c.subnets[p], func(a at) bool { return a.end == here }) {
					continue
				}
				if sw.Interfaces != nil && isForTwo(p) {
					return &textfile.Error{File: t.File, Msg: fmt.Sprintf("%s is connected at %s, which has no address of it in %s; "+
						"is this the dump of another switch?",
						p, h.Dev, sw.Addresses)}
				}
				c.subnets[p] = append(c.subnets[p], at{end: here, file: t.File})
			}
		}
	}
	return nil
}

// isForTwo reports whether a subnet has room for two addresses.
func isForTwo(p netip.Prefix) bool { return p.Bits() == 30 || p.Bits() == 31 }

// isConnected reports whether the destination of a route is at the interface itself.
func isConnected(h dumps.NextHop) bool {
	return !h.Via.IsValid() && h.Dev != "" && !h.Drop && h.Problem == ""
}

func isLoopback(dev string) bool { return loopbackName.MatchString(dev) }

var loopbackName = regexp.MustCompile(`(?i)^(lo(\d+(\.\d+)?)?|loopback.*)$`)

// managementName matches interfaces for management in the devices of all vendors.
var managementName = regexp.MustCompile(`(?i)^(eth0|mgmt\d*|ma\d+|management.*|fxp0|em0|me0|oob.*|docker.*)$`)

// isManagement reports whether an interface is for management: it has such a name, and no cable to a switch of the folder.
func (c *cabling) isManagement(e end) bool {
	_, cabled := c.peer[e]
	return managementName.MatchString(e.port) && !cabled
}

// ports returns the ports that carry the packets of an interface: the members of a port channel, the port of a subinterface, or itself.
func (c *cabling) ports(e end) []end {
	port := e.port
	if base, _, ok := strings.Cut(port, "."); ok {
		port = base
	}
	var list []end
	for _, m := range c.members[end{e.sw, port}] {
		list = append(list, end{e.sw, m})
	}
	if list == nil || isVirtual(port) {
		return []end{{e.sw, port}}
	}
	return list
}

// virtualName matches interfaces behind which several ports may be: VLANs and bridges.
var virtualName = regexp.MustCompile(`(?i)^(vlan|br|irb|bvi|vxlan|vni|svi)`)

func isVirtual(port string) bool { return virtualName.MatchString(port) }

// find finds all cables. It fails if dumps contradict each other.
func (c *cabling) find() error {
	c.addMembers()
	if err := c.byLLDP(); err != nil {
		return err
	}
	return c.bySubnet()
}

// byLLDP adds the cables that LLDP states.
func (c *cabling) byLLDP() error {
	chassis := map[string][2]string{} // by name of a neighbour: its identifier, and the file
	for i, sw := range c.switches {
		for _, n := range sw.Neighbors {
			here := end{i, n.Port}
			j, err := c.named(sw, n)
			switch {
			case err != nil:
				return err
			case j < 0 && n.Forwards:
				c.beyond[here] = n.Switch
				continue
			case j < 0:
				c.hosts[here] = c.hosts[here] || n.IsHost
				continue
			case j == i: // a cable between two ports of the switch
				continue
			}
			name := c.switches[j].Name
			if known, ok := chassis[name]; ok && n.Chassis != "" && known[0] != n.Chassis {
				return &textfile.Error{File: sw.LLDP, Msg: fmt.Sprintf("%s is chassis %s at %s, and chassis %s in %s; want one switch of each name",
					n.Switch, n.Chassis, n.Port, known[0], known[1])}
			}
			if n.Chassis != "" {
				chassis[name] = [2]string{n.Chassis, sw.LLDP}
			}
			port, err := c.portOf(sw, j, n)
			if err == nil {
				err = c.join(here, end{j, port}, sw.LLDP)
			}
			if err != nil {
				return err
			}
		}
	}
	return c.lldpBothWays()
}

// lldpBothWays fails if one switch sees another one, which has neighbours by LLDP and not this one at the port.
func (c *cabling) lldpBothWays() error {
	seen := map[end]bool{}
	for i, sw := range c.switches {
		for _, n := range sw.Neighbors {
			seen[end{i, n.Port}] = true
		}
	}
	for i, sw := range c.switches {
		for _, n := range sw.Neighbors {
			there, ok := c.peer[end{i, n.Port}]
			if other := c.switches[max(there.sw, 0)]; ok && other.LLDP != "" && !seen[there] {
				return &textfile.Error{File: other.LLDP, Msg: fmt.Sprintf("no neighbour at %s, where %s has %s at %s; were both dumped at the same time?",
					there.port, sw.LLDP, sw.Name, n.Port)}
			}
		}
	}
	return nil
}

// named returns the switch of the folder that a neighbour is, or -1. A name may lack the domain, or have one.
func (c *cabling) named(sw *dumps.Switch, n dumps.Neighbor) (int, error) {
	name := strings.ToLower(n.Switch)
	if i, ok := c.index[name]; ok {
		return i, nil
	}
	short, _, _ := strings.Cut(name, ".")
	var fits []int
	for i, other := range c.switches {
		full := strings.ToLower(other.Name)
		host, _, hasDomain := strings.Cut(full, ".")
		if full == short || hasDomain && host == name {
			fits = append(fits, i)
		}
	}
	switch len(fits) {
	case 0:
		return -1, nil
	case 1:
		return fits[0], nil
	}
	return -1, &textfile.Error{File: sw.LLDP, Msg: fmt.Sprintf("neighbour %s at %s may be %s or %s; want different names", n.Switch, n.Port,
		c.switches[fits[0]].Name, c.switches[fits[1]].Name)}
}

// portOf returns the port of switch j that a neighbour entry of sw names: by interface name, by MAC address, or by description.
func (c *cabling) portOf(sw *dumps.Switch, j int, n dumps.Neighbor) (string, error) {
	other := c.switches[j]
	switch {
	case n.IDType == "mac":
		mac := strings.ToLower(n.ID)
		if x := other.Interfaces[n.Description]; x != nil {
			if x.MAC != mac && x.Master == "" {
				return "", &textfile.Error{File: other.Addresses, Msg: fmt.Sprintf("%s has MAC address %s, and %s by %s; is this the dump of another switch?",
					n.Description, x.MAC, mac, sw.LLDP)}
			}
			return n.Description, nil
		}
		for _, name := range sortedKeys(other.Interfaces) {
			if other.Interfaces[name].MAC == mac {
				return name, nil
			}
		}
		if other.Interfaces == nil && n.Description != "" {
			return n.Description, nil
		}
	case n.IDType == "ifname" || n.IDType == "":
		if other.Interfaces == nil || other.Interfaces[n.ID] != nil || other.Interfaces[n.Description] == nil {
			if other.Interfaces != nil && other.Interfaces[n.ID] == nil {
				break
			}
			return n.ID, nil
		}
		return n.Description, nil
	default: // local, or an alias
		if port := other.Aliases[n.ID]; port != "" {
			return port, nil
		}
		if port := c.backwards(sw, j, n); port != "" {
			return port, nil
		}
		for _, name := range []string{n.Description, n.ID} {
			if name != "" && hasPort(other, name) {
				return name, nil
			}
		}
		if port := c.acrossSubnet(sw, j, n); port != "" {
			return port, nil
		}
	}
	return "", &textfile.Error{File: sw.LLDP, Msg: fmt.Sprintf("port %s (%s) of %s, the neighbour at %s, is no interface of %s", n.ID, n.Description, n.Switch,
		n.Port, other.Addresses)}
}

// hasPort reports whether dumps of a switch name a port.
func hasPort(sw *dumps.Switch, name string) bool {
	if sw.Interfaces != nil {
		return sw.Interfaces[name] != nil
	}
	return slices.ContainsFunc(sw.Neighbors, func(n dumps.Neighbor) bool { return n.Port == name }) ||
		slices.ContainsFunc(sw.Tables, func(t *dumps.Table) bool {
			return slices.ContainsFunc(t.Sets, func(set []dumps.NextHop) bool {
				return slices.ContainsFunc(set, func(h dumps.NextHop) bool { return h.Dev == name })
			})
		})
}

// acrossSubnet returns the only port of switch j in a subnet of the port of n, or nothing.
func (c *cabling) acrossSubnet(sw *dumps.Switch, j int, n dumps.Neighbor) string {
	found := map[string]bool{}
	for _, list := range c.subnets {
		isHere := slices.ContainsFunc(list, func(a at) bool { return c.switches[a.sw] == sw && a.port == n.Port })
		for _, b := range list {
			if isHere && b.sw == j {
				found[b.port] = true
			}
		}
	}
	if len(found) != 1 {
		return ""
	}
	return sortedKeys(found)[0]
}

// backwards returns the port at which switch j sees sw at the port of n, or nothing.
func (c *cabling) backwards(sw *dumps.Switch, j int, n dumps.Neighbor) string {
	for _, back := range c.switches[j].Neighbors {
		i, err := c.named(c.switches[j], back)
		if err == nil && i >= 0 && c.switches[i] == sw && (back.ID == n.Port || back.Description == n.Port || sw.Aliases[back.ID] == n.Port) {
			return back.Port
		}
	}
	return ""
}

// join adds a cable that a file states. It fails if a port has another cable.
func (c *cabling) join(a, b end, file string) error {
	for range 2 {
		if old, ok := c.peer[a]; ok && old != b {
			return &textfile.Error{File: file, Msg: fmt.Sprintf("%s is cabled to %s, and to %s by %s; want one cable for each port", c.text(a), c.text(b),
				c.text(old), c.source[a])}
		}
		a, b = b, a
	}
	if _, ok := c.peer[a]; !ok {
		c.peer[a], c.peer[b], c.source[a], c.source[b] = b, a, file, file
	}
	return nil
}

func (c *cabling) texts(list []at) string {
	var texts []string
	for _, a := range list {
		texts = append(texts, c.text(a.end))
	}
	return strings.Join(texts, ", ")
}

func (c *cabling) text(e end) string { return c.switches[e.sw].Name + ":" + e.port }

// bySubnet adds a cable for each subnet that two switches share, unless LLDP states the cables. It fails if LLDP contradicts a subnet.
func (c *cabling) bySubnet() error {
	for _, p := range c.sortedSubnets() {
		list := c.subnets[p]
		if err := c.sameAddress(p, list); err != nil {
			return err
		}
		if !c.isTransit(p) {
			continue
		}
		switches := map[int]bool{}
		for _, x := range list {
			switches[x.sw] = true
		}
		if isForTwo(p) && len(switches) > 2 && !p.Addr().IsLinkLocalUnicast() {
			return &textfile.Error{File: list[2].file, Msg: fmt.Sprintf("%s have %s (%s, %s); want two ends; is one the dump of another switch?",
				c.texts(list), p, list[0].file, list[1].file)}
		}
		if len(list) != 2 || len(switches) != 2 {
			continue
		}
		a, b := list[0], list[1]
		from, to := c.ports(a.end), c.ports(b.end)
		if len(from) == 1 && len(to) == 1 {
			if err := c.agree(p, a, b, from[0], to[0]); err != nil {
				return err
			}
			continue
		}
		if !c.cabled(from, b.sw) || !c.cabled(to, a.sw) { // the members of a port channel have no LLDP
			c.members[a.end], c.members[b.end] = nil, nil
			if err := c.join(a.end, b.end, a.file); err != nil {
				return err
			}
		}
	}
	return nil
}

// agree joins two ports that share a subnet. It fails if LLDP says that they have other neighbours.
func (c *cabling) agree(p netip.Prefix, a, b at, x, y end) error {
	for _, side := range [][2]end{{x, y}, {y, x}} {
		if old, ok := c.peer[side[0]]; ok && old != side[1] && !isVirtual(a.port) && !isVirtual(b.port) {
			return &textfile.Error{File: b.file, Msg: fmt.Sprintf("%s and %s share %s (%s), but %s is cabled to %s by %s; is this the dump of another switch?",
				c.text(a.end), c.text(b.end), p, a.file, c.text(side[0]), c.text(old), c.source[side[0]])}
		}
		if name, ok := c.beyond[side[0]]; ok {
			return &textfile.Error{File: c.switches[side[0].sw].LLDP, Msg: fmt.Sprintf("%s and %s share %s, but the neighbour of %s is %s, which has no dumps",
				c.text(a.end), c.text(b.end), p, c.text(side[0]), name)}
		}
	}
	return c.join(x, y, a.file)
}

// cabled reports whether all ports have cables, to switch j.
func (c *cabling) cabled(ports []end, j int) bool {
	return !slices.ContainsFunc(ports, func(e end) bool { there, ok := c.peer[e]; return !ok || there.sw != j })
}

// sameAddress fails if two switches have the same address in a subnet of two addresses.
func (c *cabling) sameAddress(p netip.Prefix, list []at) error {
	if !isForTwo(p) || p.Addr().IsLinkLocalUnicast() {
		return nil
	}
	for i, a := range list {
		for _, b := range list[:i] {
			if a.sw != b.sw && a.addr.IsValid() && a.addr == b.addr {
				return &textfile.Error{File: a.file, Msg: fmt.Sprintf("%s is the address of %s, and of %s in %s; is this the dump of another switch?", a.addr,
					c.text(a.end), c.text(b.end), b.file)}
			}
		}
	}
	return nil
}

// isTransit reports whether a subnet joins switches, not hosts: it has room for two addresses, or one of its addresses is a next hop and
// an address of a switch.
func (c *cabling) isTransit(p netip.Prefix) bool {
	if isForTwo(p) {
		return true
	}
	return slices.ContainsFunc(c.subnets[p], func(a at) bool { return a.addr.IsValid() && c.vias[a.addr] })
}

func (c *cabling) sortedSubnets() []netip.Prefix {
	list := make([]netip.Prefix, 0, len(c.subnets))
	for p := range c.subnets {
		list = append(list, p)
	}
	slices.SortFunc(list, func(a, b netip.Prefix) int { return dumps.KeyOf(a).Compare(dumps.KeyOf(b)) })
	return list
}

func sortedKeys[T any](m map[string]T) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, compareNatural)
	return keys
}
