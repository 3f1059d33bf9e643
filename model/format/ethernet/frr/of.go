package frr

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/ethernet/control"
)

// This file makes labs of networks.

// Of returns a lab of a network. A host whose name is an IPv4 prefix is that prefix. Other hosts get a prefix for each switch. A switch whose
// name is a prefix stands for hosts at several switches. asWord selects AS numbers: unique, rfc7938 or a file; empty means unique.
func Of(n *model.Network, protocol, asWord string) (*Lab, error) {
	l := &Lab{Protocol: protocol}
	of := make([]int, n.NumSwitches()) // by switch: its number in the lab, or -1
	for u := range model.SwitchID(n.NumSwitches()) {
		if of[u] = -1; !isPrefix(n.SwitchName(u)) {
			of[u] = len(l.Switches)
			l.Switches = append(l.Switches, Switch{Name: strings.ReplaceAll(n.SwitchLabel(u), " ", "")})
		}
	}
	for i := range model.LinkID(n.NumLinks()) {
		x := n.Link(i)
		a, b := of[x.A], of[x.B]
		switch {
		case a >= 0 && b >= 0:
			l.Cables = append(l.Cables, Cable{A: a, B: b, APort: n.PortName(x.A, x.APort), BPort: n.PortName(x.B, x.BPort)})
		case a >= 0:
			l.Switches[a].Prefixes = append(l.Switches[a].Prefixes, netip.MustParsePrefix(n.SwitchName(x.B)))
		case b >= 0:
			l.Switches[b].Prefixes = append(l.Switches[b].Prefixes, netip.MustParsePrefix(n.SwitchName(x.A)))
		}
	}
	for h := range model.HostID(n.NumHosts()) {
		u := of[n.Host(h).Switch]
		if u < 0 {
			continue
		}
		p := netip.PrefixFrom(netip.AddrFrom4([4]byte{10, byte(u >> 8), byte(u), 0}), 24)
		if isPrefix(n.HostLabel(h)) {
			p = netip.MustParsePrefix(n.HostLabel(h))
		}
		if !slices.Contains(l.Switches[u].Prefixes, p) {
			l.Switches[u].Prefixes = append(l.Switches[u].Prefixes, p)
		}
	}
	return l, l.number(asWord)
}

func isPrefix(name string) bool {
	p, err := netip.ParsePrefix(name)
	return err == nil && p.Addr().Is4()
}

// number sets levels and AS numbers, and checks them.
func (l *Lab) number(word string) (err error) {
	near, isLeaf, names := make([][]int, len(l.Switches)), make([]bool, len(l.Switches)), make([]string, len(l.Switches))
	for _, c := range l.Cables {
		if !slices.Contains(near[c.A], c.B) {
			near[c.A], near[c.B] = append(near[c.A], c.B), append(near[c.B], c.A)
		}
	}
	for u := range l.Switches {
		isLeaf[u], names[u] = len(l.Switches[u].Prefixes) > 0, l.Switches[u].Name
	}
	name := func(u int) string { return names[u] }
	n := control.Network{Near: near, AS: make([]uint32, len(near)), Level: control.Levels(near, isLeaf)}
	switch word {
	case "", "unique":
		for u := range n.AS {
			n.AS[u] = control.FirstAS + uint32(u)
		}
	case "rfc7938":
		n.AS = control.TierNumbers(near, n.Level)
	default:
		if n.AS, err = control.ReadNumbers(word, names); err != nil {
			return err
		}
	}
	if l.Protocol != "ospf" {
		err = n.CheckAS(name)
	}
	if err == nil && l.Protocol == "updown" {
		err = n.CheckLevels(name)
	}
	for u := range l.Switches {
		l.Switches[u].AS, l.Switches[u].Level = n.AS[u], n.Level[u]
	}
	return err
}

// Fail takes a cable down, after the routes have been computed with it. end is "SWITCH:PORT", or "SWITCH:SWITCH" for all cables between two.
// It returns an error if there is no such cable.
func (l *Lab) Fail(end string) error {
	l.namePorts()
	found := false
	for i := range l.Cables {
		c := &l.Cables[i]
		a, b := l.Switches[c.A].Name, l.Switches[c.B].Name
		if slices.Contains([]string{a + ":" + c.APort, b + ":" + c.BPort, a + ":" + b, b + ":" + a}, end) {
			c.IsDown, found = true, true
		}
	}
	if !found {
		return fmt.Errorf("no cable is at %s; want SWITCH:PORT, or SWITCH:SWITCH", end)
	}
	return nil
}
