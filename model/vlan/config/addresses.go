package config

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/netip"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/names"
)

// maxPlaceholders is the number of hosts that 24 bits can number from 1, without the broadcast
// address.
const maxPlaceholders = 1<<24 - 2

// fillAddresses replaces missing addresses by placeholders. It fails if two hosts have the same
// address or an address is not a host address.
func (o *Options) fillAddresses(n *model.Network) error {
	hosts := n.NumHosts()
	switch {
	case hosts > maxPlaceholders:
		return fmt.Errorf("vlan: %d hosts, addresses are for up to %d", hosts, maxPlaceholders)
	case o.MAC != nil && len(o.MAC) != hosts || o.IP != nil && len(o.IP) != hosts:
		return fmt.Errorf("vlan: %d MAC and %d IP addresses for %d hosts", len(o.MAC), len(o.IP), hosts)
	}
	mac, ip := make([]net.HardwareAddr, hosts), make([]netip.Addr, hosts)
	copy(mac, o.MAC)
	copy(ip, o.IP)
	seen := newSeen(n)
	for h := range hosts {
		number := h + 1
		if len(mac[h]) == 0 {
			mac[h] = net.HardwareAddr{2, 0, 0, byte(number >> 16), byte(number >> 8), byte(number)}
		}
		if !ip[h].IsValid() {
			ip[h] = netip.AddrFrom4([4]byte{10, byte(number >> 16), byte(number >> 8), byte(number)})
		}
		if err := seen.add(model.HostID(h), mac[h], ip[h]); err != nil {
			return fmt.Errorf("vlan: %w", err)
		}
	}
	o.MAC, o.IP = mac, ip
	return nil
}

// given reports whether the caller has given both addresses of all hosts.
func (o *Options) given() bool {
	if o == nil || o.MAC == nil || o.IP == nil {
		return false
	}
	for h := range o.MAC {
		if len(o.MAC[h]) == 0 || !o.IP[h].IsValid() {
			return false
		}
	}
	return true
}

// seen maps each address to its host.
type seen struct {
	net *model.Network
	mac map[string]model.HostID
	ip  map[netip.Addr]model.HostID
}

func newSeen(n *model.Network) *seen {
	return &seen{n, map[string]model.HostID{}, map[netip.Addr]model.HostID{}}
}

// add records the addresses of host h. It fails if an address is not a host address or belongs
// to another host. ip may be invalid, for no address.
func (s *seen) add(h model.HostID, mac net.HardwareAddr, ip netip.Addr) error {
	switch {
	case len(mac) != 6 || string(mac) == "\x00\x00\x00\x00\x00\x00":
		return fmt.Errorf("%s has the MAC address %q, wanted are six bytes as 02:00:00:00:00:01", s.label(h), mac)
	case mac[0]&1 != 0:
		return fmt.Errorf("%s has the MAC address %s, which is one of a group", s.label(h), mac)
	case ip.IsValid() && (!ip.Is4() || ip.IsUnspecified() || ip.IsMulticast() || ip.IsLoopback()):
		return fmt.Errorf("%s has the IP address %s, wanted is a host's of IPv4", s.label(h), ip)
	}
	if other, ok := s.mac[string(mac)]; ok {
		return fmt.Errorf("%s and %s have the same MAC address %s", s.label(other), s.label(h), mac)
	}
	s.mac[string(mac)] = h
	if !ip.IsValid() {
		return nil
	}
	if other, ok := s.ip[ip]; ok {
		return fmt.Errorf("%s and %s have the same IP address %s", s.label(other), s.label(h), ip)
	}
	s.ip[ip] = h
	return nil
}

func (s *seen) label(h model.HostID) string { return comment(s.net.HostLabel(h)) }

// ReadAddresses reads lines HOST MAC [IP] into the form of Options. HOST is the name or number
// of a host, and # starts a comment. A host without a line, or a missing address, keeps its
// placeholder. Errors name the line.
func ReadAddresses(r io.Reader, n *model.Network) ([]net.HardwareAddr, []netip.Addr, error) {
	mac, ip := make([]net.HardwareAddr, n.NumHosts()), make([]netip.Addr, n.NumHosts())
	hosts, seen := names.New(n), newSeen(n)
	scan := bufio.NewScanner(r)
	for line := 1; scan.Scan(); line++ {
		fields := strings.Fields(uncommented(scan.Text()))
		if len(fields) == 0 {
			continue
		}
		name, m, i, err := addressLine(scan.Text(), fields)
		if err == nil {
			var h model.HostID
			if h, err = hosts.Host(name); err == nil && mac[h] != nil {
				err = fmt.Errorf("%s comes twice", comment(name))
			}
			if err == nil {
				mac[h], ip[h], err = m, i, seen.add(h, m, i)
			}
		}
		if err != nil {
			return nil, nil, fmt.Errorf("vlan: addresses, line %d: %w", line, err)
		}
	}
	if err := scan.Err(); err != nil {
		return nil, nil, fmt.Errorf("vlan: addresses: %w", err)
	}
	return mac, ip, nil
}

// uncommented cuts a line at a # that starts a word.
func uncommented(line string) string {
	for i, c := range line {
		if c == '#' && (i == 0 || line[i-1] == ' ' || line[i-1] == '\t') {
			return line[:i]
		}
	}
	return line
}

// addressLine parses a line from its end, because names may contain spaces. fields are its words.
func addressLine(line string, fields []string) (name string, mac net.HardwareAddr, ip netip.Addr, err error) {
	last := len(fields) - 1
	if mac, err = net.ParseMAC(fields[last]); err != nil && last > 0 {
		var wrong error
		if ip, wrong = netip.ParseAddr(fields[last]); wrong != nil {
			return "", nil, ip, fmt.Errorf("%q is no address; a line is HOST MAC [IP]", comment(fields[last]))
		}
		last--
		mac, err = net.ParseMAC(fields[last])
	}
	if err != nil || last == 0 {
		return "", nil, ip, fmt.Errorf("no MAC address after the host; a line is HOST MAC [IP]")
	}
	name = strings.TrimSpace(line[:strings.LastIndex(line, fields[last])])
	if words := names.Fields(name); len(words) == 1 { // it may have quotes
		name = words[0]
	}
	return name, mac, ip, nil
}
