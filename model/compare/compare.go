// Package compare computes the difference between two states of a fabric: cables, hosts, LIDs,
// forwarding tables, and the paths of packets.
//
// Switches and hosts are identified by GUID, or by name if there are no GUIDs. Cables are
// identified by the ports at their ends. Entries are compared by switch and LID. Paths are
// compared by host and by address of the destination host (base LID, base LID + 1, ...), so
// that a host whose LID changed keeps its paths. Cost: O(cables + entries), and for paths
// O(pairs × switches on a path).
//
// A first call:
//
//	d := compare.DiffNetworks(old, now)
//	fmt.Println(d.CablesGone, d.CablesNew)
//	t := compare.DiffTables(oldTable, newTable)
//	fmt.Println(len(t.Entries), "entries differ,", t.Paths, "paths differ")
//
// Read first: compare.go, then tables.go; align.go (the entries of one state on the network of the other).
package compare

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// NetworkDiff is the difference between an old and a new network: sorted lists of labels.
type NetworkDiff struct {
	SwitchesGone, SwitchesNew []string
	HostsGone, HostsNew       []string
	CablesGone, CablesNew     []string
}

// Same reports whether the networks do not differ.
func (d *NetworkDiff) Same() bool {
	return len(d.SwitchesGone)+len(d.SwitchesNew)+len(d.HostsGone)+len(d.HostsNew)+len(d.CablesGone)+len(d.CablesNew) == 0
}

// switchKey returns the GUID or name that identifies switch u in both networks.
func switchKey(n *model.Network, u model.SwitchID) string {
	if g := n.Switch(u).GUID; g != 0 {
		return fmt.Sprintf("0x%016x", g)
	}
	return n.SwitchLabel(u)
}

// hostKey returns the GUID or name that identifies host h in both networks.
func hostKey(n *model.Network, h model.HostID) string {
	if g := n.Host(h).PortGUID; g != 0 {
		return fmt.Sprintf("0x%016x", g)
	}
	return n.HostLabel(h)
}

// labels maps the key of each switch, host and cable to its printed label.
func labels(n *model.Network) (switches, hosts, cables map[string]string) {
	switches, hosts, cables = map[string]string{}, map[string]string{}, map[string]string{}
	for u := range model.SwitchID(n.NumSwitches()) {
		switches[switchKey(n, u)] = n.SwitchName(u)
	}
	for h := range model.HostID(n.NumHosts()) {
		e := n.Host(h)
		hosts[hostKey(n, h)] = fmt.Sprintf("%s at %s port %s", n.HostLabel(h), n.SwitchName(e.Switch), n.PortLabel(e.Switch, e.Port))
	}
	for l := range model.LinkID(n.NumLinks()) {
		x := n.Link(l)
		a, b := n.PortLabel(x.A, x.APort), n.PortLabel(x.B, x.BPort)
		ends := []string{fmt.Sprint(switchKey(n, x.A), " ", a), fmt.Sprint(switchKey(n, x.B), " ", b)}
		slices.Sort(ends)
		cables[ends[0]+ends[1]] = fmt.Sprintf("%s port %s - %s port %s", n.SwitchName(x.A), a, n.SwitchName(x.B), b)
	}
	return switches, hosts, cables
}

// DiffNetworks compares two networks.
func DiffNetworks(old, now *model.Network) *NetworkDiff {
	s, h, c := labels(old)
	s2, h2, c2 := labels(now)
	return &NetworkDiff{less(s, s2), less(s2, s), less(h, h2), less(h2, h), less(c, c2), less(c2, c)}
}

// less lists the labels of the keys that are in a but not in b.
func less(a, b map[string]string) (list []string) {
	for key, label := range a {
		if _, ok := b[key]; !ok {
			list = append(list, label)
		}
	}
	slices.Sort(list)
	return list
}
